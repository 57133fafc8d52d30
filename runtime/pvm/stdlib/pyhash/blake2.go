package pyhash

import (
	"encoding/binary"
	"math/bits"
)

// BLAKE2 (RFC 7693) with all the parameters Python offers: digest size, key,
// salt, personalisation and the tree's. BLAKE2b works on 64-bit words in twelve
// rounds, BLAKE2s on 32-bit words in ten.

// blakeParameters are the fields of the parameter block.
type blakeParameters struct {
	size, key        int // bytes
	fanout, depth    int
	leaf             uint32
	offset           uint64 // 48 bits in BLAKE2s
	nodeDepth, inner int
	salt, personal   []byte
	last             bool // the last node of its layer
}

var blakeSigma = [10][16]uint8{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

var blake2bIV = [8]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
}

var blake2sIV = [8]uint32{
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
}

// blake2b is a BLAKE2b hash in progress; it is its own copy when assigned.
type blake2b struct {
	h      [8]uint64
	count  uint64 // bytes compressed; 2^64 are out of reach
	buffer [128]byte
	used   int
	size   int
	last   bool
}

func newBlake2b(size int) *blake2b {
	return blake2bOf(blakeParameters{size: size, fanout: 1, depth: 1})
}

// blake2bOf starts a hash; parameters are within their ranges.
func blake2bOf(p blakeParameters) *blake2b {
	var block [64]byte
	block[0], block[1], block[2], block[3] = byte(p.size), byte(p.key), byte(p.fanout), byte(p.depth)
	binary.LittleEndian.PutUint32(block[4:], p.leaf)
	binary.LittleEndian.PutUint64(block[8:], p.offset)
	block[16], block[17] = byte(p.nodeDepth), byte(p.inner)
	copy(block[32:48], p.salt)
	copy(block[48:64], p.personal)
	b := &blake2b{h: blake2bIV, size: p.size, last: p.last}
	for i := range b.h {
		b.h[i] ^= binary.LittleEndian.Uint64(block[8*i:])
	}
	return b
}

func (b *blake2b) write(p []byte) {
	for len(p) > 0 {
		if b.used == len(b.buffer) { // the last block must stay for the end
			b.count += uint64(b.used)
			b.compress(0)
			b.used = 0
		}
		n := copy(b.buffer[b.used:], p)
		b.used += n
		p = p[n:]
	}
}

func (b *blake2b) clone() state { c := *b; return &c }

func (b *blake2b) sum(int) []byte {
	c := *b
	clear(c.buffer[c.used:])
	c.count += uint64(c.used)
	c.compress(^uint64(0))
	var out [64]byte
	for i, w := range c.h {
		binary.LittleEndian.PutUint64(out[8*i:], w)
	}
	return append([]byte(nil), out[:c.size]...)
}

// blake2bMix is the function G (RFC 7693 §3.1).
func blake2bMix(a, b, c, d, x, y uint64) (uint64, uint64, uint64, uint64) {
	a += b + x
	d = bits.RotateLeft64(d^a, -32)
	c += d
	b = bits.RotateLeft64(b^c, -24)
	a += b + y
	d = bits.RotateLeft64(d^a, -16)
	c += d
	return a, bits.RotateLeft64(b^c, -63), c, d
}

func (b *blake2b) compress(final uint64) {
	var m [16]uint64
	for i := range m {
		m[i] = binary.LittleEndian.Uint64(b.buffer[8*i:])
	}
	v0, v1, v2, v3, v4, v5, v6, v7 := b.h[0], b.h[1], b.h[2], b.h[3], b.h[4], b.h[5], b.h[6], b.h[7]
	v8, v9, v10, v11 := blake2bIV[0], blake2bIV[1], blake2bIV[2], blake2bIV[3]
	v12, v13, v14, v15 := blake2bIV[4]^b.count, blake2bIV[5], blake2bIV[6]^final, blake2bIV[7]
	if final != 0 && b.last {
		v15 = ^v15
	}
	for r := range 12 {
		s := &blakeSigma[r%10]
		v0, v4, v8, v12 = blake2bMix(v0, v4, v8, v12, m[s[0]&15], m[s[1]&15])
		v1, v5, v9, v13 = blake2bMix(v1, v5, v9, v13, m[s[2]&15], m[s[3]&15])
		v2, v6, v10, v14 = blake2bMix(v2, v6, v10, v14, m[s[4]&15], m[s[5]&15])
		v3, v7, v11, v15 = blake2bMix(v3, v7, v11, v15, m[s[6]&15], m[s[7]&15])
		v0, v5, v10, v15 = blake2bMix(v0, v5, v10, v15, m[s[8]&15], m[s[9]&15])
		v1, v6, v11, v12 = blake2bMix(v1, v6, v11, v12, m[s[10]&15], m[s[11]&15])
		v2, v7, v8, v13 = blake2bMix(v2, v7, v8, v13, m[s[12]&15], m[s[13]&15])
		v3, v4, v9, v14 = blake2bMix(v3, v4, v9, v14, m[s[14]&15], m[s[15]&15])
	}
	b.h[0] ^= v0 ^ v8
	b.h[1] ^= v1 ^ v9
	b.h[2] ^= v2 ^ v10
	b.h[3] ^= v3 ^ v11
	b.h[4] ^= v4 ^ v12
	b.h[5] ^= v5 ^ v13
	b.h[6] ^= v6 ^ v14
	b.h[7] ^= v7 ^ v15
}

