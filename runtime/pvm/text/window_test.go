package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A line as long as may be shown is left as it is; one byte more, and a window of 160 characters is shown in which the place asked for stands where
// the offset says.
func TestWindow(t *testing.T) {
	whole := strings.Repeat("a", LongLine)
	if shown, down := Window(whole, 500); shown != whole || down != 0 {
		t.Errorf("%d bytes, down %d", len(shown), down)
	}
	for _, filler := range []string{"a", "é", "日", "\xff"} {
		before, after := strings.Repeat(filler, 200_000), strings.Repeat(filler, 200_000)
		for name, c := range map[string]struct {
			line  string
			at    int
			left  bool
			right bool
		}{
			"middle": {before + "X" + after, len(before), true, true},
			"start":  {"X" + after, 0, false, true},
			"end":    {before + "X", len(before), true, false},
			"near":   {filler + "X" + after, len(filler), false, true},
		} {
			t.Run(name, func(t *testing.T) {
				shown, down := Window(c.line, c.at)
				if shown[c.at-down] != 'X' {
					t.Errorf("%q, %s: %q has no X at %d", filler, name, shown, c.at-down)
				}
				if strings.HasPrefix(shown, Cut) != c.left || strings.HasSuffix(shown, Cut) != c.right {
					t.Errorf("%q, %s: %q", filler, name, shown)
				}
				if n := utf8.RuneCountInString(shown); n > 162 || n < 61 {
					t.Errorf("%q, %s: %d characters", filler, name, n)
				}
			})
		}
	}
	long := strings.Repeat("b", 2_000)
	for _, at := range []int{-5, 5_000} {
		if shown, _ := Window(long, at); len(shown) > 200 {
			t.Errorf("at %d: %d bytes", at, len(shown))
		}
	}
}

// The head of a text is its first thousand bytes, to the last whole character.
func TestHead(t *testing.T) {
	if s := strings.Repeat("c", LongLine); Head(s) != s || Head(s+"d") != s+Cut {
		t.Error("the bound is not a thousand bytes")
	}
	if got := Head("x" + strings.Repeat("é", 600)); got != "x"+strings.Repeat("é", 499)+Cut {
		t.Errorf("%d bytes", len(got))
	}
}
