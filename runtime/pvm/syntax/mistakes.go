package syntax

import _ "embed"

// mistakes is the grammar of CPython 3.11 as an ordered-choice grammar, with the
// rules (names beginning with bad_) that recognize common mistakes. It is used
// on rejected sources only: a first run without the bad_ rules finds how far a
// parser has to read, a second run with them finds the message.
//
// TYPE_COMMENT, which no token is here, stands where CPython looks for one: that
// reads one token further.
//
// Notation: "rule:" begins a rule, "|" an alternative. 'x' is a keyword or
// operator, "x" a soft keyword, capital words are token kinds. x? x* x+ repeat,
// s.x+ repeats with separators s, &x and !x look ahead, ~ commits to the
// alternative, !!x must follow or "expected x" is the message. name=x captures.
// A rule name followed by * keeps its result between the runs of bad_ rules.
//
// An alternative that ends in -> reports a mistake: "-> place message", where a
// place is one capture, two captures (from the first to the last), capture..
// (from the capture to the last token read), or last (the last token read).
// {x} in a message stands for the kind of the expression captured as x, {#x}
// for its line. A place "indent" makes an IndentationError at the last token
// read; "do" calls a function.
//
//go:embed mistakes.peg
var mistakes string
