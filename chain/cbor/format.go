package cbor

import (
	"errors"
	"math/big"
)

const (
	// MaxDepth is how many arrays and maps may nest. Spec: sdk §15 (rec. 64).
	MaxDepth = 64
	// MaxIntBits is the largest bit length of an integer's magnitude. Spec: sdk §15; CIP-3 §2.2 (4,096 bits).
	MaxIntBits = 4096
	// NaN is the bit pattern of the only NaN. Spec: sdk §15 (rec. one bit pattern).
	NaN uint64 = 0x7FF8000000000000
)

// The errors of Encoder and Decode. An Encoder answers ErrDepth, ErrLimit, ErrText, ErrIntSize, ErrKey and ErrDuplicate;
// Decode answers all but ErrLimit, and the errors of its Builder.
var (
	ErrTruncated  = errors.New("cbor: input ends inside a value")
	ErrTrailing   = errors.New("cbor: bytes after the value")
	ErrHead       = errors.New("cbor: reserved head")
	ErrIndefinite = errors.New("cbor: indefinite length")
	ErrShortest   = errors.New("cbor: number not in its shortest form")
	ErrTag        = errors.New("cbor: tag not allowed")
	ErrSimple     = errors.New("cbor: simple value not allowed")
	ErrFloat      = errors.New("cbor: float not in canonical form")
	ErrText       = errors.New("cbor: text not valid UTF-8")
	ErrDepth      = errors.New("cbor: nested too deep")
	ErrIntSize    = errors.New("cbor: integer too large")
	ErrKey        = errors.New("cbor: key is not an integer, byte string or text string")
	ErrOrder      = errors.New("cbor: keys not in order")
	ErrDuplicate  = errors.New("cbor: key occurs twice")
	ErrLimit      = errors.New("cbor: encoding exceeds its limit")
)

// Major types of RFC 8949 §3.1, in the upper three bits of a head.
const (
	majorUint   = 0 << 5
	majorNegInt = 1 << 5
	majorBytes  = 2 << 5
	majorText   = 3 << 5
	majorArray  = 4 << 5
	majorMap    = 5 << 5
	majorTag    = 6 << 5
	majorSimple = 7 << 5
)

// Heads that mean one thing only.
const (
	headFalse  = 0xF4
	headTrue   = 0xF5
	headNull   = 0xF6
	headDouble = 0xFB
	headPosBig = 0xC2
	headNegBig = 0xC3
)

// Arguments of a head: below 24 the value itself, 24 to 27 the value in 1, 2, 4 or 8 bytes, 31 an indefinite length.
const (
	argument8          = 24
	argument64         = 27
	argumentIndefinite = 31
)

// isNaN reports whether a double is a NaN of any kind.
func isNaN(bits uint64) bool { return bits&^(1<<63) > 0x7FF0000000000000 }

// tooLarge reports whether an integer exceeds MaxIntBits.
func tooLarge(i *big.Int) bool { return i.BitLen() > MaxIntBits }
