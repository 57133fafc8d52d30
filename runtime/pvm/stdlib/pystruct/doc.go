// Package pystruct is Python's struct module: packing values into bytes by a
// format string and back.
//
// The native byte order, sizes and alignment ("@", the default) are those of
// 64-bit Linux on little-endian machines, on every host.
//
// Invariants: a repeat count is never expanded, so a format costs its length;
// packing and unpacking are charged by the number of values and bytes.
//
// Spec: sdk §17.3 (struct in the import list); Python 3.11 library, "struct".
package pystruct
