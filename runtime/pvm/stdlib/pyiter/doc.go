// Package pyiter is Python's itertools module (that of 3.11: there is no
// batched).
//
// Each tool is a native type whose instances are iterators. A step costs
// stepCost on top of what the iterator below it costs, and the length of the
// tuple it makes; skipped elements cost a step each.
//
// Absent on purpose: pickling and copying of iterators.
//
// Spec: sdk §17.3 (itertools in the import list); Python 3.11 library,
// "itertools".
package pyiter
