package codec

import "encoding/binary"

// AppendUint appends the minimal LEB128 varint of v: groups of seven bits, least
// significant first, the high bit meaning "more". 1 to 10 bytes.
// Spec: WP §2.5; commonware §1.1.
func AppendUint(dst []byte, v uint64) []byte { return binary.AppendUvarint(dst, v) }

// AppendInt appends the ZigZag form of v as a varint.
// Spec: commonware §1.1.
func AppendInt(dst []byte, v int64) []byte {
	return AppendUint(dst, uint64(v)<<1^uint64(v>>63))
}

// AppendU8 appends one byte.
func AppendU8(dst []byte, v uint8) []byte { return append(dst, v) }

// AppendU16 appends two bytes, big-endian.
func AppendU16(dst []byte, v uint16) []byte { return binary.BigEndian.AppendUint16(dst, v) }

// AppendU32 appends four bytes, big-endian.
func AppendU32(dst []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(dst, v) }

// AppendU64 appends eight bytes, big-endian.
func AppendU64(dst []byte, v uint64) []byte { return binary.BigEndian.AppendUint64(dst, v) }

// AppendBool appends 00 or 01. An Option's tag is the same byte: AppendBool for
// presence, then the value if present.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// AppendFixed appends raw bytes whose length the type fixes: addresses, hashes,
// keys, signatures.
func AppendFixed(dst, v []byte) []byte { return append(dst, v...) }

// AppendBytes appends a varint length and then v. Lengths are a u32 on the wire:
// a longer value is a bug in the caller, which has limits far below, and panics.
// Spec: commonware §1.1.
func AppendBytes(dst, v []byte) []byte {
	return append(AppendLen(dst, len(v)), v...)
}

// AppendLen appends the count of a collection whose elements follow.
func AppendLen(dst []byte, n int) []byte {
	if n < 0 || uint64(n) > maxLen {
		panic("codec: length outside u32")
	}
	return AppendUint(dst, uint64(n))
}

// AppendOptionUint appends an Option<UInt>: 00, or 01 and the varint.
func AppendOptionUint(dst []byte, v *uint64) []byte {
	if v == nil {
		return append(dst, 0)
	}
	return AppendUint(append(dst, 1), *v)
}

// UintSize is the number of bytes AppendUint adds for v.
func UintSize(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

// maxLen is the largest length the encoding can carry (2³²−1).
const maxLen = 1<<32 - 1
