// Package chain holds nothing itself: its sub-packages are ring 0, the rules
// of the Cowboy chain as data and pure functions.
//
// Every package below this directory is pure: no goroutine, channel, lock,
// clock, file, socket, logger, random source, host floating point, mutable
// package variable, or map iteration whose order can reach a result. One
// chapter of the specification is one package.
package chain
