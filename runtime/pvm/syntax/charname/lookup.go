package charname

import (
	_ "embed" // the table
	"sort"
	"strconv"
	"strings"
)

//go:embed names.bin
var table string

// u32 reads the little-endian number at byte offset i of the table.
func u32(i int) int {
	return int(table[i]) | int(table[i+1])<<8 | int(table[i+2])<<16 | int(table[i+3])<<24
}

// layout of the table: see gen/names.py.
const header = 16

// nameMax is longer than every name; longer input is not looked at.
const nameMax = 256

// Lookup returns the character with the given name or alias. Letter case does
// not matter, except in the names of CJK ideographs, as in CPython.
func Lookup(name string) (r rune, ok bool) {
	if len(name) > nameMax || strings.IndexFunc(name, func(r rune) bool { return r > '~' }) >= 0 {
		return 0, false
	}
	if digits, found := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); found {
		return ideograph(digits)
	}
	if syllable, found := strings.CutPrefix(name, "HANGUL SYLLABLE "); found {
		return hangul(syllable)
	}
	code, ok := encode(strings.ToUpper(name))
	if !ok {
		return 0, false
	}
	return find(code)
}

// encode turns a name into the numbers of its words, two bytes each.
func encode(name string) (string, bool) {
	words, texts := u32(0), u32(8)
	offsets := header
	text := table[offsets+4*(words+1):][:texts]
	var code []byte
	for _, word := range strings.Split(name, " ") {
		at := func(i int) string { return text[u32(offsets+4*i):u32(offsets+4*i+4)] }
		i := sort.Search(words, func(i int) bool { return at(i) >= word })
		if i == words || at(i) != word {
			return "", false
		}
		code = append(code, 0x80|byte(i>>7), byte(i&0x7F))
	}
	return string(code), true
}

// find looks a code up among the sorted names.
func find(code string) (rune, bool) {
	words, names, texts := u32(0), u32(4), u32(8)
	offsets := header + 4*(words+1) + texts
	points := offsets + 4*(names+1)
	codes := table[points+4*names:]
	at := func(i int) string { return codes[u32(offsets+4*i):u32(offsets+4*i+4)] }
	i := sort.Search(names, func(i int) bool { return at(i) >= code })
	if i == names || at(i) != code {
		return 0, false
	}
	return rune(u32(points + 4*i)), true
}

// ideograph resolves the hexadecimal part of the name of a CJK ideograph.
func ideograph(digits string) (rune, bool) {
	if len(digits) != 4 && len(digits) != 5 || digits != strings.ToUpper(digits) {
		return 0, false
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return 0, false
	}
	for _, block := range [...][2]uint64{
		{0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B738},
		{0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x30000, 0x3134A},
	} {
		if block[0] <= v && v <= block[1] {
			return rune(v), true
		}
	}
	return 0, false
}

// The short names of the letters that a Hangul syllable is made of.
var (
	leads = [...]string{"G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ",
		"C", "K", "T", "P", "H"}
	vowels = [...]string{"A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE",
		"YO", "U", "WEO", "WE", "WI", "YU", "EU", "YI", "I"}
	tails = [...]string{"", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS",
		"LT", "LP", "LH", "M", "B", "BS", "S", "SS", "NG", "J", "C", "K", "T", "P", "H"}
)

// hangul resolves the last word of the name of a Hangul syllable.
func hangul(word string) (rune, bool) {
	lead, rest := longest(leads[:], word)
	vowel, rest := longest(vowels[:], rest)
	tail, rest := longest(tails[:], rest)
	if lead < 0 || vowel < 0 || tail < 0 || rest != "" {
		return 0, false
	}
	return rune(0xAC00 + (lead*len(vowels)+vowel)*len(tails) + tail), true
}

// longest returns the number of the longest of the names that word begins with,
// or -1, and the rest of the word.
func longest(names []string, word string) (n int, rest string) {
	n = -1
	for i, name := range names {
		if strings.HasPrefix(word, name) && (n < 0 || len(name) > len(names[n])) {
			n = i
		}
	}
	if n < 0 {
		return n, word
	}
	return n, word[len(names[n]):]
}
