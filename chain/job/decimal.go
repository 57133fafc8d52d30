package job

import (
	"errors"
	"math/big"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Decimal is a number with nine places behind the point: an integer of 128 bits in two's complement, scaled by 10⁹. Values may be compared with ==.
//
// Spec: WP §2.5 (no floats); runner-marketplace §2.2 (rec).
type Decimal struct{ Hi, Lo uint64 }

// places is how many digits a Decimal has behind its point.
const places = 9

// decimalSize is its size in an encoding, in bytes.
const decimalSize = 16

// errDecimal reports a text or number that is no Decimal.
var errDecimal = errors.New("a decimal has at most nine digits behind its point, and 128 bits in all")

// scaled gives the Decimal of an integer that is scaled already.
func scaled(n *big.Int) (Decimal, error) {
	most := n
	if n.Sign() < 0 {
		most = new(big.Int).Not(n) // −n − 1, which fits when n does
	}
	if most.BitLen() >= 8*decimalSize {
		return Decimal{}, errDecimal
	}
	abs, _ := unit.Uint128FromInt(new(big.Int).Abs(n))
	if n.Sign() >= 0 {
		return Decimal{abs.Hi, abs.Lo}, nil
	}
	lo := -abs.Lo
	hi := ^abs.Hi
	if lo == 0 {
		hi++
	}
	return Decimal{hi, lo}, nil
}

// Scaled is the number times 10⁹.
func (d Decimal) Scaled() *big.Int {
	n := unit.Uint128(d).Int()
	if d.Hi>>63 == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 8*decimalSize))
	}
	return n
}

// Cmp gives -1, 0 or 1 as d is less than, equal to, or greater than e.
func (d Decimal) Cmp(e Decimal) int {
	const sign = 1 << 63
	return unit.Uint128{Hi: d.Hi ^ sign, Lo: d.Lo}.Cmp(unit.Uint128{Hi: e.Hi ^ sign, Lo: e.Lo})
}

// ParseDecimal reads digits with an optional sign, and an optional point with one to nine digits behind it.
func ParseDecimal(text string) (Decimal, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, part, point := strings.Cut(digits, ".")
	if whole == "" || point && part == "" || len(part) > places || len(whole) > 40 || !isDigits(whole) || !isDigits(part) {
		return Decimal{}, errDecimal
	}
	n, _ := new(big.Int).SetString(whole+part+strings.Repeat("0", places-len(part)), 10)
	if negative {
		n.Neg(n)
	}
	return scaled(n)
}

func isDigits(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < '0' || c > '9' })
}

// String is the shortest text that ParseDecimal reads as d.
func (d Decimal) String() string {
	n := d.Scaled()
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	text := n.Abs(n).String()
	if len(text) <= places {
		text = strings.Repeat("0", places+1-len(text)) + text
	}
	at := len(text) - places
	return strings.TrimSuffix(strings.TrimRight(sign+text[:at]+"."+text[at:], "0"), ".")
}

// decimalOf reads a value of a form: a text, an integer, or a float, which is rounded to the nearest, of two equally near ones to the even.
func decimalOf(v any) (Decimal, error) {
	switch x := v.(type) {
	case string:
		return ParseDecimal(x)
	case number:
		return ParseDecimal(string(x))
	case int64:
		return scaled(new(big.Int).Mul(big.NewInt(x), unitsOf()))
	case *big.Int:
		return scaled(new(big.Int).Mul(x, unitsOf()))
	case cbor.Float:
		return decimalOfFloat(uint64(x))
	}
	return Decimal{}, errDecimal
}

func unitsOf() *big.Int { return big.NewInt(1_000_000_000) }

// decimalOfFloat takes an IEEE 754 double apart: its value is an integer times a power of two.
func decimalOfFloat(bits uint64) (Decimal, error) {
	const fraction, exponents = 52, 0x7ff
	exponent, mantissa := int(bits>>fraction&exponents), bits&(1<<fraction-1)
	switch exponent {
	case exponents:
		return Decimal{}, errDecimal
	case 0:
		exponent = 1
	default:
		mantissa |= 1 << fraction
	}
	n := new(big.Int).Mul(new(big.Int).SetUint64(mantissa), unitsOf())
	shift := exponent - 1_075
	switch {
	case shift > 8*decimalSize:
		return Decimal{}, errDecimal
	case shift >= 0:
		n.Lsh(n, uint(shift))
	default:
		n = halfEven(n, uint(-shift))
	}
	if bits>>63 == 1 {
		n.Neg(n)
	}
	return scaled(n)
}

// halfEven is n / 2^shift, rounded to the nearest and from the middle to the even.
func halfEven(n *big.Int, shift uint) *big.Int {
	whole := new(big.Int).Rsh(n, shift)
	rest := new(big.Int).Sub(n, new(big.Int).Lsh(whole, shift))
	switch c := rest.Cmp(new(big.Int).Lsh(big.NewInt(1), shift-1)); {
	case c > 0, c == 0 && whole.Bit(0) == 1:
		whole.Add(whole, big.NewInt(1))
	}
	return whole
}

// Append appends the number in 16 bytes, big-endian two's complement.
func (d Decimal) Append(dst []byte) []byte { return unit.Uint128(d).AppendBig(dst) }

func readDecimal(r *codec.Reader) Decimal {
	var raw [decimalSize]byte
	r.Into(raw[:])
	return Decimal(unit.Uint128FromBig(raw))
}
