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

// with gives a run that has key at position at too. A key behind the shared prefix is put between copies of what is there; any other changes the
// prefix, and the run is packed anew.
func (p packed) with(at int, key []byte) packed {
	common, n := p.prefixLen(), p.len()
	if n == 0 || len(key) < common || !bytes.Equal(key[:common], p.prefix()) {
		return pack(n+1, func(i int, dst []byte) []byte {
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
	suffix := key[common:]
	heads, ends, data, cut := p[packedStart:], p[packedStart+headSize*n:], p.data(), p.end(at-1)
	q := make(packed, 0, len(p)+headSize+endSize+len(suffix))
	q = binary.LittleEndian.AppendUint16(q, uint16(n+1))
	q = append(q, p[2:packedStart]...)
	q = append(q, heads[:headSize*at]...)
	q = binary.LittleEndian.AppendUint32(q, head(suffix))
	q = append(q, heads[headSize*at:headSize*n]...)
	q = append(q, ends[:endSize*at]...)
	q = binary.LittleEndian.AppendUint16(q, uint16(cut+len(suffix)))
	for i := at; i < n; i++ {
		q = binary.LittleEndian.AppendUint16(q, binary.LittleEndian.Uint16(ends[endSize*i:])+uint16(len(suffix)))
	}
	q = append(q, data[:cut]...)
	q = append(q, suffix...)
	return append(q, data[cut:]...)
}

// without gives a run that lacks key at. If what is left shares a longer prefix, which it can only when the first or the last key goes, the
// run is packed anew.
func (p packed) without(at int) packed {
	n := p.len()
	if (at == 0 || at == n-1) && p.sharesMore(at) {
		return pack(n-1, func(i int, dst []byte) []byte {
			if i >= at {
				i++
			}
			return p.appendKey(dst, i)
		})
	}
	heads, ends, data := p[packedStart:], p[packedStart+headSize*n:], p.data()
	from, to := p.end(at-1), p.end(at)
	q := make(packed, 0, len(p)-headSize-endSize-(to-from))
	q = binary.LittleEndian.AppendUint16(q, uint16(n-1))
	q = append(q, p[2:packedStart]...)
	q = append(q, heads[:headSize*at]...)
	q = append(q, heads[headSize*(at+1):headSize*n]...)
	q = append(q, ends[:endSize*at]...)
	for i := at + 1; i < n; i++ {
		q = binary.LittleEndian.AppendUint16(q, binary.LittleEndian.Uint16(ends[endSize*i:])-uint16(to-from))
	}
	q = append(q, data[:from]...)
	return append(q, data[to:]...)
}

// sharesMore reports whether the keys have a longer prefix, or there are fewer than two, once the first or the last one, at, is gone.
func (p packed) sharesMore(at int) bool {
	first, last := 0, p.len()-1
	if at == first {
		first++
	} else {
		last--
	}
	if first >= last {
		return true
	}
	a, b := p.suffix(first), p.suffix(last)
	return len(a) > 0 && a[0] == b[0] // the last key is above the first, so its suffix is not empty
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

// with gives l, or a copy of it if it belongs to another edit, with one more entry at position i; l is not full.
func (l *leaf) with(stamp uint64, i int, key []byte, loc uint64) *leaf {
	p := l.owned(stamp)
	p.keys = l.keys.with(i, key)
	n := p.len()
	copy(p.locs[(i+1)*locationSize:n*locationSize], p.locs[i*locationSize:(n-1)*locationSize])
	p.setLoc(i, loc)
	return p
}

// without gives l, or a copy of it if it belongs to another edit, without entry i.
func (l *leaf) without(stamp uint64, i int) *leaf {
	p := l.owned(stamp)
	n := p.len()
	p.keys = l.keys.without(i)
	copy(p.locs[i*locationSize:], p.locs[(i+1)*locationSize:n*locationSize])
	return p
}

// owned gives l itself if it belongs to the edit, else a copy that does.
func (l *leaf) owned(stamp uint64) *leaf {
	if l.stamp == stamp {
		return l
	}
	own := new(leaf)
	*own = *l
	own.stamp = stamp
	return own
}

// joined gives a leaf of the entries of two neighbours, which fit in one.
func joined(stamp uint64, left, right *leaf) *leaf {
	p := &leaf{stamp: stamp, keys: join(left.keys, right.keys)}
	n := copy(p.locs[:], left.locs[:left.len()*locationSize])
	copy(p.locs[n:], right.locs[:right.len()*locationSize])
	return p
}
