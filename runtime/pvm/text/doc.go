// Package text is the text machinery of the PVM: Unicode 14.0 character data, normalisation, and the algorithms behind
// the methods of str, bytes and bytearray.
//
// CPython 3.11 answers every question about characters from the Unicode Character Database 14.0.0. Go's own unicode and
// x/text packages follow the toolchain, so their answers change when Go is upgraded; nothing here uses them. The tables
// in tables.go were recorded from CPython 3.11 by gen/tables.py and are constants: no variable, no initialisation.
//
// # Shapes of text
//
// The package knows nothing of the Python object model. Algorithms are generic over Unit, one code point (or one byte)
// per slice element: []byte serves ASCII text, bytes and bytearray, []rune serves text with wider characters, lone
// surrogates included. Go strings appear only where text is known to be valid UTF-8 (identifiers, source).
//
// # Work and memory
//
// Every function runs in time linear in its input plus its output (sorting combining marks apart, which is
// n log n in the length of one run of marks). Functions whose result can be much longer than their input either take a size limit or
// have a companion that tells the length first, so that a caller can charge before the work.
//
// # Contents
//
//	property.go, category.go   what a character is
//	casing.go                  full and simple case mappings, case folding, variants for IGNORECASE
//	normal.go                  NFC, NFD, NFKC, NFKD
//	find.go, split.go, ...     algorithms of the str and bytes methods
//	quote.go                   repr() of str and bytes, ascii()
//
// Sub-packages: format (format mini-language, %-formatting, str.format), regex (the re engine), jsontext (the json
// module's scanner and encoder).
//
// Deliberately absent: locales, other encodings than UTF-8, grapheme segmentation, collation, East Asian width,
// bidirectional classes.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (execution environment: NFC, fixed locale, UTF-8); Python 3.11 library reference, Text Sequence Type.
package text
