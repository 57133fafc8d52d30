package charname

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The expected answers were recorded from unicodedata.lookup of CPython 3.11.
//
// Spec: Python 3.11 language reference, String and Bytes literals.
func TestLookup(t *testing.T) {
	for name, want := range map[string]rune{
		"DIGIT ONE": '1', "digit one": '1', "EM DASH": 0x2014, "LATIN SMALL LETTER E WITH ACUTE": 0xE9,
		"GREEK SMALL LETTER FINAL SIGMA": 0x3C2, "GRINNING FACE": 0x1F600, "LINE FEED": '\n', "BEL": 7, "BELL": 0x1F514,
		"NBSP": 0xA0, "CJK UNIFIED IDEOGRAPH-4E00": 0x4E00, "CJK UNIFIED IDEOGRAPH-3134A": 0x3134A,
		"CJK COMPATIBILITY IDEOGRAPH-F900": 0xF900, "HANGUL SYLLABLE GA": 0xAC00, "HANGUL SYLLABLE HIH": 0xD7A3,
		"HANGUL SYLLABLE A": 0xC544, "HANGUL SYLLABLE GGWAELG": 0xAF6D, "TANGUT IDEOGRAPH-17000": -1,
		"KHITAN SMALL SCRIPT CHARACTER-18B00": 0x18B00, "ZERO WIDTH JOINER": 0x200D, "SHAKING FACE": -1,
		"": -1, "NO SUCH NAME": -1, "DIGIT": -1, "DIGIT ONE ": -1, "CJK UNIFIED IDEOGRAPH-0041": -1,
		"CJK UNIFIED IDEOGRAPH-9fff": -1, "HANGUL SYLLABLE ": -1, "HANGUL SYLLABLE GX": -1, "hangul syllable ga": -1,
		"\u00e9": -1, "A": -1, "ZZZZZZ": -1,
	} {
		got, ok := Lookup(name)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("Lookup(%q) = %x, want %x", name, got, want)
		}
	}
}

func TestEveryTableEntryIsFound(t *testing.T) {
	at, previous := 0, ""
	for i := range count {
		shared := int(names[at] &^ mark)
		at++
		start := at
		for names[at] < mark {
			at++
		}
		name := previous[:shared] + names[start:at]
		previous = name
		if got, ok := Lookup(name); !ok || got != rune(offset(codes, i)) {
			t.Fatalf("Lookup(%q) = %x, %v; want %x", name, got, ok, offset(codes, i))
		}
	}
}

func TestAliases(t *testing.T) {
	f, err := os.Open("gen/aliases.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for rows := bufio.NewScanner(f); rows.Scan(); {
		code, alias, _ := strings.Cut(rows.Text(), ";")
		want, _ := strconv.ParseInt(code, 16, 32)
		if got, ok := Lookup(alias); !ok || int64(got) != want {
			t.Errorf("Lookup(%q) = %x, want %x", alias, got, want)
		}
	}
}

func FuzzLookup(f *testing.F) {
	f.Add("HANGUL SYLLABLE GAGS")
	f.Fuzz(func(t *testing.T, name string) {
		if r, ok := Lookup(name); ok && (r < 0 || r > 0x10FFFF) {
			t.Fatalf("%q is %x", name, r)
		}
	})
}
