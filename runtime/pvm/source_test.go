package pvm

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Expected forms recorded from CPython 3.11 (Unicode 14.0).
// Spec: WP §1.2 (NFC).
func TestCanonicalSourceAgreesWithPython(t *testing.T) {
	f, err := os.Open("testdata/nfc14.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		in, want, _ := strings.Cut(s.Text(), " ")
		source, err1 := hex.DecodeString(in)
		expected, err2 := hex.DecodeString(want)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		expected = bytes.ReplaceAll(expected, []byte("\r"), []byte("\n"))
		got, err := CanonicalSource(bytes.TrimPrefix(source, []byte("\ufeff")))
		if err != nil || !bytes.Equal(got, bytes.TrimPrefix(expected, []byte("\ufeff"))) {
			t.Errorf("%s: %x, %v; want %s", in, got, err, want)
		}
	}
	if lines < 500 {
		t.Errorf("only %d cases", lines)
	}
}

// Spec: WP §1.2.
func TestCanonicalSource(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"a\n":                 "a\n",
		"a\r\nb\rc\n\r":       "a\nb\nc\n\n",
		"\r\r\n":              "\n\n",
		"\ufeffx = 1\n":       "x = 1\n",
		"\ufeff\ufeffx":       "x",
		"e\u0301 = 1\r\n":     "\u00e9 = 1\n",
		"x\ufeff":             "x\ufeff", // only a leading mark is a byte order mark
		"# \U0001FAE0 is new": "# \U0001FAE0 is new",
	} {
		t.Run(in, func(t *testing.T) {
			got, err := CanonicalSource([]byte(in))
			if err != nil || string(got) != want {
				t.Errorf("%q: %q, %v", in, got, err)
			}
			if again, err := CanonicalSource(got); err != nil || !bytes.Equal(again, got) {
				t.Errorf("%q: the canonical form is not canonical", in)
			}
		})
	}
	for in, want := range map[string]error{
		"\xff":                               ErrSourceUTF8,
		"\xed\xa0\x80":                       ErrSourceUTF8, // a surrogate
		"\xc0\x80":                           ErrSourceUTF8, // over-long
		"\u0378":                             ErrSourceUnassigned,
		"\ufffe":                             ErrSourceUnassigned,
		"\U0001FAE9":                         ErrSourceUnassigned, // Unicode 16
		"\u0cf3":                             ErrSourceUnassigned, // Unicode 15
		"a" + strings.Repeat("\u0301", 31):   ErrSourceMarks,
		"a" + strings.Repeat("\u0300", 1000): ErrSourceMarks,
	} {
		t.Run(in, func(t *testing.T) {
			if _, err := CanonicalSource([]byte(in)); !errors.Is(err, want) {
				t.Errorf("%q: %v, want %v", in, err, want)
			}
		})
	}
	if _, err := CanonicalSource([]byte("a" + strings.Repeat("\u0301", 30))); err != nil {
		t.Errorf("30 marks: %v", err)
	}
}

// Unicode 14.0 has 144,697 graphic and format characters, 65 control codes and
// 137,468 private-use code points (the standard's own counts), and Go's later
// version assigns all of them.
// Spec: WP §1.2.
func TestAssignedTable(t *testing.T) {
	count := 0
	known := []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if surrogate := r >= 0xd800 && r < 0xe000; surrogate || !text.IsAssigned(r) {
			continue
		}
		count++
		if !unicode.In(r, known...) {
			t.Fatalf("%U is unknown to a later Unicode", r)
		}
	}
	if want := 144_697 + 65 + 137_468; count != want {
		t.Errorf("%d code points, want %d", count, want)
	}
}

func FuzzCanonicalSource(f *testing.F) {
	f.Add([]byte("e\u0301\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := CanonicalSource(data)
		if err != nil {
			return
		}
		twice, err := CanonicalSource(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%q: %q then %q, %v", data, once, twice, err)
		}
	})
}