// blake2s is a BLAKE2s hash in progress.
type blake2s struct {
	h      [8]uint32
	count  uint64
	buffer [64]byte
	used   int
	size   int
	last   bool
}

func newBlake2s(size int) *blake2s {
	return blake2sOf(blakeParameters{size: size, fanout: 1, depth: 1})
}

func blake2sOf(p blakeParameters) *blake2s {
	var block [32]byte
	block[0], block[1], block[2], block[3] = byte(p.size), byte(p.key), byte(p.fanout), byte(p.depth)
	binary.LittleEndian.PutUint32(block[4:], p.leaf)
	binary.LittleEndian.PutUint64(block[8:], p.offset)
	block[14], block[15] = byte(p.nodeDepth), byte(p.inner)
	copy(block[16:24], p.salt)
	copy(block[24:32], p.personal)
	b := &blake2s{h: blake2sIV, size: p.size, last: p.last}
	for i := range b.h {
		b.h[i] ^= binary.LittleEndian.Uint32(block[4*i:])
	}
	return b
}

func (b *blake2s) write(p []byte) {
	for len(p) > 0 {
		if b.used == len(b.buffer) {
			b.count += uint64(b.used)
			b.compress(0)
			b.used = 0
		}
		n := copy(b.buffer[b.used:], p)
		b.used += n
		p = p[n:]
	}
}

func (b *blake2s) clone() state { c := *b; return &c }

func (b *blake2s) sum(int) []byte {
	c := *b
	clear(c.buffer[c.used:])
	c.count += uint64(c.used)
	c.compress(^uint32(0))
	var out [32]byte
	for i, w := range c.h {
		binary.LittleEndian.PutUint32(out[4*i:], w)
	}
	return append([]byte(nil), out[:c.size]...)
}

// blake2sMix is the function G (RFC 7693 §3.1).
func blake2sMix(a, b, c, d, x, y uint32) (uint32, uint32, uint32, uint32) {
	a += b + x
	d = bits.RotateLeft32(d^a, -16)
	c += d
	b = bits.RotateLeft32(b^c, -12)
	a += b + y
	d = bits.RotateLeft32(d^a, -8)
	c += d
	return a, bits.RotateLeft32(b^c, -7), c, d
}

func (b *blake2s) compress(final uint32) {
	var m [16]uint32
	for i := range m {
		m[i] = binary.LittleEndian.Uint32(b.buffer[4*i:])
	}
	v0, v1, v2, v3, v4, v5, v6, v7 := b.h[0], b.h[1], b.h[2], b.h[3], b.h[4], b.h[5], b.h[6], b.h[7]
	v8, v9, v10, v11 := blake2sIV[0], blake2sIV[1], blake2sIV[2], blake2sIV[3]
	v12, v13, v14, v15 := blake2sIV[4]^uint32(b.count), blake2sIV[5]^uint32(b.count>>32), blake2sIV[6]^final, blake2sIV[7]
	if final != 0 && b.last {
		v15 = ^v15
	}
	for r := range 10 {
		s := &blakeSigma[r]
		v0, v4, v8, v12 = blake2sMix(v0, v4, v8, v12, m[s[0]&15], m[s[1]&15])
		v1, v5, v9, v13 = blake2sMix(v1, v5, v9, v13, m[s[2]&15], m[s[3]&15])
		v2, v6, v10, v14 = blake2sMix(v2, v6, v10, v14, m[s[4]&15], m[s[5]&15])
		v3, v7, v11, v15 = blake2sMix(v3, v7, v11, v15, m[s[6]&15], m[s[7]&15])
		v0, v5, v10, v15 = blake2sMix(v0, v5, v10, v15, m[s[8]&15], m[s[9]&15])
		v1, v6, v11, v12 = blake2sMix(v1, v6, v11, v12, m[s[10]&15], m[s[11]&15])
		v2, v7, v8, v13 = blake2sMix(v2, v7, v8, v13, m[s[12]&15], m[s[13]&15])
		v3, v4, v9, v14 = blake2sMix(v3, v4, v9, v14, m[s[14]&15], m[s[15]&15])
	}
	b.h[0] ^= v0 ^ v8
	b.h[1] ^= v1 ^ v9
	b.h[2] ^= v2 ^ v10
	b.h[3] ^= v3 ^ v11
	b.h[4] ^= v4 ^ v12
	b.h[5] ^= v5 ^ v13
	b.h[6] ^= v6 ^ v14
	b.h[7] ^= v7 ^ v15
}
