// Package pyhash is Python's hashlib module: the algorithms that every build of
// Python 3.11 guarantees, and keccak256 as an addition of the chain.
//
// Prices are per started block, over all updates of one object together: the
// cost does not depend on how the data was cut. SHA-256 costs 500 cycles and 8
// per 64 bytes, Keccak 6 per 32 bytes, the other algorithms as the one they
// resemble.
//
// Absent on purpose: scrypt (memory-hard), file_digest (no files).
//
// Spec: sdk §17.3 (hashlib in the import list), §17.4 (costs).
package pyhash
