package store

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Operations in ascending order are what they are one by one, whatever their sizes: below, at and above what is read at once, several large ones behind
// each other, and the largest there is. Blocks go on over them, which moves them.
//
// Spec: commonware §5.3 (floor raise), §5.10.
func TestLargeOperations(t *testing.T) {
	for name, sizes := range map[string][]int{
		"as much as is read at once": {aheadSize - 40, aheadSize - 12, aheadSize, aheadSize + 1, 3},
		"large behind large":         {40_000, 40_000, 40_000, 7, 50_000, 40_000},
		"the largest":                {state.ValueMax, 1, state.ValueMax, state.ValueMax, 40_000},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir(), testOptions())
			defer s.Close()
			height := unit.Height(0)
			block := func(set func(o *state.Overlay)) {
				t.Helper()
				o := s.Head().State().Overlay()
				set(o)
				commit, err := o.Commit(height)
				if err != nil {
					t.Fatalf("block %d: %v", height, err)
				}
				r := Record{Commit: commit, Hash: digest.Blake3([]byte{byte(height)})}
				if err := s.Append(&r); err != nil {
					t.Fatal(err)
				}
				height++
			}
			block(func(o *state.Overlay) {
				for i, size := range sizes {
					o.Set(fmt.Appendf(nil, "key %d", i), bytes.Repeat([]byte{byte(i)}, size))
				}
			})
			read := s.source.Ascending()
			for at := range s.source.Length() {
				one, err := s.source.Operation(at)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := read(at); err != nil || !bytes.Equal(got, one) {
					t.Errorf("operation %d of %d: %d bytes, %v; want %d", at, s.source.Length(), len(got), err, len(one))
				}
			}
			for i := range 2 * len(sizes) {
				block(func(o *state.Overlay) { o.Set(fmt.Appendf(nil, "small %d", i), []byte{1}) })
			}
			for i, size := range sizes {
				v, ok, err := s.Head().State().Lookup(fmt.Appendf(nil, "key %d", i))
				if err != nil || !ok || !bytes.Equal(v, bytes.Repeat([]byte{byte(i)}, size)) {
					t.Errorf("value %d: %d bytes, %v, %v", i, len(v), ok, err)
				}
			}
		})
	}
}
