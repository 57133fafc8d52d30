// Package charname finds a character by its Unicode 14.0 name, as the escape
// \N{…} of string literals needs it.
//
// names.bin was recorded from CPython 3.11 by gen/names.py (which describes its
// layout): all names and the aliases that CPython accepts. Names made by rule
// (CJK ideographs, Hangul syllables) are computed. A lookup takes time
// proportional to the length of the name and allocates little more than that.
//
// Deliberately absent: named sequences, which \N{…} does not take, and the way
// from character to name.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11 with Unicode 14.0).
package charname
