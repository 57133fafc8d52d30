package unit

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/big"
	"math/bits"
)

// Uint128 is an integer from 0 to 2¹²⁸−1: a quantity of a token in its smallest units. The zero value is 0; values may be compared with ==.
// Spec: tokens §2 (amounts are u128).
type Uint128 struct{ Hi, Lo uint64 }

// Uint128Size is its size in an encoding, in bytes.
const Uint128Size = 16

// ErrInteger reports a text that is not a decimal number from 0 to 2¹²⁸−1.
var ErrInteger = errors.New("unit: not a decimal number of at most 128 bits")

// Wide gives the Uint128 of a uint64.
func Wide(n uint64) Uint128 { return Uint128{Lo: n} }

// IsZero reports whether a is 0.
func (a Uint128) IsZero() bool { return a == Uint128{} }

// Cmp gives -1, 0 or 1 as a is less than, equal to, or greater than b.
func (a Uint128) Cmp(b Uint128) int { return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo)) }

// Add gives a+b, or ErrOverflow.
func (a Uint128) Add(b Uint128) (Uint128, error) {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, over := bits.Add64(a.Hi, b.Hi, carry)
	if over != 0 {
		return Uint128{}, ErrOverflow
	}
	return Uint128{hi, lo}, nil
}

// Sub gives a−b, or ErrUnderflow.
func (a Uint128) Sub(b Uint128) (Uint128, error) {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	hi, under := bits.Sub64(a.Hi, b.Hi, borrow)
	if under != 0 {
		return Uint128{}, ErrUnderflow
	}
	return Uint128{hi, lo}, nil
}

// AppendBig appends a in 16 bytes, big-endian.
func (a Uint128) AppendBig(dst []byte) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, a.Hi), a.Lo)
}

// AppendLittle appends a in 16 bytes, little-endian, as events of tokens have it.
func (a Uint128) AppendLittle(dst []byte) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, a.Lo), a.Hi)
}

// Uint128FromBig reads what AppendBig wrote.
func Uint128FromBig(b [Uint128Size]byte) Uint128 {
	return Uint128{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}
}

// Int gives a as an integer of any size.
func (a Uint128) Int() *big.Int { return new(big.Int).SetBytes(a.AppendBig(nil)) }

// Uint128FromInt gives an integer of any size as a Uint128; ok is false outside of 0 to 2¹²⁸−1.
func Uint128FromInt(n *big.Int) (a Uint128, ok bool) {
	if n.Sign() < 0 || n.BitLen() > 8*Uint128Size {
		return Uint128{}, false
	}
	var b [Uint128Size]byte
	n.FillBytes(b[:])
	return Uint128FromBig(b), true
}

// String is a in decimal digits.
func (a Uint128) String() string { return a.Int().String() }

// maxDigits is how many decimal digits 2¹²⁸−1 has.
const maxDigits = 39

// ParseUint128 reads decimal digits. Signs, separators, spaces and superfluous zeros in front are refused (ErrInteger).
func ParseUint128(text string) (Uint128, error) {
	if !digits(text) || len(text) > maxDigits || len(text) > 1 && text[0] == '0' {
		return Uint128{}, ErrInteger
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return Uint128{}, ErrInteger
	}
	a, ok := Uint128FromInt(n)
	if !ok {
		return Uint128{}, ErrInteger
	}
	return a, nil
}

// MarshalText is String: JSON has it as text, since its numbers are not exact that far.
func (a Uint128) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText is ParseUint128.
func (a *Uint128) UnmarshalText(text []byte) (err error) {
	*a, err = ParseUint128(string(text))
	return err
}
