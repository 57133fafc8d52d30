// Package specmap answers "where is this rule?": it reads every `Spec:` line of the source and lists, for each normative
// section, the functions that implement it and the tests that prove it. A section without either is a gap.
//
// A function that implements a rule ends its comment with a line such as `Spec: WP §4.2, §17.8; CIP-3 §2.4.`; the test
// that proves the rule carries the same line. A reference without a document name belongs to the document before it.
//
// The sections are the headings of docs/spec, which holds the rules themselves: a reference that leads to no heading there
// is a fault. docs/spec/README.md says how a reference maps to a file and a heading.
package specmap
