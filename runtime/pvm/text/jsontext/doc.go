// Package jsontext is the lexical half of the PVM's json module: it reads the tokens of a JSON document and writes
// strings, with the rules, positions and error messages of CPython 3.11's scanner. Building lists and dicts, calling
// hooks, nesting limits and the decision how a document is laid out belong to the module.
//
// The scanner is lenient exactly where CPython's is: NaN, Infinity and -Infinity are constants, and without strict a
// string may hold control characters.
//
// Every function takes time linear in what it reads or appends.
//
// Deliberately absent: other encodings than UTF-8 (which the module decodes before it calls the scanner).
//
// Spec: Python 3.11 library reference, json; WP "The Cowboy Actor VM (PVM)" (JSON on non-canonical surfaces).
package jsontext
