package text

import (
	"slices"
	"sort"
	"unicode/utf8"
)

// Form is a Unicode normalisation form.
type Form uint8

// The four normalisation forms, in the order of their quick-check bits.
const (
	NFCForm Form = iota
	NFDForm
	NFKCForm
	NFKDForm
)

// MaxDecomposition is the largest number of code points one character becomes under any normalisation form.
const MaxDecomposition = 18

// Layout of one record of normalRecords: combining class (1 byte), quick-check bits (1), canonical and compatibility
// decomposition (3 each: index << 5 | length into decompositions, 0 for none).
const (
	normalRecordSize = 8
	quickAt          = 1
	canonicalAt      = 2
	compatibleAt     = 5
	maybeComposes    = 1 << 4
	pairSize         = 9
)

// The arithmetic of Hangul syllables (The Unicode Standard, §3.12).
const (
	hangulBase   = 0xAC00
	hangulLead   = 0x1100
	hangulVowel  = 0x1161
	hangulTail   = 0x11A7
	vowelCount   = 21
	tailCount    = 28
	leadCount    = 19
	hangulCount  = leadCount * vowelCount * tailCount
	leadStretch  = vowelCount * tailCount
	firstNotFast = 0x300 // below it NFC changes nothing and every combining class is 0
)

func normalRecord(r rune) string {
	at := leafValue(normalTop, normalMid, normalLeaf, r) * normalRecordSize
	return normalRecords[at : at+normalRecordSize]
}

// CombiningClass answers the canonical combining class of r.
func CombiningClass(r rune) uint8 {
	if r < firstNotFast {
		return 0
	}
	return normalRecord(r)[0]
}

func (f Form) compatible() bool { return f == NFKCForm || f == NFKDForm }
func (f Form) composes() bool   { return f == NFCForm || f == NFKCForm }

// IsNormal reports whether s is certainly in form f already; false means that it may not be. It is the quick check of
// UAX #15 §9.
func IsNormal[T Unit](f Form, s []T) bool {
	mask := byte(1) << f
	if f.composes() {
		mask |= maybeComposes
	}
	last := uint8(0)
	for _, u := range s {
		r := rune(u)
		if r < 0x80 || f == NFCForm && r < firstNotFast {
			last = 0
			continue
		}
		rec := normalRecord(r)
		class := rec[0]
		if rec[quickAt]&mask != 0 || class != 0 && last > class {
			return false
		}
		last = class
	}
	return true
}

// Normalize answers s in form f. The result may share memory with s when nothing changes. The result is at most
// MaxDecomposition times as long as s.
func Normalize(f Form, s []rune) []rune {
	if IsNormal(f, s) {
		return s
	}
	out := make([]rune, 0, len(s)+len(s)/4)
	for _, r := range s {
		out = appendDecomposed(out, r, f.compatible())
	}
	order(out)
	if f.composes() {
		out = compose(out)
	}
	return out
}

func appendDecomposed(dst []rune, r rune, compatible bool) []rune {
	if r < 0x80 {
		return append(dst, r)
	}
	if r >= hangulBase && r < hangulBase+hangulCount {
		i := r - hangulBase
		dst = append(dst, hangulLead+i/leadStretch, hangulVowel+i%leadStretch/tailCount)
		if t := i % tailCount; t != 0 {
			dst = append(dst, hangulTail+t)
		}
		return dst
	}
	rec := normalRecord(r)
	at := canonicalAt
	if compatible {
		at = compatibleAt
	}
	d := int(rec[at]) | int(rec[at+1])<<8 | int(rec[at+2])<<16
	if d == 0 {
		return append(dst, r)
	}
	for i, n := d>>5, d&31; n > 0; i, n = i+1, n-1 {
		dst = append(dst, threeBytes(decompositions, i))
	}
	return dst
}

// order sorts every run of characters of non-zero combining class by class, keeping the order of equal ones. A run of
// n marks costs n log n however they are arranged.
func order(s []rune) {
	for i := 0; i < len(s); {
		if CombiningClass(s[i]) == 0 {
			i++
			continue
		}
		start := i
		sorted := true
		last := uint8(0)
		for i < len(s) {
			class := CombiningClass(s[i])
			if class == 0 {
				break
			}
			sorted = sorted && last <= class
			last = class
			i++
		}
		if !sorted {
			slices.SortStableFunc(s[start:i], func(a, b rune) int {
				return int(CombiningClass(a)) - int(CombiningClass(b))
			})
		}
	}
}

// compose joins pairs in place (UAX #15: a character is blocked from the last starter by one between them of the same or
// higher class, or of class 0).
func compose(s []rune) []rune {
	out := s[:0]
	starter := -1 // index in out of the last starter
	last := -1    // class of the last character kept after it, -1 when there is none
	for _, r := range s {
		class := int(CombiningClass(r))
		if starter >= 0 && last < class {
			if c, ok := pair(out[starter], r); ok {
				out[starter] = c
				continue
			}
		}
		if class == 0 {
			starter = len(out)
			last = -1
		} else {
			last = class
		}
		out = append(out, r)
	}
	return out
}

// pair answers the primary composite of two characters.
func pair(a, b rune) (rune, bool) {
	if a >= hangulLead && a < hangulLead+leadCount {
		if b >= hangulVowel && b < hangulVowel+vowelCount {
			return hangulBase + ((a-hangulLead)*vowelCount+(b-hangulVowel))*tailCount, true
		}
		return 0, false
	}
	if a >= hangulBase && a < hangulBase+hangulCount && (a-hangulBase)%tailCount == 0 {
		if b > hangulTail && b < hangulTail+tailCount {
			return a + b - hangulTail, true
		}
		return 0, false
	}
	rows := len(compositions) / pairSize
	i := sort.Search(rows, func(i int) bool {
		x := threeBytes(compositions, 3*i)
		return x > a || x == a && threeBytes(compositions, 3*i+1) >= b
	})
	if i < rows && threeBytes(compositions, 3*i) == a && threeBytes(compositions, 3*i+1) == b {
		return threeBytes(compositions, 3*i+2), true
	}
	return 0, false
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsASCII reports whether every byte of s is below 0x80.
func IsASCII(s string) bool { return isASCII(s) }

func normalizeString(f Form, s string) string {
	if isASCII(s) {
		return s
	}
	runes := []rune(s)
	if IsNormal(f, runes) {
		return s
	}
	return string(Normalize(f, runes))
}

// NFC answers s, which must be valid UTF-8, in normalisation form C.
func NFC(s string) string { return normalizeString(NFCForm, s) }

// NFD answers s, which must be valid UTF-8, in normalisation form D.
func NFD(s string) string { return normalizeString(NFDForm, s) }

// NFKC answers s, which must be valid UTF-8, in normalisation form KC, the form in which Python compares identifiers.
func NFKC(s string) string { return normalizeString(NFKCForm, s) }

// NFKD answers s, which must be valid UTF-8, in normalisation form KD.
func NFKD(s string) string { return normalizeString(NFKDForm, s) }
