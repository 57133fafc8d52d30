// Package retained keeps the blobs of retention contracts that a relay provides for: each as it is, with the tree of hashes over its pieces beside it, so that
// a piece with its path is one read of the blob and one of each level of the tree, however large the blob is.
//
//	DIR/contract/N.blob   the blob with the number N
//	DIR/contract/N.ref    its reference and root, as a contract has them
//	DIR/contract/N.tree   the hashes of its pieces, then of each level above them; what is all padding is left out
//
// Nothing is kept that is not what the contract refers to, and what is kept is durable before Keep returns. A Store is safe for many goroutines; one process
// writes.
//
// Spec: storage-cbfs §7; WP §7.2, §17.6.
package retained
