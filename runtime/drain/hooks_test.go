package drain

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// rooms drives a State over items of 1,000 cycles and gives the room of each, whose hooks use what use says of it.
func rooms(start Start, phases map[Phase][]Item, use func(room unit.Cycles) unit.Cycles) (list []unit.Cycles, total unit.Cycles) {
	start.ActorCycles = 1 << 40
	for _, x := range phases[Transactions] {
		start.Claims[x.Lane] += x.Limit
	}
	s := &State{}
	effect := s.Step(start)
	for {
		switch e := effect.(type) {
		case Finished:
			return list, total
		case Load:
			effect = s.Step(Loaded{Items: phases[e.Phase]})
		case Refuse:
			list = append(list, 0)
			effect = s.Step(Dropped{Turn: e.Turn})
		case Deliver:
			list = append(list, e.Room)
			ran := Ran{Turn: e.Turn, Used: e.Item.Limit, Hooks: use(e.Room)}
			if e.Phase == Fires {
				ran.Used = 0
			}
			total += ran.Used + ran.Hooks
			effect = s.Step(ran)
		}
	}
}

// Hooks get what nothing else has claimed, and no transaction of the block is refused for what they use.
//
// Spec: gateway-payments-streams §H.2 (the first part in the user lane, the deferred in the system lane).
func TestRoomForHooks(t *testing.T) {
	const sys, run, user = params.LaneSystem, params.LaneRunner, params.LaneUser
	item := func(n byte, lane params.Lane, limit unit.Cycles) Item {
		return Item{Actor: account.Address{n}, Lane: lane, Limit: limit}
	}
	full := Item{Lane: sys, Limit: 40_000_000}
	other := Item{Lane: run, Limit: 8_888_888}
	all := func(room unit.Cycles) unit.Cycles { return room }
	none := func(unit.Cycles) unit.Cycles { return 0 }
	for _, c := range []struct {
		name   string
		start  Start
		phases map[Phase][]Item
		use    func(unit.Cycles) unit.Cycles
		want   []unit.Cycles
	}{
		{"an empty block is theirs but for the turn", Start{}, map[Phase][]Item{Transactions: {item(1, user, 1_000_000)}}, none, []unit.Cycles{79_000_000}},
		{"what others claim is not", Start{TimerDemand: 8_888_890},
			map[Phase][]Item{Transactions: {full, other, item(1, user, 1_222_222), item(2, user, 1_000_000)}}, none,
			[]unit.Cycles{20_000_000, 20_000_000, 20_000_000, 20_000_000}},
		{"a full lane has none", Start{TimerDemand: 8_888_890},
			map[Phase][]Item{Transactions: {full, other, item(1, user, 22_222_222)}}, all, []unit.Cycles{0, 0, 0}},
		{"what they use is gone", Start{TimerDemand: 8_888_890},
			map[Phase][]Item{Transactions: {full, other, item(1, user, 2_222_222), item(2, user, 1_000_000)}}, all,
			[]unit.Cycles{19_000_000, 0, 0, 0}},
		{"of a message, within what messages take", Start{}, map[Phase][]Item{Messages: {item(1, user, 1_000_000), item(2, user, 1_000_000)}}, all,
			[]unit.Cycles{10_111_111}},
		{"of a timer, beside what is reserved", Start{TimerDemand: 2_000}, map[Phase][]Item{Timers: {item(1, user, 1_000), item(2, user, 1_000)}}, all,
			[]unit.Cycles{79_997_000, 0}},
		{"of a deferred call, what is left", Start{DeferredPending: true}, map[Phase][]Item{Deferred: {item(1, user, 1_000_000)}}, all,
			[]unit.Cycles{79_000_000}},
		{"left over ones, a quarter of the system lane", Start{}, map[Phase][]Item{Fires: {item(1, sys, 1_000_000)}}, all, []unit.Cycles{10_000_000}},
		{"and what its transactions leave", Start{}, map[Phase][]Item{Fires: {item(1, sys, 1_000_000)}, Transactions: {item(2, sys, 37_000_000)}}, none,
			[]unit.Cycles{3_000_000, 43_000_000}},
		{"of which users get the rest", Start{}, map[Phase][]Item{Fires: {item(1, sys, 1_000_000)}, Transactions: {item(2, user, 1)}}, all,
			[]unit.Cycles{10_000_000, 69_999_999}},
		{"one that cannot fit does not begin", Start{}, map[Phase][]Item{Fires: {item(1, sys, 1_000_000)}, Transactions: {item(2, sys, 39_000_001)}}, none,
			[]unit.Cycles{41_000_000 - 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := rooms(c.start, c.phases, c.use); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// Whatever hooks use of their room, a block uses at most what a block may.
//
// Spec: WP §6.3; gateway-payments-streams §H.2.
func TestHooksNeverExceedTheBlock(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 4))
		phases, start := map[Phase][]Item{}, Start{DeferredPending: random.IntN(2) == 0, TimerDemand: unit.Cycles(random.IntN(8_888_890))}
		for _, phase := range []Phase{Messages, Fires, Transactions, Timers, Deferred} {
			for i := range random.IntN(12) {
				lane := params.LaneUser
				if phase == Transactions {
					lane = []params.Lane{params.LaneUser, params.LaneSystem, params.LaneRunner}[random.IntN(3)]
				}
				phases[phase] = append(phases[phase], Item{Actor: account.Address{byte(i)}, Lane: lane, Limit: unit.Cycles(1 + random.IntN(8_000_000))})
			}
		}
		if _, total := rooms(start, phases, func(room unit.Cycles) unit.Cycles { return room * unit.Cycles(random.IntN(3)) / 2 }); total > params.BlockCycles {
			t.Fatalf("seed %d: %d cycles", seed, total)
		}
	}
}
