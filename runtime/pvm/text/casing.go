package text

import "sort"

// Case mappings of a record, in the order gen/tables.py writes them.
const (
	mapUpper = iota
	mapLower
	mapTitle
	mapFold
)

// A mapping is a signed difference to the code point, or, with bit 30 set and bit 31 clear, offset << 4 | length of a
// longer text in specialCasing, both in code points.
const (
	specialBit    = 1 << 30
	specialLength = 15
	// MaxCaseExpansion is the largest number of code points one character becomes under a full case mapping.
	MaxCaseExpansion = 3
)

func mapping(r rune, which int) int32 {
	at := record(r) + mappingsAt + 4*which
	s := characterRecords[at : at+4]
	return int32(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

func isSpecial(m int32) bool { return m > 0 && m&specialBit != 0 }

func threeBytes(s string, index int) rune {
	i := 3 * index
	return rune(s[i]) | rune(s[i+1])<<8 | rune(s[i+2])<<16
}

// simple answers the one-character mapping, which for a special character is the first of its full mapping.
func simple(r rune, which int) rune {
	m := mapping(r, which)
	if isSpecial(m) {
		return threeBytes(specialCasing, int(m&^specialBit)>>4)
	}
	return r + m
}

func appendMapped(dst []rune, r rune, which int) []rune {
	m := mapping(r, which)
	if !isSpecial(m) {
		return append(dst, r+m)
	}
	at, n := int(m&^specialBit)>>4, int(m&specialLength)
	for i := 0; i < n; i++ {
		dst = append(dst, threeBytes(specialCasing, at+i))
	}
	return dst
}

// SimpleUpper answers the first code point of r's upper-case mapping.
func SimpleUpper(r rune) rune {
	if r < 0x80 {
		if r >= 'a' && r <= 'z' {
			return r - 0x20
		}
		return r
	}
	return simple(r, mapUpper)
}

// SimpleLower answers the first code point of r's lower-case mapping, the one the re module compares under IGNORECASE.
func SimpleLower(r rune) rune {
	if r < 0x80 {
		if r >= 'A' && r <= 'Z' {
			return r + 0x20
		}
		return r
	}
	return simple(r, mapLower)
}

// AppendUpper appends the full upper-case mapping of one character.
func AppendUpper(dst []rune, r rune) []rune {
	if r < 0x80 {
		return append(dst, SimpleUpper(r))
	}
	return appendMapped(dst, r, mapUpper)
}

// AppendTitle appends the full title-case mapping of one character.
func AppendTitle(dst []rune, r rune) []rune { return appendMapped(dst, r, mapTitle) }

// AppendFold appends the full case folding of one character.
func AppendFold(dst []rune, r rune) []rune { return appendMapped(dst, r, mapFold) }

// AppendLower appends the full lower-case mapping of s[i]; a capital sigma looks around itself to find out whether it
// ends a word.
func AppendLower[T Unit](dst []rune, s []T, i int) []rune {
	r := rune(s[i])
	if r < 0x80 {
		return append(dst, SimpleLower(r))
	}
	if r == capitalSigma {
		if endsWord(s, i) {
			return append(dst, finalSigma)
		}
		return append(dst, smallSigma)
	}
	return appendMapped(dst, r, mapLower)
}

const (
	capitalSigma = 0x3A3
	finalSigma   = 0x3C2
	smallSigma   = 0x3C3
)

// endsWord is the Final_Sigma condition: the nearest character before s[i] that is not case-ignorable is cased, and the
// nearest one after it is not.
func endsWord[T Unit](s []T, i int) bool {
	j := i - 1
	for j >= 0 && IsCaseIgnorable(rune(s[j])) {
		j--
	}
	if j < 0 || !IsCased(rune(s[j])) {
		return false
	}
	j = i + 1
	for j < len(s) && IsCaseIgnorable(rune(s[j])) {
		j++
	}
	return j == len(s) || !IsCased(rune(s[j]))
}

const (
	variantRow = 24 // bytes per row of caseVariants
	// MaxCaseVariants bounds the number of characters AppendCaseVariants appends.
	MaxCaseVariants = 6
)

// AppendCaseVariants appends every character that the re module takes as equal to the lower-case character low under
// IGNORECASE, low among them: those whose simple lower-case form is low, or a letter with the same upper-case form as
// low. low must be a value of SimpleLower.
func AppendCaseVariants(dst []rune, low rune) []rune {
	rows := len(caseVariants) / variantRow
	row := sort.Search(rows, func(i int) bool { return threeBytes(caseVariants, i*8) >= low })
	if row == rows || threeBytes(caseVariants, row*8) != low {
		dst = append(dst, low)
		if up := SimpleUpper(low); up != low {
			dst = append(dst, up)
		}
		return dst
	}
	for i := 1; i < 8; i++ {
		v := threeBytes(caseVariants, row*8+i)
		if v == 0 {
			break
		}
		dst = append(dst, v)
	}
	return dst
}
