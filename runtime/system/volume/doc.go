// Package volume is the chapter of the Storage Manager at 0x0A: volumes are created, committed to, granted, paid for, transferred and deleted. The rules are
// package chain/volume's; the coins lie at 0x0B.
//
// Spec: storage-cbfs §2, §3.1, §4; WP §7, §9 (0x0A).
package volume
