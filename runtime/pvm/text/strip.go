package text

// Sides of a text to strip.
type Sides uint8

// Which ends Strip works on.
const (
	LeftSide  Sides = 1
	RightSide Sides = 2
	BothSides Sides = 3
)

// StripSpace answers the part of s without white space at the chosen ends.
func StripSpace[T Unit](s []T, sides Sides, k Rules) (start, end int) {
	end = len(s)
	if sides&LeftSide != 0 {
		for start < end && k.IsSpace(rune(s[start])) {
			start++
		}
	}
	if sides&RightSide != 0 {
		for end > start && k.IsSpace(rune(s[end-1])) {
			end--
		}
	}
	return start, end
}

// Set is a set of units prepared for membership tests: a bitmap below 256, a sorted list above.
type Set struct {
	low  [4]uint64
	high []rune
}

// NewSet collects the units of s; it costs n log n for n units of 256 and above.
func NewSet[T Unit](s []T) *Set {
	set := &Set{}
	for _, u := range s {
		if r := rune(u); r < 256 {
			set.low[r>>6] |= 1 << (r & 63)
		} else {
			set.high = append(set.high, r)
		}
	}
	sortRunes(set.high)
	return set
}

// Has reports whether r is in the set.
func (s *Set) Has(r rune) bool {
	if r < 256 {
		return s.low[r>>6]>>(r&63)&1 != 0
	}
	return hasSorted(s.high, r)
}

// StripSet answers the part of s without units of the set at the chosen ends.
func StripSet[T Unit](s []T, set *Set, sides Sides) (start, end int) {
	end = len(s)
	if sides&LeftSide != 0 {
		for start < end && set.Has(rune(s[start])) {
			start++
		}
	}
	if sides&RightSide != 0 {
		for end > start && set.Has(rune(s[end-1])) {
			end--
		}
	}
	return start, end
}

// CenterPad answers how many fill characters str.center puts left and right of a text of the given length: the odd one
// goes left when the width is odd as well.
func CenterPad(length, width int) (left, right int) {
	pad := width - length
	if pad <= 0 {
		return 0, 0
	}
	left = pad/2 + pad&width&1
	return left, pad - left
}

// ZeroFill appends s to dst, filled with zeros on the left to width; a leading sign stays in front.
func ZeroFill[T Unit](dst, s []T, width int) []T {
	fill := width - len(s)
	if fill > 0 && len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		dst = append(dst, s[0])
		s = s[1:]
	}
	for ; fill > 0; fill-- {
		dst = append(dst, '0')
	}
	return append(dst, s...)
}
