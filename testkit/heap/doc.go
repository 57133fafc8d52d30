// Package heap looks into the memory of two Python machines, field by field, through reflection: whether they hold the same, and whether they
// share anything that could be written. It knows nothing of how package object copies templates, and so can say whether the copies are right.
//
// Deliberately absent: machines that run; generators and other suspended code.
//
// Spec: CIP-3 §2.2; CIP-3 §2.2.1.
package heap
