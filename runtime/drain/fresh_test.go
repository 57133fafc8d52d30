package drain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// runs gives how many turns run in each phase of a block whose phases hold four items each, when the first turn of a phase is as first says.
func runs(first map[Phase]Ran) []int {
	var s State
	count := make([]int, Closed)
	effect := s.Step(Start{ActorCycles: 1_000_000, TimerDemand: 400})
	for {
		switch e := effect.(type) {
		case Finished:
			return count
		case Load:
			var items []Item
			for i := range 4 {
				items = append(items, Item{Place: uint64(i), Actor: account.Address{byte(i)}, Lane: params.LaneUser, Limit: 100})
			}
			effect = s.Step(Loaded{Items: items})
		case Deliver:
			ran := Ran{}
			if count[e.Phase] == 0 {
				ran = first[e.Phase]
			}
			ran.Turn, ran.Used = e.Turn, 1
			count[e.Phase]++
			effect = s.Step(ran)
		default:
			panic(fmt.Sprint(e))
		}
	}
}

// Injected turns that load programs of FreshPerBlock leave one turn to every phase, and one unit less leaves them all. What transactions load is theirs.
//
// Spec: WP "The State Transition Function"; scheduler-timers §6.
func TestFreshPrograms(t *testing.T) {
	for i, c := range []struct {
		message, transaction uint32
		want                 []int
	}{
		{0, 0, []int{4, 4, 4, 4, 4, 0}},
		{params.FreshPerBlock - 1, 0, []int{4, 4, 4, 4, 4, 0}},
		{params.FreshPerBlock, 0, []int{1, 1, 4, 1, 1, 0}},
		{0, 10 * params.FreshPerBlock, []int{4, 4, 4, 4, 4, 0}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			first := map[Phase]Ran{Messages: {Fresh: c.message}, Transactions: {Fresh: c.transaction}}
			if got := runs(first); !slices.Equal(got, c.want) {
				t.Errorf("messages load %d, transactions %d: turns %v, want %v", c.message, c.transaction, got, c.want)
			}
		})
	}
}

// Turns that use InjectedCells, of whatever phase, leave one turn to every phase of injected ones that comes, and one cell less leaves them all.
//
// Spec: WP "The State Transition Function"; scheduler-timers §6.
func TestCellsOfInjectedTurns(t *testing.T) {
	for i, c := range []struct {
		message, transaction unit.Cells
		want                 []int
	}{
		{params.InjectedCells - 1, 0, []int{4, 4, 4, 4, 4, 0}},
		{params.InjectedCells, 0, []int{1, 1, 4, 1, 1, 0}},
		{0, params.InjectedCells, []int{4, 4, 4, 1, 1, 0}},
		{1, params.InjectedCells - 1, []int{4, 4, 4, 1, 1, 0}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			first := map[Phase]Ran{Messages: {Cells: c.message}, Transactions: {Cells: c.transaction}}
			if got := runs(first); !slices.Equal(got, c.want) {
				t.Errorf("messages use %d cells, transactions %d: turns %v, want %v", c.message, c.transaction, got, c.want)
			}
		})
	}
}

// Programs are fresh once, and again after their turn was undone.
func TestFreshReverts(t *testing.T) {
	var f Fresh
	a, b := digest.Hash{1}, digest.Hash{2}
	if f.Has(a) || !f.Add(a) || f.Add(a) || !f.Has(a) {
		t.Error("a program is loaded once")
	}
	mark := f.Mark()
	f.Add(b)
	f.Add(a)
	f.Revert(mark)
	if f.Has(b) || !f.Has(a) || !f.Add(b) {
		t.Error("what was loaded before the mark stays, what was loaded since is gone")
	}
}
