// Package pyio is open() and the files it gives: the scratch space /tmp of one call.
//
// # The space
//
// Every machine has a space of its own, empty at first and gone with it: a handler finds nothing that another one left, nor does a nested call, of
// another actor or of the same. There is one directory, /tmp, and nothing makes another, links to anything or removes a file. All files together
// hold at most 256 KiB; what would pass that raises OSError 28 and changes nothing.
//
// A path is a str, bytes, or an object with __fspath__. It is absolute; what is not below /tmp, on the way too ("/tmp/../tmp/x"), is PermissionError,
// and so is a relative path, since there is no working directory. "." and doubled slashes mean what they mean on Linux. Below a file there is nothing
// (NotADirectoryError), /tmp itself is a directory (IsADirectoryError).
//
// # Files
//
// Modes, types, messages and results are CPython's on Linux with UTF-8, without what needs an operating system: descriptors (fileno, detach, opener).
// Where CPython's buffers would show, there are none: a write is in the file at once and goes where tell() says, and a read decodes no more than it
// gives. So text that is no UTF-8 raises with the line or the characters it is in, and newlines tells of what was read. The encoding is UTF-8,
// errors are strict.
//
// # Price
//
// 100 cycles and one for every byte of the path to open a file; 10 for a read or write, and one for each byte that is encoded or decoded, one for 16
// bytes otherwise. A write costs a cell for each byte, and for each byte of the gap it closes; truncate for each byte it adds. Everything is charged
// before it is done. Names and contents count as memory of the call.
//
// Spec: WP §3.1, §4.1 (cells), "Forbidden Operations"; CIP-3 §2.2.2 (/tmp scratch space); sdk §3.9.
package pyio
