package drain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// job is a scripted item: what it uses when it runs; a negative use drops it.
type job struct {
	name  string
	actor byte
	lane  params.Lane
	limit unit.Cycles
	use   int
}

// play drives a State over scripted phases and writes down what happened.
func play(start Start, batch int, phases map[Phase][]job) string {
	if start.ActorCycles == 0 {
		start.ActorCycles = 1_000_000
	}
	var log strings.Builder
	var s State
	given := map[Phase]int{}
	effect := s.Step(start)
	for {
		switch e := effect.(type) {
		case Finished:
			return strings.TrimSpace(log.String())
		case Load:
			list := phases[e.Phase]
			from := given[e.Phase]
			n := min(batch, len(list)-from, e.Limit)
			var items []Item
			for i := from; i < from+n; i++ {
				j := list[i]
				items = append(items, Item{Place: uint64(i), Actor: account.Address{j.actor}, Lane: j.lane, Limit: j.limit})
			}
			given[e.Phase] = from + n
			effect = s.Step(Loaded{Items: items, More: from+n < len(list)})
		case Deliver:
			j := phases[e.Phase][e.Item.Place]
			if j.use < 0 {
				effect = s.Step(Dropped{Turn: e.Turn})
				continue
			}
			fmt.Fprintf(&log, "%s ", j.name)
			effect = s.Step(Ran{Turn: e.Turn, Used: unit.Cycles(j.use)})
		case Refuse:
			fmt.Fprintf(&log, "!%s(%d) ", phases[Transactions][e.Item.Place].name, e.Left)
			effect = s.Step(Dropped{Turn: e.Turn})
		}
	}
}

