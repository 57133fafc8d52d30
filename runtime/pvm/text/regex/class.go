package regex

import (
	"slices"
	"sort"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// class is a compiled character set: a bitmap below 256, everything else by ranges and categories.
type class struct {
	low        [4]uint64
	ranges     []setItem // sorted, disjoint, no categories
	categories []category
	negate     bool
	folding    bool // IGNORECASE: a character is in when any of its case variants is
	either     bool // LOCALE and IGNORECASE
	ascii      bool // categories and folding look at ASCII only
	high       bool // some character from 256 on may be in
}

func (c *class) has(r rune) bool {
	if uint32(r) < 256 {
		return c.low[r>>6]>>(r&63)&1 != 0
	}
	return c.high && c.hasHigh(r)
}

func (c *class) hasHigh(r rune) bool { return c.member(r) != c.negate }

// member looks a character up without the bitmap and without negation.
func (c *class) member(r rune) bool {
	if !c.folding {
		return c.inRanges(r) || c.inCategories(r)
	}
	if c.ascii {
		low := lowerASCII(r)
		return c.inRanges(low) || low >= 'a' && low <= 'z' && c.inRanges(low-0x20) || c.inCategories(r)
	}
	if c.inRanges(r) {
		return true
	}
	var buf [text.MaxCaseVariants]rune
	low := text.SimpleLower(r)
	for _, v := range text.AppendCaseVariants(buf[:0], low) {
		if c.inRanges(v) {
			return true
		}
	}
	return c.inCategories(low)
}

func (c *class) inRanges(r rune) bool {
	i := sort.Search(len(c.ranges), func(i int) bool { return c.ranges[i].hi >= r })
	return i < len(c.ranges) && c.ranges[i].lo <= r
}

func (c *class) inCategories(r rune) bool {
	for _, k := range c.categories {
		if k.has(r, c.ascii) {
			return true
		}
	}
	return false
}

// foldCost is how many steps a character costs, beside its own, in a set that folds when it matches.
const foldCost = 4

// extra answers the steps a character costs in the set beside its own.
func (c *class) extra() int32 {
	if c.folding && !c.ascii {
		return foldCost
	}
	return 0
}

// has says whether a character is of the category, by the whole of Unicode or by ASCII.
func (k category) has(r rune, ascii bool) bool {
	switch k {
	case digit:
		return isDigitOf(r, ascii)
	case notDigit:
		return !isDigitOf(r, ascii)
	case space:
		return isSpaceOf(r, ascii)
	case notSpace:
		return !isSpaceOf(r, ascii)
	case word:
		return isWordOf(r, ascii)
	case notWord:
		return !isWordOf(r, ascii)
	default:
		return false
	}
}

func isDigitOf(r rune, ascii bool) bool {
	return isDigit(r) || r >= 0x80 && !ascii && text.IsDecimal(r)
}

func isSpaceOf(r rune, ascii bool) bool {
	if ascii {
		return isVerboseSpace(r)
	}
	return text.IsSpace(r)
}

func isWordOf(r rune, ascii bool) bool {
	if r < 0x80 {
		return isLetterASCII(r) || isDigit(r) || r == '_'
	}
	return !ascii && text.IsAlnum(r)
}

func lowerASCII(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 0x20
	}
	return r
}

// newClass compiles a set under flags.
func newClass(items []setItem, negate bool, flags Flags) *class {
	c := &class{negate: negate, folding: flags&IgnoreCase != 0, ascii: flags&Unicode == 0}
	c.either = c.folding && flags&Locale != 0
	for _, i := range items {
		switch {
		case i.category == noCategory:
			c.ranges = append(c.ranges, i)
		case !slices.Contains(c.categories, i.category):
			c.categories = append(c.categories, i.category)
		}
	}
	if c.folding && !c.ascii && count(c.ranges) <= unfoldedSize {
		c.unfold()
	}
	c.ranges = merged(c.ranges)
	c.high = c.reachesHigh()
	c.fillLow()
	return c
}

// unfoldedSize is the largest number of characters whose case variants are looked up when a set is compiled rather than when
// it is matched.
const unfoldedSize = 64

func count(ranges []setItem) int {
	n := 0
	for _, r := range ranges {
		if n += int(r.hi-r.lo) + 1; n > unfoldedSize {
			break
		}
	}
	return n
}

