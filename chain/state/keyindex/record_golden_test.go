package keyindex

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of what a checkpoint holds of the index: one that changes is a change of the disk's format.
func TestGoldenRecords(t *testing.T) {
	keys := []string{"ab", "abc", "abd", "ac"}
	x := Sorted(len(keys), func(i int) (string, uint64) { return keys[i], uint64(i)<<32 + 7 })
	leaves := x.Leaves(0)
	if len(leaves) != 1 {
		t.Fatalf("%d leaves", len(leaves))
	}
	golden.Records(t, map[string][]byte{"Leaf": leaves[0].Append(nil)})
}
