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

// leaf holds up to leafMax entries. packed is shared between versions of the
// leaf that differ only in locations.
type leaf struct {
	stamp  uint64 // edit that created it
	packed *packed
	locs   []byte // locationSize bytes per key, big-endian
}

// packed is an immutable run of ascending keys stored as one shared prefix and
// the suffixes. ends[i] is the end of suffix i in data; the first starts after
// the prefix. heads holds the first bytes of every suffix, so that a search
// touches few cache lines.
type packed struct {
	data   []byte
	ends   []uint16
	heads  []uint32
	prefix int
}

func (p *packed) len() int { return len(p.ends) }

func (p *packed) suffix(i int) []byte {
	start := p.prefix
	if i > 0 {
		start = int(p.ends[i-1])
	}
	return p.data[start:p.ends[i]]
}

// appendKey appends key i to dst.
func (p *packed) appendKey(dst []byte, i int) []byte {
	return append(append(dst, p.data[:p.prefix]...), p.suffix(i)...)
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
func (p *packed) search(key []byte) (int, bool) {
	if p.prefix > 0 {
		start := key[:min(len(key), p.prefix)]
		switch c := bytes.Compare(start, p.data[:p.prefix]); {
		case c < 0:
			return 0, false
		case c > 0:
			return p.len(), false
		}
		key = key[p.prefix:]
	}
	h := head(key)
	low, high := 0, len(p.heads)
	for low < high {
		mid := int(uint(low+high) / 2)
		if p.heads[mid] < h {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for ; low < len(p.heads) && p.heads[low] == h; low++ {
		if c := bytes.Compare(p.suffix(low), key); c >= 0 {
			return low, c == 0
		}
	}
	return low, false
}

// child is the position of the only child that can hold key, when the run holds
// the separators between children.
func (p *packed) child(key []byte) int {
	i, equal := p.search(key)
	if equal {
		i++
	}
	return i
}

// pack builds a packed run from n ascending keys; at(i, dst) appends key i.
func pack(n int, at func(i int, dst []byte) []byte) *packed {
	p := &packed{ends: make([]uint16, n), heads: make([]uint32, n)}
	if n == 0 {
		return p
	}
	first := at(0, nil)
	last := at(n-1, nil)
	for p.prefix < len(first) && p.prefix < len(last) && first[p.prefix] == last[p.prefix] {
		p.prefix++
	}
	buf := append(make([]byte, 0, 2<<10), first[:p.prefix]...)
	for i := range n {
		start := len(buf)
		buf = at(i, buf)
		// Drop the prefix of the key just appended.
		buf = buf[:start+copy(buf[start:], buf[start+p.prefix:])]
		p.ends[i] = uint16(len(buf))
		p.heads[i] = head(buf[start:])
	}
	p.data = append(make([]byte, 0, len(buf)), buf...)
	return p
}

func (p *packed) slice(from, to int) *packed {
	return pack(to-from, func(i int, dst []byte) []byte { return p.appendKey(dst, from+i) })
}

func (p *packed) with(at int, key []byte) *packed {
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

func (p *packed) without(at int) *packed {
	return pack(p.len()-1, func(i int, dst []byte) []byte {
		if i >= at {
			i++
		}
		return p.appendKey(dst, i)
	})
}

func join(left, right *packed) *packed {
	return pack(left.len()+right.len(), func(i int, dst []byte) []byte {
		if i < left.len() {
			return left.appendKey(dst, i)
		}
		return right.appendKey(dst, i-left.len())
	})
}

func (l *leaf) len() int { return len(l.packed.ends) }

func (l *leaf) low() []byte { return l.packed.appendKey(nil, 0) }

func (l *leaf) loc(i int) uint64 {
	b := l.locs[i*locationSize : i*locationSize+locationSize]
	return uint64(b[0])<<32 | uint64(binary.BigEndian.Uint32(b[1:]))
}

func putLoc(locs []byte, i int, loc uint64) {
	b := locs[i*locationSize : i*locationSize+locationSize]
	b[0] = byte(loc >> 32)
	binary.BigEndian.PutUint32(b[1:], uint32(loc))
}

// insertLoc gives a fresh copy of locs with loc at position i.
func insertLoc(locs []byte, i int, loc uint64) []byte {
	out := make([]byte, len(locs)+locationSize)
	copy(out, locs[:i*locationSize])
	putLoc(out, i, loc)
	copy(out[(i+1)*locationSize:], locs[i*locationSize:])
	return out
}

// removeLoc gives a fresh copy of locs without position i.
func removeLoc(locs []byte, i int) []byte {
	out := make([]byte, 0, len(locs)-locationSize)
	out = append(out, locs[:i*locationSize]...)
	return append(out, locs[(i+1)*locationSize:]...)
}
