// Package pymath is Python's math module on software floats.
//
// Every function of a real argument is correctly rounded (package softfloat), so
// a result may differ from CPython's in the last place where the platform's C
// library is off by one; special cases, errors and messages are CPython's.
// Integer functions are exact within the machine's limit on ints.
//
// Invariants: work is charged before it is done, by a price per function that
// covers its slowest argument.
//
// Spec: sdk §17.2, §17.3 (math in the import list).
package pymath
