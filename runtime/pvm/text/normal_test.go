package text

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// The normaliser of golang.org/x/text is an independent implementation. It follows a later Unicode version, but the
// stability policy of Unicode makes both agree on text of characters assigned in 14.0.
func TestNormalizeAgreesWithAnIndependentImplementation(t *testing.T) {
	theirs := map[Form]norm.Form{NFCForm: norm.NFC, NFDForm: norm.NFD, NFKCForm: norm.NFKC, NFKDForm: norm.NFKD}
	ours := map[Form]func(string) string{NFCForm: NFC, NFDForm: NFD, NFKCForm: NFKC, NFKDForm: NFKD}
	check := func(s string) {
		for form, f := range ours {
			t.Run(fmt.Sprint(form), func(t *testing.T) {
				if got, want := f(s), theirs[form].String(s); got != want {
					t.Fatalf("form %d of %+q = %+q, want %+q", form, s, got, want)
				}
			})
		}
	}
	var marks, decomposing []rune
	for r := rune(0); r <= maxCodePoint; r++ {
		if IsSurrogate(r) || !IsAssigned(r) {
			continue
		}
		check(string(r))
		if CombiningClass(r) != 0 {
			marks = append(marks, r)
		}
		if !IsNormal(NFKDForm, []rune{r}) {
			decomposing = append(decomposing, r)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		var s []rune
		for range 1 + rng.IntN(8) {
			switch rng.IntN(4) {
			case 0:
				s = append(s, marks[rng.IntN(len(marks))])
			case 1:
				s = append(s, decomposing[rng.IntN(len(decomposing))])
			case 2:
				s = append(s, hangulLead+rune(rng.IntN(0x100)))
			default:
				s = append(s, rune("aeiouAEIOUcns="[rng.IntN(14)]))
			}
		}
		check(string(s))
	}
}

func TestLongRunOfMarksIsSorted(t *testing.T) {
	s := "a" + strings.Repeat("\u0301\u0323", 20_000)
	want := "\u1ea1" + strings.Repeat("\u0323", 19_999) + strings.Repeat("\u0301", 20_000)
	if NFC(s) != want {
		t.Fatal("marks of class 220 do not come before marks of class 230")
	}
}
