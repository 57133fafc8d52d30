// Package golden compares what a test makes with a file that holds what it should make, and writes the file anew where that is asked for: REWRITE=1 in
// the environment, as `make golden` has it. The difference of the files is then what a reader reviews.
//
// A script is a text file of blocks with empty lines between them. A block is a command of one or more lines, a line of four dashes and the exact output;
// a block that begins with # is a comment.
//
// Records keeps one hash for every record a package encodes; testkit/tidy wants one for every type that encodes itself.
package golden
