package charname

import (
	"sort"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Each block of names starts anew; inside a block every name is a byte 0x80|n, n being how many characters it shares with the
// name before, and the characters after those. Names are ASCII and sorted.
const (
	blockNames = 16
	mark       = 0x80
	// longest is more than the length of the longest name and alias.
	longest = 100
)

const (
	ideographPrefix = "CJK UNIFIED IDEOGRAPH-"
	syllablePrefix  = "HANGUL SYLLABLE "
)

// Lookup answers the character with the given name or alias. Letters may be of either case, except in the computed names
// of ideographs and Hangul syllables.
func Lookup(name string) (rune, bool) {
	if rest, ok := strings.CutPrefix(name, ideographPrefix); ok {
		return ideograph(rest)
	}
	if rest, ok := strings.CutPrefix(name, syllablePrefix); ok {
		return syllable(rest)
	}
	if len(name) == 0 || len(name) > longest {
		return 0, false
	}
	var buf [longest]byte
	want := text.UpperASCII(buf[:0], []byte(name))
	// The last block whose first name is not above the wanted one.
	block := sort.Search(len(blocks)/3, func(b int) bool { return firstOf(b) > string(want) }) - 1
	if block < 0 {
		return 0, false
	}
	return search(block, want)
}

func offset(table string, i int) int {
	return int(table[3*i]) | int(table[3*i+1])<<8 | int(table[3*i+2])<<16
}

// firstOf answers the first name of a block.
func firstOf(block int) string {
	at := offset(blocks, block) + 1
	end := at
	for names[end] < mark {
		end++
	}
	return names[at:end]
}

// search goes through the names of a block, keeping count of how much of the wanted name the current one shares.
func search(block int, want []byte) (rune, bool) {
	at := offset(blocks, block)
	matched := 0 // length of the common prefix of the current name and the wanted one
	for i := block * blockNames; i < count && i < (block+1)*blockNames; i++ {
		shared := int(names[at] &^ mark)
		at++
		start := at
		for names[at] < mark {
			at++
		}
		if shared > matched {
			continue // differs from the wanted name where the name before did
		}
		rest := names[start:at]
		matched = shared
		for matched < len(want) && matched-shared < len(rest) && rest[matched-shared] == want[matched] {
			matched++
		}
		if matched == len(want) && matched-shared == len(rest) {
			return rune(offset(codes, i)), true
		}
	}
	return 0, false
}

// ideograph reads the code point of a unified ideograph in four or five hexadecimal digits.
func ideograph(digits string) (rune, bool) {
	if len(digits) != 4 && len(digits) != 5 {
		return 0, false
	}
	r := rune(0)
	for i := 0; i < len(digits); i++ {
		switch c := digits[i]; {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, isIdeograph(r)
}

// isIdeograph reports whether Unicode 14.0 names r a CJK unified ideograph.
func isIdeograph(r rune) bool {
	for _, block := range [...][2]rune{
		{0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B738}, {0x2B740, 0x2B81D},
		{0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x30000, 0x3134A},
	} {
		if r >= block[0] && r <= block[1] {
			return true
		}
	}
	return false
}

// The short names of the jamo a syllable is made of, in the order of the code points.
const (
	leads  = "G,GG,N,D,DD,R,M,B,BB,S,SS,,J,JJ,C,K,T,P,H"
	vowels = "A,AE,YA,YAE,EO,E,YEO,YE,O,WA,WAE,OE,YO,U,WEO,WE,WI,YU,EU,YI,I"
	tails  = ",G,GG,GS,N,NJ,NH,D,L,LG,LM,LB,LS,LT,LP,LH,M,B,BS,S,SS,NG,J,C,K,T,P,H"
)

// syllable reads lead, vowel and tail, each the longest that fits.
func syllable(name string) (rune, bool) {
	lead, name := jamo(leads, name)
	vowel, name := jamo(vowels, name)
	tail, name := jamo(tails, name)
	if lead < 0 || vowel < 0 || tail < 0 || name != "" {
		return 0, false
	}
	return 0xAC00 + (lead*21+vowel)*28 + tail, true
}

// jamo answers the index of the longest short name that name begins with, and the rest.
func jamo(list, name string) (rune, string) {
	best, length := rune(-1), -1
	for i := rune(0); list != ""; i++ {
		short, rest, _ := strings.Cut(list, ",")
		if strings.HasPrefix(name, short) && len(short) > length {
			best, length = i, len(short)
		}
		list = rest
	}
	if best < 0 {
		return -1, name
	}
	return best, name[length:]
}
