// Package direct reads and writes files past the page cache of the kernel (O_DIRECT), for what is written once and read seldom: taking pages for it may cost
// more than all else that is done with it, and drives out what others use.
//
// The kernel asks for whole blocks, at offsets and in memory that are multiples of a block: Memory is so, and IsAligned tells. A file system that knows no
// such files says syscall.EINVAL, here as on systems other than Linux, and the caller goes the usual way.
//
// Source: open(2), O_DIRECT.
package direct

// BlockBytes is what offsets, lengths and memory are multiples of: the largest that disks ask for.
const BlockBytes = 4_096
