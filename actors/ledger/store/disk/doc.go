// Package disk is the few file operations a ledger needs, behind an interface, so
// that the same ledger runs on a directory and on a simulated disk that loses
// unsynced writes, tears them at any byte, fills up, or fails to sync.
//
// A [Disk] is one flat directory. What the ledger may rely on after a crash is
// what POSIX gives: bytes that were written and synced are there; bytes that were
// written and not synced may be there in whole, in part, or not at all; a file is
// found under its name once the directory was synced.
package disk
