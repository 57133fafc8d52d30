// Package tidy enforces the project's rules about its own source as an ordinary test.
//
// Consensus safety rests on rings 0 and 1 (chain and runtime) being pure, so purity is checked on typed syntax: no
// goroutine, channel, select, lock, clock, file, socket, logger, random source, host float arithmetic, writable package
// variable or map iteration without a stated reason. Imports may only point down the rings.
package tidy
