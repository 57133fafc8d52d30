package regex

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func mustCompile(t testing.TB, pattern string) *Program {
	t.Helper()
	p, err := Compile([]rune(pattern), true, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Spec: WP "The Cowboy Actor VM (PVM)" (Unicode 14.0 classes and case folding of CPython 3.11).
func TestSetsAgreeWithCPythonOnEveryCharacter(t *testing.T) {
	raw, err := os.ReadFile("testdata/sets.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Cased, Folds string
		Patterns     map[string]string
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	var everything []rune
	for r := rune(0); r <= 0x10FFFF; r++ {
		if !text.IsSurrogate(r) {
			everything = append(everything, r)
		}
	}
	for pattern, digest := range want.Patterns {
		h := sha256.New()
		asker[rune]{t, mustCompile(t, pattern), everything}.each(func(m *Matcher) {
			start, _ := m.Span(0)
			h.Write(binary.LittleEndian.AppendUint32(nil, uint32(start)))
		})
		if got := hex.EncodeToString(h.Sum(nil)); got != digest {
			t.Errorf("%q finds other characters than CPython", pattern)
		}
	}
	h := sha256.New()
	cased := []rune(want.Cased)
	for _, c := range cased {
		escaped := string(AppendEscaped(nil, []rune{c}))
		for _, pattern := range []string{"(?i)" + escaped, "(?i)[" + escaped + "]"} {
			var found []rune
			asker[rune]{t, mustCompile(t, pattern), cased}.each(func(m *Matcher) {
				start, end := m.Span(0)
				found = append(found, cased[start:end]...)
			})
			h.Write([]byte(string(found) + ";"))
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want.Folds {
		t.Error("case variants differ from CPython")
	}
}
