// Package charname finds characters by their Unicode 14.0 names and aliases, for \N{...} in literals and patterns.
//
// The names are a constant, front-coded table recorded from CPython 3.11; Hangul syllables and CJK unified ideographs
// are computed. A lookup is a binary search and allocates nothing.
//
// Deliberately absent: the way from a character to its name, and named sequences (which \N{...} refuses).
//
// Spec: Python 3.11 language reference, String and Bytes literals; WP §4.2 (Unicode 14.0).
package charname
