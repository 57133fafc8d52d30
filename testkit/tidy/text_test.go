package tidy

import (
	"strings"
	"testing"
)

// TestPagesHaveOneWidth holds the prose of every page to the width that source has.
func TestPagesHaveOneWidth(t *testing.T) {
	found, err := WideText(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range found.Against(nil) {
		t.Errorf("%s lines of more than %d columns", problem, maxWidth)
	}
}

// TestWideProse tells prose from what may be wide.
func TestWideProse(t *testing.T) {
	long := strings.Repeat("é ", maxWidth/2) + "x"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"prose":            {"one\n" + long + "\n\n" + long, 2},
		"as wide as it is": {long[:len(long)-1], 0},
		"an item":          {"- " + long, 1},
		"an item's rest":   {"- one\n  " + long, 1},
		"a row":            {"| " + long + " |", 0},
		"a heading":        {"## " + long, 0},
		"code":             {"    " + long, 0},
		"fenced":           {"```\n" + long + "\n```\n" + long, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := wideProse(c.text); got != c.want {
				t.Errorf("%d wide lines, want %d", got, c.want)
			}
		})
	}
}
