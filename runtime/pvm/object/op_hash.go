package object

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Hashes are CPython 3.11's on a 64-bit machine with PYTHONHASHSEED=0: SipHash
// 1-3 under a zero key for text and bytes, residues modulo 2^61-1 for numbers,
// and xxHash-like mixing for tuples.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (PYTHONHASHSEED fixed to 0).
const hashModulus = 1<<61 - 1

// hashInt returns the hash of an int that fits 64 bits.
func hashInt(i int64) int64 {
	if i >= 0 {
		return int64(uint64(i) % hashModulus)
	}
	h := -int64((-uint64(i)) % hashModulus)
	if h == -1 {
		return -2
	}
	return h
}

func hashBig(b *big.Int) int64 {
	var r uint64
	words := b.Bits()
	for i := len(words) - 1; i >= 0; i-- {
		hi, lo := r, uint64(words[i])
		if bits.UintSize == 32 {
			hi, lo = r>>32, r<<32|lo
		}
		r = bits.Rem64(hi, lo, hashModulus)
	}
	h := int64(r)
	if b.Sign() < 0 {
		h = -h
	}
	if h == -1 {
		return -2
	}
	return h
}

// floatHashCost is the price of the hash of a float.
const floatHashCost = 4

// hashFloat follows CPython's _Py_HashDouble on the encoding: the value as a
// fraction modulo 2^61-1. NaNs hash by identity in CPython; here they hash to 0,
// since a float has no identity.
func hashFloat(f uint64) int64 {
	switch {
	case softfloat.IsInf(f):
		if softfloat.SignBit(f) {
			return -314159
		}
		return 314159
	case softfloat.IsNaN(f), softfloat.IsZero(f):
		return 0
	}
	frac := f & (1<<52 - 1)
	exp := int(f>>52) & 0x7ff
	if exp == 0 {
		exp = 1
	} else {
		frac |= 1 << 52
	}
	e := (exp - 1075) % 61
	if e < 0 {
		e += 61
	}
	h := frac % hashModulus
	h = (h<<uint(e))&hashModulus | h>>(61-uint(e))
	if h == hashModulus {
		h = 0
	}
	r := int64(h)
	if softfloat.SignBit(f) {
		r = -r
	}
	if r == -1 {
		return -2
	}
	return r
}

// hashString hashes the text as CPython stores it: one, two or four bytes for
// each code point, by the largest of them.
func hashString(s *Str) int64 {
	if s.n == len(s.s) {
		return HashBytes(s.Bytes())
	}
	var runes []rune
	if s.more != nil {
		runes = s.more.runes
	}
	if runes == nil {
		runes = decode(s.s, s.n)
	}
	var most rune
	for _, r := range runes {
		most = max(most, r)
	}
	var buf []byte
	switch {
	case most < 1<<8:
		buf = make([]byte, len(runes))
		for i, r := range runes {
			buf[i] = byte(r)
		}
	case most < 1<<16:
		buf = make([]byte, 2*len(runes))
		for i, r := range runes {
			binary.LittleEndian.PutUint16(buf[2*i:], uint16(r))
		}
	default:
		buf = make([]byte, 4*len(runes))
		for i, r := range runes {
			binary.LittleEndian.PutUint32(buf[4*i:], uint32(r))
		}
	}
	return HashBytes(buf)
}

// hashChars is how many characters of an ASCII text are hashed for a cycle; wideHashCost is the price of a character of another text, which
// is decoded for it.
const (
	hashChars    = 8
	wideHashCost = 4
)

// hashStr returns the hash of a string and charges for computing it where the text is longer than what looking it up includes.
func (m *Machine) hashStr(s *Str) (int64, *Exception) {
	if s.hash == 0 && len(s.s) > longText {
		n := wideHashCost * s.n
		if s.ASCII() {
			n = s.n / hashChars
		}
		if e := m.Charge(n); e != nil {
			return 0, e
		}
	}
	return s.hashOf(), nil
}

// HashBytes returns the hash of a byte string.
func HashBytes(b []byte) int64 {
	if len(b) == 0 {
		return 0
	}
	h := int64(siphash13(b))
	if h == -1 {
		return -2
	}
	return h
}

// siphash13 is SipHash with one compression and three finalisation rounds and a
// zero key.
func siphash13(b []byte) uint64 {
	v0, v1 := uint64(0x736f6d6570736575), uint64(0x646f72616e646f6d)
	v2, v3 := uint64(0x6c7967656e657261), uint64(0x7465646279746573)
	last := uint64(len(b)) << 56
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		v3 ^= w
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0 ^= w
		b = b[8:]
	}
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	v3 ^= last
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xff
	for range 3 {
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v2 += v3
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v1
	v0 += v3
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}

// tupleHash accumulates the hashes of a tuple's elements.
type tupleHash struct {
	acc uint64
	n   uint64
}

const (
	xxPrime1 = 11400714785074694791
	xxPrime2 = 14029467366897019727
	xxPrime5 = 2870177450012600261
)

func newTupleHash() tupleHash { return tupleHash{acc: xxPrime5} }

func (t *tupleHash) add(h int64) {
	t.acc += uint64(h) * xxPrime2
	t.acc = bits.RotateLeft64(t.acc, 31) * xxPrime1
	t.n++
}

func (t *tupleHash) sum() int64 {
	t.acc += t.n ^ (xxPrime5 ^ 3527539)
	if t.acc == ^uint64(0) {
		return 1546275796
	}
	return int64(t.acc)
}

// Hash returns hash(v).
func (m *Machine) Hash(v Value) (int64, *Exception) {
	switch v.ref.kind {
	case KindStr:
		return m.hashStr(v.str())
	case KindInt, KindBool:
		return hashInt(int64(v.bits)), nil
	case KindFloat:
		m.meter.Owe(floatHashCost)
		return hashFloat(v.bits), nil
	}
	t := v.ref.typ
	if t.Hash == nil {
		return 0, m.TypeError("unhashable type: '%s'", t.Name)
	}
	return t.Hash(m, v)
}
