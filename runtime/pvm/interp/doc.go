// Package interp runs code of package compile on a machine of package object.
//
// One function, run, holds the dispatch loop. Calls from Python to Python, and
// steps of generators by loops, yield from and await, push a frame and go on in
// the same loop; calls from native code nest it. Windows of frames overlap: the
// arguments of a call are the first registers of the callee.
//
// The meter is charged for a block when a jump, call or return enters it; see
// package compile. Everything that may run other code saves the position first,
// so that tracebacks, the memory count and the give-back of an exception are
// exact.
//
// Spec: CIP-3 §2.2.1; WP "The Cowboy Actor VM (PVM)".
package interp
