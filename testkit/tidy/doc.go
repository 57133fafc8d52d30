// Package tidy enforces the project's rules about its own source as an ordinary test.
//
// Consensus safety rests on rings 0 and 1 (chain and runtime) being pure, so purity is checked on typed syntax: no
// goroutine, channel, select, lock, clock, file, socket, logger, random source, host float arithmetic, writable package
// variable or map iteration without a stated reason. Imports may only point down the rings. Instructions are told apart by
// their rows: a switch over them stands in chain/tx alone.
//
// The shape of the source is held too: sizes of files and functions, the width of lines, subtests in tables, the files of a subsystem and a state.go
// without clock and link, and which chapters the core of a block knows by name; the package dead below finds code that nothing reaches. What may break
// such a rule stands with its reason on the rule's list in testdata/lists, which only shrinks: REWRITE=1 go test ./testkit/tidy/... takes off it what is
// no longer needed.
package tidy
