package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// books are blocks that a node keeps with their flows; the first has none.
type books struct {
	source
	times  []uint64 // in milliseconds
	sheets []*flow.Sheet
}

func (b *books) Header(h unit.Height) (*block.Header, error) {
	return &block.Header{Height: h, TimestampMs: b.times[h]}, nil
}

func (b *books) Flows(h unit.Height) (*flow.Sheet, error) {
	if b.sheets[h] == nil {
		return nil, ledger.ErrAbsent
	}
	return b.sheets[h], nil
}

// add makes a block some time after the last, with random flows.
func (b *books) add(r *rand.Rand) {
	var s *flow.Sheet
	last := uint64(0)
	if len(b.times) > 0 {
		last = b.times[len(b.times)-1]
		s = &flow.Sheet{Supply: unit.Amount(1_000_000 + r.IntN(1_000))}
		for range r.IntN(5) {
			s.Add(flow.Kind(r.IntN(5)), []string{flow.Cycles, flow.Rent, flow.Treasury, flow.Tips}[r.IntN(4)], unit.Amount(r.IntN(1_000)))
		}
	}
	b.source, b.sheets = append(b.source, nil), append(b.sheets, s)
	b.times = append(b.times, max(last, 1_700_000_000_000)+uint64(r.IntN(40_000)))
}

// want is what a resolution's slots hold, added up by maps.
func (b *books) want(r Resolution) []string {
	sums, supply := map[uint64]map[string]unit.Amount{}, map[uint64]unit.Amount{}
	newest := uint64(0)
	for i, s := range b.sheets {
		if s == nil {
			continue
		}
		slot := b.times[i] / uint64(r.Each().Milliseconds())
		if sums[slot] == nil {
			sums[slot] = map[string]unit.Amount{}
		}
		newest, supply[slot] = max(newest, slot), s.Supply
		for _, l := range s.Lines {
			sums[slot][fmt.Sprint(l.Kind, " ", l.Label)] += l.Amount
		}
	}
	var list []string
	for slot, lines := range sums {
		if slot+uint64(r.Slots()) > newest {
			list = append(list, fmt.Sprintf("%012d %d %v", slot, supply[slot], lines)) // fmt sorts a map's keys
		}
	}
	slices.Sort(list)
	return list
}

func got(list []Flow) (text []string) {
	for _, f := range list {
		lines := map[string]unit.Amount{}
		for _, l := range f.Lines {
			lines[fmt.Sprint(l.Kind, " ", l.Label)] = l.Amount
		}
		text = append(text, fmt.Sprintf("%012d %d %v", f.Slot, f.Supply, lines))
	}
	return text
}

// The flows of each slot, and of all blocks, are what the blocks' sheets add up to: of an index that followed them with a restart in between, and of one
// that is made anew from the same blocks.
//
// Spec: WP §8.1, §8.4.
func TestFlowsOfARebuiltIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	b := &books{}
	for range 700 {
		b.add(r)
	}
	path := filepath.Join(t.TempDir(), "index.db")
	check := func(what string) {
		t.Helper()
		s := &Subsystem{Path: path, Source: b, Handle: NewHandle()}
		s.open()
		defer s.close()
		for range len(b.source)/batch + 2 {
			s.catchUp()
		}
		for res := range Resolution(len(rings)) {
			list, err := s.Handle.Flows(res)
			if want := b.want(res); err != nil || !slices.Equal(got(list), want) || len(want) < 2 {
				t.Errorf("%s, resolution %d: %d slots, want %d; %v", what, res, len(list), len(want), err)
			}
		}
		all, first, ok, err := s.Handle.AllFlows()
		want := flow.Sheet{}
		for _, one := range b.sheets[1:] {
			for _, l := range one.Lines {
				want.Add(l.Kind, l.Label, l.Amount)
			}
			want.Supply = one.Supply
		}
		if err != nil || !ok || first != 1 || fmt.Sprint(all) != fmt.Sprint(want) {
			t.Errorf("%s: all from %d on %v, want %v; %v", what, first, all, want, err)
		}
	}
	check("followed")
	for range 300 {
		b.add(r)
	}
	check("over a restart")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	check("made anew")
}
