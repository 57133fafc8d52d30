package syntax

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestTrees compares the trees of snippets that together use the whole grammar
// with those recorded from CPython 3.11, positions included.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestTrees(t *testing.T) {
	f, err := os.Open("testdata/trees.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var row [2]string
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		m, err := Parse([]byte(row[0]))
		if err != nil {
			t.Errorf("%q: %v", row[0], err)
			continue
		}
		if got := dump(m); got != row[1] {
			i := 0
			for i < len(got) && i < len(row[1]) && got[i] == row[1][i] {
				i++
			}
			t.Errorf("%q: trees differ at\n got …%.300s\nwant …%.300s", row[0], got[max(0, i-80):], row[1][max(0, i-80):])
		}
	}
}
