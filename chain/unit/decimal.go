package unit

import (
	"errors"
	"strconv"
	"strings"
)

// ErrDecimal reports a text that is not a plain decimal number of CBY with at
// most nine places.
var ErrDecimal = errors.New("unit: not a decimal CBY amount")

// decimals is the number of decimal places of one CBY.
const decimals = 9

// ParseCBY reads a decimal number of CBY such as "5000", "0.5" or "1.000000001"
// and gives base units. It refuses signs, exponents, separators, a missing
// digit on either side of the point, and more than nine places (ErrDecimal),
// and values above 2⁶⁴−1 base units (ErrOverflow). Edges of the system use it;
// rules only ever see base units. Spec: tokens §1.
func ParseCBY(text string) (Amount, error) {
	whole, frac, point := strings.Cut(text, ".")
	if !digits(whole) || (point && !digits(frac)) || len(frac) > decimals {
		return 0, ErrDecimal
	}
	coins, err := strconv.ParseUint(whole, 10, 64)
	if err != nil {
		return 0, ErrOverflow
	}
	base, err := CBY.Mul(coins)
	if err != nil {
		return 0, err
	}
	if frac == "" {
		return base, nil
	}
	rest, err := strconv.ParseUint(frac+strings.Repeat("0", decimals-len(frac)), 10, 64)
	if err != nil {
		return 0, ErrDecimal
	}
	return base.Add(Amount(rest))
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// CBY is the shortest decimal number of coins equal to a, for example "5000" or
// "0.5", without a unit. ParseCBY reads it back exactly.
func (a Amount) CBY() string {
	whole := strconv.FormatUint(uint64(a/CBY), 10)
	rest := uint64(a % CBY)
	if rest == 0 {
		return whole
	}
	frac := strconv.FormatUint(rest, 10)
	frac = strings.Repeat("0", decimals-len(frac)) + frac
	return whole + "." + strings.TrimRight(frac, "0")
}