// Spec: WP "The State Transition Function"; scheduler-timers §6; sdk §7.
func TestOrder(t *testing.T) {
	user := params.LaneUser
	got := play(Start{TimerDemand: 300}, 2, map[Phase][]job{
		Messages:     {{"m1", 1, user, 100, 10}, {"m2", 2, user, 100, 10}, {"m3", 1, user, 100, 10}},
		Transactions: {{"t1", 3, user, 100, 10}, {"t2", 3, params.LaneSystem, 100, 10}, {"t3", 4, user, 100, 10}},
		Timers:       {{"f1", 1, user, 100, 10}, {"gone", 1, user, 100, -1}, {"f2", 1, user, 100, 10}},
		Deferred:     {{"d1", 1, user, 100, 10}, {"d2", 2, user, 100, 10}},
	})
	if want := "m1 m2 m3 t1 t2 t3 f1 f2 d1 d2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An actor past its share yields, keeps its own order, and gets what is left.
//
// Spec: WP §12.1 (per_actor_per_block_cycles, burstable).
func TestBurst(t *testing.T) {
	const m = 1_000_000
	got := play(Start{}, 3, map[Phase][]job{Messages: {
		{"a1", 1, 0, m, m}, {"a2", 1, 0, m, m}, {"a3", 1, 0, m, 1}, {"b1", 2, 0, m, 5}, {"a4", 1, 0, m, 1}, {"c1", 3, 0, m, m},
		{"c2", 3, 0, m, 1}, {"b2", 2, 0, m, 5},
	}})
	if want := "a1 b1 c1 b2 a2 a3 a4 c2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Transactions count towards the share and never yield.
	got = play(Start{TimerDemand: 3 * m}, 3, map[Phase][]job{
		Transactions: {{"t1", 1, params.LaneUser, 2 * m, 2 * m}, {"t2", 1, params.LaneUser, 2 * m, 2 * m}},
		Timers:       {{"a", 1, 0, m, 1}, {"b", 2, 0, m, 1}},
	})
	if want := "t1 t2 b a"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Spec: WP §6.3, §17.9.
func TestLanes(t *testing.T) {
	const sys, run, user = params.LaneSystem, params.LaneRunner, params.LaneUser
	claims := func(s, r unit.Cycles) (c [params.LaneCount]unit.Cycles) { c[sys], c[run] = s, r; return c }
	for _, c := range []struct {
		name   string
		start  Start
		phases map[Phase][]job
		want   string
	}{
		{"user spills into unclaimed lanes: 22,222,222 + 40,000,000 + 8,888,888 + 8,888,890 = 80,000,000", Start{},
			map[Phase][]job{Transactions: {{"a", 1, user, 80_000_000, 80_000_000}, {"b", 1, user, 1, 1}}}, "a !b(0)"},
		{"claims do not spill, whatever they use", Start{Claims: claims(40_000_000, 8_888_888), TimerDemand: 8_888_890},
			map[Phase][]job{Transactions: {{"s", 1, sys, 40_000_000, 1}, {"r", 1, run, 8_888_888, 1},
				{"u", 1, user, 22_222_222, 22_222_222}, {"v", 1, user, 1, 1}}}, "s r u !v(0)"},
		{"a reserved lane has its own budget only", Start{Claims: claims(41_000_000, 0)},
			map[Phase][]job{Transactions: {{"s", 1, sys, 40_000_000, 39_000_000}, {"z", 1, sys, 1_000_001, 1}}}, "s !z(1000000)"},
		{"room not used is room for the next", Start{Claims: claims(40_000_000, 8_888_888), TimerDemand: 8_888_890},
			map[Phase][]job{Transactions: {{"u", 1, user, 22_000_000, 1_000}, {"v", 1, user, 22_000_000, 1}}}, "u v"},
		{"messages take half of the user lane", Start{Claims: claims(40_000_000, 8_888_888), TimerDemand: 8_888_890},
			map[Phase][]job{Messages: {{"m", 1, 0, 11_111_111, 11_111_111}, {"n", 2, 0, 1, 1}},
				Transactions: {{"u", 1, user, 11_111_111, 0}, {"v", 1, user, 11_111_112, 0}}}, "m u !v(11111111)"},
		{"deferred calls are held a quarter", Start{Claims: claims(40_000_000, 8_888_888), TimerDemand: 8_888_890, DeferredPending: true},
			map[Phase][]job{Transactions: {{"u", 1, user, 22_222_222 - 5_555_555, 22_222_222 - 5_555_555}, {"v", 2, user, 1, 1}},
				Timers:   {{"f", 3, 0, 8_888_890, 8_888_890}},
				Deferred: {{"d", 4, 0, 5_555_555, 5_555_555}, {"e", 5, 0, 1, 1}}}, "u !v(0) f d"},
		{"timers stop at the first that does not fit", Start{TimerDemand: 8_888_890},
			map[Phase][]job{Timers: {{"a", 1, 0, 8_000_000, 8_000_000}, {"b", 2, 0, 888_891, 1}, {"c", 3, 0, 1, 1}}}, "a"},
		{"deferred calls get what timers leave", Start{Claims: claims(40_000_000, 8_888_888), TimerDemand: 8_888_890},
			map[Phase][]job{Transactions: {{"u", 1, user, 22_222_222, 22_222_222}}, Timers: {{"f", 1, 0, 8_000_000, 888_890}},
				Deferred: {{"d", 2, 0, 8_000_000, 8_000_000}, {"e", 3, 0, 1, 1}}}, "u f d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := play(c.start, 2, c.phases); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		})
	}
}

// However cheap, a phase runs so many injected turns and looks at four times as many items.
func TestTurnsPerPhase(t *testing.T) {
	jobs := make([]job, TurnsPerPhase+10)
	for i := range jobs {
		jobs[i] = job{"x", byte(i), 0, 1, 0}
	}
	if got := len(strings.Fields(play(Start{}, Batch, map[Phase][]job{Messages: jobs}))); got != TurnsPerPhase {
		t.Errorf("%d turns", got)
	}
	jobs = make([]job, 5*TurnsPerPhase)
	for i := range jobs {
		jobs[i] = job{"x", 1, 0, 1, -1}
	}
	jobs[len(jobs)-1].use = 1
	if got := play(Start{}, Batch, map[Phase][]job{Messages: jobs}); got != "" {
		t.Errorf("looked at everything: %s", got)
	}
}

// An answer to nothing, a second Start and more use than allowed are bugs of the caller.
func TestMisuse(t *testing.T) {
	panics := func(name string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", name)
			}
		}()
		f()
	}
	panics("ran without a turn", func() { var s State; s.Step(Start{}); s.Step(Ran{}) })
	panics("started twice", func() { var s State; s.Step(Start{}); s.Step(Start{}) })
	panics("used too much", func() {
		var s State
		s.Step(Start{ActorCycles: 1})
		s.Step(Loaded{Items: []Item{{Limit: 1}}})
		s.Step(Ran{Used: 2})
	})
}

// Whatever the items and what they use: the block's cycles are never exceeded and every item runs at most once.
//
// Spec: WP §4.3 (hard cap), §17.9.
func FuzzState(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() uint32 {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return uint32(b)
		}
		start := Start{ActorCycles: 1_000_000, DeferredPending: next()%2 == 0, TimerDemand: unit.Cycles(next() * 40_000)}
		phases := map[Phase][]job{}
		for phase := Messages; phase < Jobs; phase++ {
			for range next() % 40 {
				limit := next() * 100_000
				j := job{actor: byte(next() % 4), lane: params.Lane(next() % uint32(params.LaneCount)), limit: unit.Cycles(limit)}
				j.use = int(limit) * int(next()) / 255
				if j.lane == params.LaneTimer {
					j.lane = params.LaneUser
				}
				if phase == Transactions {
					start.Claims[j.lane] += j.limit
				}
				phases[phase] = append(phases[phase], j)
			}
		}
		var s State
		var total unit.Cycles
		ran := map[string]bool{}
		given := map[Phase]bool{}
		effect := s.Step(start)
		for {
			switch e := effect.(type) {
			case Finished:
				if total > params.BlockCycles {
					t.Fatalf("%d cycles in a block", total)
				}
				return
			case Load:
				var items []Item
				for i, j := range phases[e.Phase] {
					items = append(items, Item{Place: uint64(i), Actor: account.Address{j.actor}, Lane: j.lane, Limit: j.limit})
				}
				if given[e.Phase] {
					t.Fatal("asked for more than there is")
				}
				given[e.Phase] = true
				effect = s.Step(Loaded{Items: items})
			case Deliver:
				key := fmt.Sprint(e.Phase, e.Item.Place)
				if ran[key] {
					t.Fatalf("%s ran twice", key)
				}
				ran[key] = true
				used := unit.Cycles(phases[e.Phase][e.Item.Place].use)
				total += used
				effect = s.Step(Ran{Turn: e.Turn, Used: used})
			case Refuse:
				effect = s.Step(Dropped{Turn: e.Turn})
			}
		}
	})
}

// Whoever says that there is more without giving any is not asked for it again.
func TestMoreNeedsAnItem(t *testing.T) {
	s := &State{}
	s.Step(Start{})
	if got, ok := s.Step(Loaded{More: true}).(Load); !ok || got.Phase != Fires {
		t.Errorf("%+v", got)
	}
}
