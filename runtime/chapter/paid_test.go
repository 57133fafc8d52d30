package chapter_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

var errEmpty = errors.New("out of cycles")

// purse is a meter with so many cycles.
type purse struct{ left uint64 }

func (m *purse) Charge(n uint64) error {
	if n > m.left {
		m.left = 0
		return errEmpty
	}
	m.left -= n
	return nil
}
func (m *purse) ChargeCells(uint64) error { return nil }
func (m *purse) Left() uint64             { return m.left }
func (m *purse) CellsLeft() uint64        { return 0 }

// A scan pays 100 cycles for each entry that it gives beyond those that are free, and 25 for each that the block has removed; it ends where the meter does.
//
// Spec: WP §17.3.
func TestPaidScan(t *testing.T) {
	first := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for _, k := range []string{"a1", "a2", "a3", "a4", "a5", "b"} {
		first.Set([]byte(k), []byte("x"))
	}
	base, err := first.Commit(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cycles, left uint64
		given        int
		err          error
	}{
		{1_000, 1_000 - 100 - 3*25, 2, nil}, // one of two is free
		{175, 0, 2, nil},
		{174, 0, 1, errEmpty},
		{74, 0, 1, errEmpty},
		{24, 0, 0, errEmpty},
	} {
		t.Run(fmt.Sprint(c.cycles), func(t *testing.T) {
			o := base.Overlay()
			for _, k := range []string{"a1", "a2", "a4"} {
				o.Delete([]byte(k))
			}
			meter := &purse{c.cycles}
			given := 0
			p := (&chapter.Env{State: o, Meter: meter, Block: &drain.Block{}}).Paid(1)
			err := p.Scan([]byte("a"), nil, 0, func(_, _ []byte) bool { given++; return true })
			if !errors.Is(err, c.err) || given != c.given || meter.left != c.left {
				t.Errorf("of %d cycles %d are left, %d entries given, %v; want %d, %d, %v", c.cycles, meter.left, given, err, c.left, c.given, c.err)
			}
		})
	}
}
