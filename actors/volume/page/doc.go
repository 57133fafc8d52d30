// Package page defines how a manifest lies on relays: in pages, so that a change of one path changes one page and the first one. It is pure.
//
// # Pages
//
// A stripe has a number, which stays with it as long as its bytes are the volume's. Stripe 0 is the first page, every other page is a stripe of its own.
//
//	first page   kind u8 0 ‖ UInt numbers ‖ runs of free numbers ‖ list of records
//	             kind u8 1 ‖ UInt numbers ‖ runs of free numbers ‖ list of references to leaf pages
//	leaf page    kind u8 2 ‖ list of records
//	runs         list of: UInt used numbers before it, one at least ‖ UInt length, one at least
//	record       Bytes entry as bincode writes it (cbfs.Entry.Encode) ‖ for each stripe of a file: UInt number ‖ k + m roots
//	reference    Bytes first path ‖ UInt entries ‖ UInt files ‖ UInt stripes of files ‖ UInt bytes of files ‖ UInt number ‖ UInt length ‖ 32 bytes ‖
//	             k + m roots
//
// UInt, Bytes and lists are those of the chain's encoding (chain/codec). The 32 bytes are the BLAKE3 of the leaf page as it lies on relays, length is how many
// bytes those are. Records and references ascend by their paths. While all records fit into a stripe the first page has them itself.
//
// A record says the roots of its file's chunks, a reference those of its page's. So a reader takes a chunk by what it has read before, and needs no table.
//
// # Numbers
//
// Numbers is how many there are. Each from 1 on is a page's, a file's or free. A free one holds the filler, k zero bytes, until it is used again.
//
// # Invariants
//
//   - What is read is whole and in order, each number is used once as far as one page can tell, and a leaf page is what its reference says, or an error tells.
//   - No decoder allocates more than a constant times its input.
//
// Spec: storage-cbfs §2.3, §2.4, §8.
package page
