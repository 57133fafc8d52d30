// Package stripe cuts bytes into stripes and codes them: a stripe of k MiB gives each of k + m slots a chunk of a k-th of it, and any k of them are enough.
//
// The code is systematic, with the matrix of Backblaze and klauspost, which is derived from Vandermonde's. What a stripe lacks of a multiple of k is zeros.
//
// Spec: storage-cbfs §5.
package stripe
