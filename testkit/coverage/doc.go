// Package coverage has actors note the lines that run, and which outcomes their conditions had, for stories and Python tests.
//
// A statement begins with the note of its line. The two blocks of an if, a for and a while, absent ones too, and the cases of a match begin with the note of an
// outcome: for a loop, that it went on and that it ended by itself. Notes cost cycles, so what is measured and asserted comes from another run.
//
// Deliberately absent: the outcomes of conditional expressions, of and, or and comprehensions.
package coverage
