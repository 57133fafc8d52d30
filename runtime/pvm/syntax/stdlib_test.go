package syntax

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"testing"
)

// TestRecordedTrees compares trees with CPython's for every file of a recording
// made by testdata/record_trees.py, which holds sources and their dumps. The
// recording of the standard library is too large for the tree; name it in
// COWBOY_SYNTAX_TREES to run the comparison.
func TestRecordedTrees(t *testing.T) {
	path := os.Getenv("COWBOY_SYNTAX_TREES")
	if path == "" {
		t.Skip("COWBOY_SYNTAX_TREES names no recording")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	files := 0
	for ; ; files++ {
		name, err := record(r)
		if err == io.EOF {
			break
		}
		source, _ := record(r)
		want, err := record(r)
		if err != nil {
			t.Fatal(err)
		}
		m, perr := Parse(source)
		if perr != nil {
			t.Errorf("%s: %v", name, perr)
			continue
		}
		if got := dump(m); got != string(want) {
			i := 0
			for i < len(got) && i < len(want) && got[i] == want[i] {
				i++
			}
			t.Errorf("%s: trees differ:\n got …%.200s\nwant …%.200s", name, got[max(0, i-100):], want[max(0, i-100):])
		}
	}
	t.Logf("%d files", files)
}

// record reads a length and that many bytes.
func record(r io.Reader) ([]byte, error) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}
