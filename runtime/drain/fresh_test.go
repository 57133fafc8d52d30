package drain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// runs gives how many turns run in each phase of a block whose phases hold four items each, when the first message and the first transaction load programs of
// such weights that nobody loaded before.
func runs(message, transaction uint32) []int {
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
			ran := Ran{Turn: e.Turn, Used: 1}
			if count[e.Phase] == 0 {
				ran.Fresh = map[Phase]uint32{Messages: message, Transactions: transaction}[e.Phase]
			}
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
			if got := runs(c.message, c.transaction); !slices.Equal(got, c.want) {
				t.Errorf("messages load %d, transactions %d: turns %v, want %v", c.message, c.transaction, got, c.want)
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
