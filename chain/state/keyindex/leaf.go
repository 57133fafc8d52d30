package keyindex

import (
	"bytes"
	"encoding/binary"
)

// LocationMax is the highest location an Index can hold: locations are kept in
// five bytes.
const LocationMax = 1<<40 - 1

const (
	locationSize = 5
	leafMax      = 64 // keys in a leaf before it splits
	leafMerge    = 44 // neighbours holding at most this many keys together are joined
	leafFew      = 16 // a leaf with fewer keys looks for a neighbour to join
	leafFill     = 56 // keys per leaf when a tree is built from sorted input
)

// leaf holds up to leafMax entries. keys is shared between versions of the leaf
// that differ only in locations; the locations lie in the leaf itself, so that
// changing one costs one copy.
type leaf struct {
	stamp uint64 // edit that created it
	keys  packed
	locs  [leafMax * locationSize]byte // big-endian
}

// packed is an immutable run of ascending keys, stored as one shared prefix and
// the suffixes:
//
//	count(2) ‖ prefix length(2) ‖ count × head(4) ‖ count × end(2) ‖ prefix ‖ suffixes
//
// A head is the first four bytes of a suffix, so that a search touches few cache
// lines; an end is the offset after a suffix, counted from the prefix.
type packed []byte

const (
	packedStart = 4
	headSize    = 4
	endSize     = 2
)

func (p packed) len() int { return int(binary.LittleEndian.Uint16(p)) }

func (p packed) prefixLen() int { return int(binary.LittleEndian.Uint16(p[2:])) }

func (p packed) head(i int) uint32 { return binary.LittleEndian.Uint32(p[packedStart+headSize*i:]) }

// end gives the offset after suffix i; -1 stands for the prefix.
func (p packed) end(i int) int {
	if i < 0 {
		return p.prefixLen()
	}
	return int(binary.LittleEndian.Uint16(p[packedStart+headSize*p.len()+endSize*i:]))
}

// data is the prefix and the suffixes.
func (p packed) data() []byte { return p[packedStart+(headSize+endSize)*p.len():] }

func (p packed) prefix() []byte { return p.data()[:p.prefixLen()] }

func (p packed) suffix(i int) []byte { return p.data()[p.end(i-1):p.end(i)] }

// appendKey appends key i to dst.
func (p packed) appendKey(dst []byte, i int) []byte {
	return append(append(dst, p.prefix()...), p.suffix(i)...)
}

// head gives the first four bytes of a suffix, zeros after its end.
func head(suffix []byte) uint32 {
	if len(suffix) >= 4 {
		return binary.BigEndian.Uint32(suffix)
	}
	h := uint32(0)
	for i := range 4 {
		h <<= 8
		if i < len(suffix) {
			h |= uint32(suffix[i])
		}
	}
	return h
}

