package state

import (
	"encoding/hex"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

func mustHash(t testing.TB, text string) digest.Hash {
	t.Helper()
	h, err := digest.ParseHash(text)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// next applies writes (value "" deletes) without metadata.
func next(t testing.TB, base *Commit, writes ...string) *Commit {
	t.Helper()
	o := base.Overlay()
	for i := 0; i < len(writes); i += 2 {
		if writes[i+1] == "" {
			o.Delete([]byte(writes[i]))
		} else {
			o.Set([]byte(writes[i]), []byte(writes[i+1]))
		}
	}
	c, err := o.commit(nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func activeLocations(c *Commit) (out []uint64) {
	for i := range c.length {
		chunk := c.chunk(i / ChunkBits)
		if chunk[i%ChunkBits/8]>>(i%8)&1 == 1 {
			out = append(out, i)
		}
	}
	return out
}

// workedStates are the states of the specification's worked example.
func workedStates(t testing.TB) []*Commit {
	first := New(Config{}, NewMemory(Config{}))
	second := next(t, first, "a", "1", "c", "3", "b", "2")
	third := next(t, second, "b", "22", "c", "")
	return []*Commit{first, second, third}
}

// Spec: commonware §5.8.
func TestWorkedStates(t *testing.T) {
	want := []struct {
		ops        []string
		opsRoot    string
		stateRoot  string
		active     []uint64
		floor      uint64
		inactive   int
		graftedInv int
	}{
		{[]string{"d30000"}, "6614a5cc8a29d135422f58612bb691b3952a3452e2531387705445789fe4dc77",
			"ec755796b73db5323995ca36097811d20ed1b98c16e81d2ca50caa175b570b47", []uint64{0}, 0, 0, 0},
		{[]string{"d2016101310162", "d2016201320163", "d2016301330161", "d2016101310162", "d30002"},
			"7f026e24c55dc11fe3c656e33f69a4f286d20bc248aed4442457d0c480126624",
			"19a892740c51e75802b18b71dd4d3d48e6d2051a88e0e29d359c516a9b978a39", []uint64{2, 3, 4, 5}, 2, 0, 0},
		{[]string{"d10163", "d201620232320161", "d2016101310162", "d201620232320161", "d30008"},
			"be5e53652e8b68e08d83732332f165c888cc30abac0c82ff88425d173fed0e43",
			"a2cbe73bced63f8bb9471070b1256322e327cd1fc945702f8d10166b4460e9f5", []uint64{8, 9, 10}, 8, 1, 0},
	}
	for i, c := range workedStates(t) {
		w := want[i]
		if got := c.Delta().Len(); got != len(w.ops) {
			t.Fatalf("state %d: %d operations, want %d", i, got, len(w.ops))
		}
		for j, op := range w.ops {
			if got := hex.EncodeToString(c.Delta().Operation(j)); got != op {
				t.Errorf("state %d operation %d: %s, want %s", i, j, got, op)
			}
		}
		if c.Roots().Ops != mustHash(t, w.opsRoot) || c.Root() != mustHash(t, w.stateRoot) {
			t.Errorf("state %d: roots %+v", i, c.Roots())
		}
		active := activeLocations(c)
		if len(active) != len(w.active) {
			t.Fatalf("state %d: active %v, want %v", i, active, w.active)
		}
		for j := range active {
			if active[j] != w.active[j] {
				t.Errorf("state %d: active %v, want %v", i, active, w.active)
			}
		}
		plain, grafted := c.inactive()
		if c.Floor() != w.floor || plain != w.inactive || grafted != w.graftedInv {
			t.Errorf("state %d: floor %d, inactive peaks %d and %d", i, c.Floor(), plain, grafted)
		}
	}
}

// An empty batch still moves one operation and appends a commit.
//
// Spec: commonware §5.8.
func TestEmptyBatch(t *testing.T) {
	third := workedStates(t)[2]
	c := next(t, third)
	if got := hex.EncodeToString(c.Delta().Operation(0)); got != "d2016101310162" || c.Delta().Start != 11 {
		t.Errorf("moved %s at %d", got, c.Delta().Start)
	}
	if got := hex.EncodeToString(c.Delta().Operation(1)); got != "d30009" {
		t.Errorf("commit %s", got)
	}
}
