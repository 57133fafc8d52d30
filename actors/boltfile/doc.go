// Package boltfile checks a file of bbolt before bbolt maps it. bbolt takes offsets, sizes and page numbers from the file as they are; over a damaged one
// it makes pointers to memory that is not its own, on which Go's collector ends the process. [Check] reads every page with its bounds: what passes is
// safe to map, and its keys are where a search looks for them.
//
// Deliberately absent: checksums of values, which whoever writes a file adds to its own.
//
// The format is that of bbolt's internal/common (version 2): pages of a header and elements, with numbers in the order of the machine's bytes.
package boltfile
