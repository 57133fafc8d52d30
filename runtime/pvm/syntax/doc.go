// Package syntax turns Python 3.11 source text into a tree.
//
// The scanner makes tokens of bytes, the parser makes the tree of tokens; both
// are written by hand and take time linear in the source. The tree has the
// shape of CPython 3.11's abstract grammar with three economies: async forms
// and except* are flags, the four comprehensions are one node, and fields that
// package resolve fills in (bindings, scope numbers) are part of the nodes.
//
// Names in the tree are NFKC-normalized under Unicode 14.0. Source is UTF-8
// only: an encoding declaration that names another encoding is refused.
//
// A source that does not parse gives a *SyntaxError with CPython 3.11's
// message and position wherever those are stable. To find the message the
// rejected source is parsed a second time against the grammar of mistakes
// (grammar.go); a correct source never pays for that.
//
// Bounds: nesting of brackets (MaxBrackets), of indentation (MaxIndent) and of
// the tree as a whole (MaxDepth) are limited, so that every later pass may
// recurse over the tree. So is the number of tokens (MaxTokens), and with it the
// memory of a compilation. Nothing is allocated beyond a constant factor of the
// source's length.
//
// Deliberately absent: type comments, interactive and eval start symbols,
// warnings, encodings other than UTF-8.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11); WP-January "Python as
// Execution Language", "String and Text Handling".
package syntax
