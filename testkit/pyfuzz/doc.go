// Package pyfuzz writes random Python programs, runs them on the PVM and on CPython 3.11, and compares what they print.
//
// A program is drawn from a grammar (grammar/*.txt) by a seed: the same seed gives the same program. Programs are well
// formed, end by themselves (nearly all; what does not runs out of cycles and is skipped), and print every result,
// exceptions with type and message. What consensus changes on purpose is kept out of the grammar or recognised in the
// PVM's output and counted apart; DEVIATIONS.md lists it with reasons.
//
// # Grammar
//
// A file holds sections. A section is a line "[name]" and productions, each beginning with "-", an optional weight, and
// the modules the text needs ("@re"); further lines of a production are indented by two. In the text
//
//	$int       an expression of section int: a variable of that type in scope, or a production
//	$BLOCK     statements in the context around, alone on a line; LOOP, FUNC, GEN, CORO, AGEN and CLASS open that context
//	$A@int     declares a variable of type int, visible behind the statement
//	$A~int     declares one that is visible in the rest of the production only
//	$A         the variable declared under that letter
//	$=int      a variable of the current function to assign to
//	$$         a dollar sign
//
// # Invariants
//
// Generator and PVM side are pure functions of the seed. CPython runs in a process of its own, one for many programs,
// each in a fresh module.
//
// Deliberately absent: programs that print sets unsorted, identities, addresses or hashes; anything that reads the
// outside world.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
package pyfuzz