// unfold adds the case variants of all characters in the set, so that it need not fold when it matches. Categories hold
// all variants of what they hold.
func (c *class) unfold() {
	for _, i := range c.ranges {
		for r := i.lo; r <= i.hi; r++ {
			var buf [text.MaxCaseVariants]rune
			for _, v := range text.AppendCaseVariants(buf[:0], text.SimpleLower(r)) {
				if v != r {
					c.ranges = append(c.ranges, single(v))
				}
			}
		}
	}
	c.folding = false
}

// reachesHigh says whether a character from 256 on may be in: certainly not for plain ranges below it and for ASCII
// categories that hold no such character.
func (c *class) reachesHigh() bool {
	if c.negate || len(c.ranges) > 0 && (c.ranges[len(c.ranges)-1].hi >= 256 || c.folding && !c.ascii) {
		return true
	}
	for _, k := range c.categories {
		if !c.ascii || k == notDigit || k == notSpace || k == notWord {
			return true
		}
	}
	return false
}

// low answers the characters of a category below 256 as a bitmap.
func (k category) low(ascii bool) [4]uint64 {
	var bits [4]uint64
	switch k {
	case digit, notDigit:
		bits = [4]uint64{0x03ff000000000000}
	case space, notSpace:
		bits = [4]uint64{0x00000001f0003e00, 0, 0x0000000100000020, 0}
		if ascii {
			bits = [4]uint64{0x0000000100003e00}
		}
	case word, notWord:
		bits = [4]uint64{0x03ff000000000000, 0x07fffffe87fffffe, 0x762c040000000000, 0xff7fffffff7fffff}
		if ascii {
			bits[2], bits[3] = 0, 0
		}
	}
	if k == notDigit || k == notSpace || k == notWord {
		for i := range bits {
			bits[i] = ^bits[i]
		}
	}
	return bits
}

// fillLow fills the bitmap: by ranges where case does not matter, character by character where it does.
func (c *class) fillLow() {
	if c.either {
		c.fillEither()
		return
	}
	for _, k := range c.categories {
		low := k.low(c.ascii)
		for i := range low {
			c.low[i] |= low[i]
		}
	}
	for _, i := range c.ranges {
		for r := i.lo; r <= i.hi && r < 256; r++ {
			c.set(r)
		}
	}
	if c.folding && len(c.ranges) > 0 {
		c.foldLow()
	}
	if c.negate {
		for i := range c.low {
			c.low[i] = ^c.low[i]
		}
	}
}

// foldLow adds the letters below 256 of which a case variant is in.
func (c *class) foldLow() {
	for r := rune('A'); r < 256; r++ {
		if (r <= 'z' || r >= 0xB5) && c.member(r) {
			c.set(r)
		}
	}
}

// fillEither fills the bitmap for LOCALE and IGNORECASE, where a byte is in when its lower or its upper case is, so that
// a negated set holds every letter of which it lacks but one case.
func (c *class) fillEither() {
	in := func(r rune) bool { return (c.inRanges(r) || c.inCategories(r)) != c.negate }
	for r := rune(0); r < 256; r++ {
		low := lowerASCII(r)
		if in(low) || low >= 'a' && low <= 'z' && in(low-0x20) {
			c.set(r)
		}
	}
}

func (c *class) set(r rune) { c.low[r>>6] |= 1 << (r & 63) }

// merged sorts ranges and joins those that touch.
func merged(ranges []setItem) []setItem {
	if len(ranges) < 2 {
		return ranges
	}
	slices.SortFunc(ranges, func(a, b setItem) int { return int(a.lo) - int(b.lo) })
	out := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &out[len(out)-1]; r.lo <= last.hi+1 {
			last.hi = max(last.hi, r.hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// disjoint says whether certainly no character is in both classes.
func (c *class) disjoint(d *class) bool {
	for i := range c.low {
		if c.low[i]&d.low[i] != 0 {
			return false
		}
	}
	return !c.high || !d.high
}

// include adds what d may hold to c, a class that is used for its bitmap and its high flag only.
func (c *class) include(d *class) {
	for i := range c.low {
		c.low[i] |= d.low[i]
	}
	c.high = c.high || d.high
}