// search gives the first position whose key is not below key, and whether that
// key is equal.
func (p packed) search(key []byte) (int, bool) {
	n := p.len()
	if common := p.prefixLen(); common > 0 {
		switch c := bytes.Compare(key[:min(len(key), common)], p.prefix()); {
		case c < 0:
			return 0, false
		case c > 0:
			return n, false
		}
		key = key[common:]
	}
	h := head(key)
	heads := p[packedStart : packedStart+headSize*n]
	low, high := 0, n
	for low < high {
		mid := int(uint(low+high) / 2)
		if binary.LittleEndian.Uint32(heads[headSize*mid:]) < h {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for ; low < n && p.head(low) == h; low++ {
		if c := bytes.Compare(p.suffix(low), key); c >= 0 {
			return low, c == 0
		}
	}
	return low, false
}

// child is the position of the only child that can hold key, when the run holds
// the separators between children.
func (p packed) child(key []byte) int {
	i, equal := p.search(key)
	if equal {
		i++
	}
	return i
}

// pack builds a packed run from n ascending keys; at(i, dst) appends key i.
func pack(n int, at func(i int, dst []byte) []byte) packed {
	if n == 0 {
		return make(packed, packedStart)
	}
	var room [2 << 10]byte
	first, last := at(0, room[:0]), at(n-1, nil)
	common := 0
	for common < len(first) && common < len(last) && first[common] == last[common] {
		common++
	}
	buf := append(room[:0], first[:common]...)
	var ends [leafMax + 1]uint16
	var heads [leafMax + 1]uint32
	for i := range n {
		start := len(buf)
		buf = at(i, buf)
		// Drop the prefix of the key just appended.
		buf = buf[:start+copy(buf[start:], buf[start+common:])]
		ends[i], heads[i] = uint16(len(buf)), head(buf[start:])
	}
	p := make(packed, 0, packedStart+(headSize+endSize)*n+len(buf))
	p = binary.LittleEndian.AppendUint16(p, uint16(n))
	p = binary.LittleEndian.AppendUint16(p, uint16(common))
	for _, h := range heads[:n] {
		p = binary.LittleEndian.AppendUint32(p, h)
	}
	for _, e := range ends[:n] {
		p = binary.LittleEndian.AppendUint16(p, e)
	}
	return append(p, buf...)
}

func (p packed) slice(from, to int) packed {
	return pack(to-from, func(i int, dst []byte) []byte { return p.appendKey(dst, from+i) })
}

func (p packed) with(at int, key []byte) packed {
	return pack(p.len()+1, func(i int, dst []byte) []byte {
		switch {
		case i < at:
			return p.appendKey(dst, i)
		case i == at:
			return append(dst, key...)
		default:
			return p.appendKey(dst, i-1)
		}
	})
}

func (p packed) without(at int) packed {
	return pack(p.len()-1, func(i int, dst []byte) []byte {
		if i >= at {
			i++
		}
		return p.appendKey(dst, i)
	})
}

func join(left, right packed) packed {
	return pack(left.len()+right.len(), func(i int, dst []byte) []byte {
		if i < left.len() {
			return left.appendKey(dst, i)
		}
		return right.appendKey(dst, i-left.len())
	})
}

func (l *leaf) len() int { return l.keys.len() }

func (l *leaf) low() []byte { return l.keys.appendKey(nil, 0) }

func (l *leaf) loc(i int) uint64 {
	b := l.locs[i*locationSize : i*locationSize+locationSize]
	return uint64(b[0])<<32 | uint64(binary.BigEndian.Uint32(b[1:]))
}

func (l *leaf) setLoc(i int, loc uint64) {
	b := l.locs[i*locationSize : i*locationSize+locationSize]
	b[0] = byte(loc >> 32)
	binary.BigEndian.PutUint32(b[1:], uint32(loc))
}

// part gives a leaf of the entries [from, to) of l.
func (l *leaf) part(stamp uint64, from, to int) *leaf {
	p := &leaf{stamp: stamp, keys: l.keys.slice(from, to)}
	copy(p.locs[:], l.locs[from*locationSize:to*locationSize])
	return p
}

// with gives a copy of l that has one more entry at position i; l is not full.
func (l *leaf) with(stamp uint64, i int, key []byte, loc uint64) *leaf {
	p := &leaf{stamp: stamp, keys: l.keys.with(i, key)}
	copy(p.locs[:], l.locs[:i*locationSize])
	copy(p.locs[(i+1)*locationSize:], l.locs[i*locationSize:])
	p.setLoc(i, loc)
	return p
}

// without gives a copy of l that lacks entry i.
func (l *leaf) without(stamp uint64, i int) *leaf {
	p := &leaf{stamp: stamp, keys: l.keys.without(i)}
	copy(p.locs[:], l.locs[:i*locationSize])
	copy(p.locs[i*locationSize:], l.locs[(i+1)*locationSize:])
	return p
}

// joined gives a leaf of the entries of two neighbours, which fit in one.
func joined(stamp uint64, left, right *leaf) *leaf {
	p := &leaf{stamp: stamp, keys: join(left.keys, right.keys)}
	n := copy(p.locs[:], left.locs[:left.len()*locationSize])
	copy(p.locs[n:], right.locs[:right.len()*locationSize])
	return p
}
