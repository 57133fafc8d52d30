package syntax

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestUnparse compares the text of expressions with what CPython 3.11 keeps for
// annotations (testdata/record_unparse.py).
func TestUnparse(t *testing.T) {
	f, err := os.Open("testdata/unparse.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row [2]string
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		m, err := Parse([]byte("x: " + row[0]))
		if err != nil {
			t.Fatal(err)
		}
		if got := Unparse(m.Body[0].(*AnnAssign).Annotation); got != row[1] {
			t.Errorf("Unparse(%s) = %s, want %s", row[0], got, row[1])
		}
	}
}
