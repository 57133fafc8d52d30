package text

import (
	"slices"
	"sort"
)

func sortRunes(s []rune) { slices.Sort(s) }

func hasSorted(s []rune, r rune) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i] >= r })
	return i < len(s) && s[i] == r
}

// UpperASCII appends s to dst with ASCII letters in upper case; other bytes stay (bytes.upper, and str.upper of ASCII
// text).
func UpperASCII(dst, s []byte) []byte { return mapASCII(dst, s, upperTable) }

// LowerASCII appends s to dst with ASCII letters in lower case.
func LowerASCII(dst, s []byte) []byte { return mapASCII(dst, s, lowerTable) }

// SwapASCII appends s to dst with the case of ASCII letters exchanged.
func SwapASCII(dst, s []byte) []byte { return mapASCII(dst, s, swapTable) }

// What the bytes from '@' to 0x7F become; the other bytes stay.
const (
	upperTable = "@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`ABCDEFGHIJKLMNOPQRSTUVWXYZ{|}~\x7f"
	lowerTable = "@abcdefghijklmnopqrstuvwxyz[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7f"
	swapTable  = "@abcdefghijklmnopqrstuvwxyz[\\]^_`ABCDEFGHIJKLMNOPQRSTUVWXYZ{|}~\x7f"
)

func mapASCII(dst, s []byte, table string) []byte {
	at := len(dst)
	dst = append(dst, s...)
	out := dst[at:]
	for i, c := range out {
		if k := c - '@'; int(k) < len(table) {
			out[i] = table[k]
		}
	}
	return dst
}

// CapitalizeASCII appends s to dst with its first byte in upper case and the others in lower case.
func CapitalizeASCII(dst, s []byte) []byte {
	if len(s) == 0 {
		return dst
	}
	return LowerASCII(UpperASCII(dst, s[:1]), s[1:])
}

// TitleASCII appends s to dst with every run of ASCII letters capitalised.
func TitleASCII(dst, s []byte) []byte {
	inside := false
	for _, c := range s {
		letter := isLetterASCII(c)
		switch {
		case letter && inside:
			c |= 0x20
		case letter:
			c &^= 0x20
		}
		inside = letter
		dst = append(dst, c)
	}
	return dst
}

func isLetterASCII(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// Upper answers s in upper case, by full case mapping.
func Upper(s []rune) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		out = AppendUpper(out, r)
	}
	return out
}

// Lower answers s in lower case, by full case mapping with the rule for final sigma.
func Lower(s []rune) []rune {
	out := make([]rune, 0, len(s))
	for i := range s {
		out = AppendLower(out, s, i)
	}
	return out
}

// Fold answers s folded for caseless comparison.
func Fold(s []rune) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		out = AppendFold(out, r)
	}
	return out
}

// SwapCase answers s with upper case made lower and lower case made upper.
func SwapCase(s []rune) []rune {
	out := make([]rune, 0, len(s))
	for i, r := range s {
		switch {
		case IsUpper(r):
			out = AppendLower(out, s, i)
		case IsLower(r):
			out = AppendUpper(out, r)
		default:
			out = append(out, r)
		}
	}
	return out
}

// Capitalize answers s with its first character in title case and the others in lower case.
func Capitalize(s []rune) []rune {
	out := make([]rune, 0, len(s))
	for i, r := range s {
		if i == 0 {
			out = AppendTitle(out, r)
		} else {
			out = AppendLower(out, s, i)
		}
	}
	return out
}

// Title answers s with every run of cased characters in title case, then lower case.
func Title(s []rune) []rune {
	out := make([]rune, 0, len(s))
	inside := false
	for i, r := range s {
		if inside {
			out = AppendLower(out, s, i)
		} else {
			out = AppendTitle(out, r)
		}
		inside = IsCased(r)
	}
	return out
}

// All reports whether s is not empty and every unit satisfies the predicate (str.isalpha and its relatives).
func All[T Unit](s []T, is func(rune) bool) bool {
	for _, u := range s {
		if !is(rune(u)) {
			return false
		}
	}
	return len(s) > 0
}

// IsLowerText reports whether s holds a cased character and all of them are lower case.
func IsLowerText[T Unit](s []T) bool {
	cased := false
	for _, u := range s {
		f := flags(rune(u))
		if f&flagUpper != 0 || f&flagCased != 0 && f&flagLower == 0 {
			return false
		}
		cased = cased || f&flagLower != 0
	}
	return cased
}

// IsUpperText reports whether s holds a cased character and all of them are upper case.
func IsUpperText[T Unit](s []T) bool {
	cased := false
	for _, u := range s {
		f := flags(rune(u))
		if f&flagLower != 0 || f&flagCased != 0 && f&flagUpper == 0 {
			return false
		}
		cased = cased || f&flagUpper != 0
	}
	return cased
}

// IsTitleText reports whether s holds a cased character, upper- and title-case ones follow uncased ones only, and
// lower-case ones follow cased ones only.
func IsTitleText[T Unit](s []T) bool {
	cased, inside := false, false
	for _, u := range s {
		r := rune(u)
		f := flags(r)
		switch {
		case f&flagUpper != 0 || r >= 0x80 && IsTitle(r):
			if inside {
				return false
			}
			inside, cased = true, true
		case f&flagLower != 0:
			if !inside {
				return false
			}
			cased = true
		default:
			inside = false
		}
	}
	return cased
}
