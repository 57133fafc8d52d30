// Package stripe splits bytes into stripes and erasure-codes them: each stripe of k MiB gives one chunk of 1 MiB to each of k + m slots, and any k of the
// chunks restore it.
//
// The code is systematic, with the matrix of Backblaze and klauspost, which is derived from Vandermonde's. What a stripe lacks of a multiple of k is zeros.
//
// Spec: storage-cbfs §5.
package stripe
