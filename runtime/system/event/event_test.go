package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/event"
)

// What a hook does, how it ends, and what is left of its work: its failure undoes it alone, and still costs its gas.
//
// Spec: gateway-payments-streams §H.2 (emit).
func TestWhatHooksDo(t *testing.T) {
	w := newWorld(t)
	emitter := w.actor()
	poor := w.ann.Deploy(source, []byte{})
	for _, c := range []struct {
		plan string
		code uint16
		seen string
	}{
		{"well", 0, "1"},
		{"raise", drain.FaultException, ""},
		{"burn", drain.FaultCycles, ""},
		{"store 100", 0, "1"},
		{"store 60000", drain.FaultCells, ""},
		{"send", drain.FaultForbidden, ""},
		{"timer", drain.FaultForbidden, ""},
		{"later", drain.FaultForbidden, ""},
		{"again t", 0, "1"},
		{"use 40000", 0, "1"},
		{"use 60000", drain.FaultCycles, ""},
		{"pay " + fmt.Sprintf("%x", [20]byte(poor)), 0, "1"},
	} {
		t.Run(c.plan, func(t *testing.T) {
			w := &world{w.Chain.Fork(t), t, nil}
			w.ann = w.Account("ben")
			hooked := w.actor()
			id := w.subscribe(hooked, emitter, "t", 60_000, 0, c.plan)
			r := w.ann.Try(emitter, "emit", "t 1 -")
			if want := fmt.Sprintf("0 %d 0 0", c.code); r.Status != block.Success || string(r.ReturnData) != want {
				t.Fatalf("%v %+v %q, want %q", r.Status, r.Fault, r.ReturnData, want)
			}
			s := w.sub(id)
			if w.seen(hooked) != c.seen || s.Fires != 1 || s.LastOutcome != c.code || s.Gas >= 60_000-5_000 && c.plan == "use 40000" {
				t.Errorf("seen %q, %+v", w.seen(hooked), s)
			}
			if spent := c.plan == "burn" || c.plan == "use 60000" || c.plan == "store 60000"; spent != (s.Gas == 0) {
				t.Errorf("%d gas is left", s.Gas)
			}
			if s.Gas > 60_000-2_000 {
				t.Errorf("%d gas is left: a fire costs 2,000 and what it runs", s.Gas)
			}
			w.held(id)
		})
	}
}

// What a hook is called with, and by whom.
//
// Spec: gateway-payments-streams §H.2; sdk §19.4.
func TestAHookIsCalled(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	w.subscribe(hooked, emitter, "t", 100_000, 0, "")
	w.emit(emitter, "t")
	if got, want := string(w.Storage(hooked, "last")), fmt.Sprintf("%x t payload 1d", [20]byte(emitter)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := w.emit(emitter, "other"); got != "None" {
		t.Errorf("of a topic nobody subscribed to: %q", got)
	}
}

// Every coin of a subscription's life: fee and bid are burned, gas and cells are kept, and what is left of them comes back.
//
// Spec: gateway-payments-streams §H.2 (subscribe_event, topup_subscription, update_bid, unsubscribe_event, force_unsubscribe_event).
func TestCoinsOfASubscription(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	rate := unit.Amount(w.Blocks()[len(w.Blocks())-1].Basefees.Cycle)
	cell := unit.Amount(w.Blocks()[len(w.Blocks())-1].Basefees.Cell)
	before := w.Balance(hooked)
	id := w.subscribe(hooked, emitter, "t", 50_000, 700, "")
	bond := (400 + 1 + 4) * cell
	if got, want := before-w.Balance(hooked), 60_000*rate+700+bond; got != want {
		t.Fatalf("subscribing takes %d, want %d", got, want)
	}
	if got := w.held(id); got != 50_000*rate+bond {
		t.Errorf("%d is held", got)
	}
	w.ann.Call(hooked, "topup", hexOf(id)+" 10000")
	w.ann.Call(hooked, "bid", hexOf(id)+" 300")
	if got, want := before-w.Balance(hooked), 70_000*rate+1_000+bond; got != want {
		t.Errorf("with more gas and a higher bid %d are gone, want %d", got, want)
	}
	if s := w.sub(id); s.Gas != 60_000 || s.Prepaid != 60_000 || s.Bid != 1_000 {
		t.Errorf("%+v", s)
	}
	w.emit(emitter, "t")
	s := w.sub(id)
	if s.Paid != unit.Amount(s.Gas)*rate {
		t.Errorf("%d gas is worth %d at %d", s.Gas, s.Paid, rate)
	}
	w.fails(emitter, "leave", hexOf(id), chapter.FaultParty)
	w.fails(hooked, "expel", hexOf(id), chapter.FaultParty)
	w.ann.Call(emitter, "expel", hexOf(id))
	if got, want := before-w.Balance(hooked), (70_000-unit.Amount(s.Gas))*rate+1_000; got != want {
		t.Errorf("after all %d are gone, want %d", got, want)
	}
	w.held()
	w.fails(hooked, "leave", hexOf(id), chapter.FaultUnknown)
	if got := w.emit(emitter, "t"); got != "None" {
		t.Errorf("a hook that is gone: %q", got)
	}
}

// Spec: gateway-payments-streams §H.2 (errors; parameters).
func TestWhatSubscriptionsRefuse(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	id := w.subscribe(hooked, emitter, "t", 50_000, 0, "")
	sub := func(topic string, gas uint64, bid string) string {
		return fmt.Sprintf("%x %s hook %d %s", [20]byte(emitter), topic, gas, bid)
	}
	for _, c := range []struct {
		handler, payload string
		code             uint16
	}{
		{"subscribe", sub("t", 50_000, "0"), 0},
		{"subscribe", sub("t", 49_999, "0"), chapter.FaultPrepaid},
		{"subscribe", sub(strings.Repeat("t", 64), 50_000, "0"), 0},
		{"subscribe", sub(strings.Repeat("t", 65), 50_000, "0"), chapter.FaultTopic},
		{"subscribe", sub("", 50_000, "0"), chapter.FaultTopic},
		{"subscribe", sub("t", 50_000, "18446744073709551615"), drain.FaultInput},
		{"subscribe", sub("t", 18446744073709551615, "0"), drain.FaultInput},
		{"subscribe", sub("t", 50_000, "1000000000000000"), drain.FaultValue},
		{"subscribe", fmt.Sprintf("%x t _hook 50000 0", [20]byte(emitter)), drain.FaultInput},
		{"subscribe", fmt.Sprintf("%x t hook 50000 0", [20]byte(account.Address{5})), drain.FaultActor},
		{"subscribe", fmt.Sprintf("%x t hook 50000 0", [20]byte(w.ann.Address())), drain.FaultActor},
		{"bid", hexOf(id) + " 0", chapter.FaultZero},
		{"bid", hexOf(id) + " 1", 0},
		{"bid", hexOf(id) + " 18446744073709551615", drain.FaultInput},
		{"topup", hexOf(id) + " 0", chapter.FaultZero},
		{"topup", hexOf(id) + " 1", 0},
		{"topup", hexOf(id) + " 18446744073709551615", drain.FaultInput},
		{"topup", strings.Repeat("0", 64) + " 1", chapter.FaultUnknown},
		{"leave", "short", drain.FaultInput},
		{"leave", strings.Repeat("0", 64), chapter.FaultUnknown},
	} {
		t.Run(c.handler+" "+c.payload, func(t *testing.T) {
			if r := w.ann.Try(hooked, c.handler, c.payload); r.Fault.Code != c.code {
				t.Errorf("%v %+v, want %d", r.Status, r.Fault, c.code)
			}
		})
	}
	w.fails(emitter, "bid", hexOf(id)+" 1", chapter.FaultParty)
	if r := w.ann.Try(emitter, "topup", hexOf(id)+" 7"); r.Status != block.Success { // anyone
		t.Errorf("%+v", r.Fault)
	}
}

// Bids decide the order; equal ones the block; what is raised counts from the next emit on.
//
// Spec: gateway-payments-streams §H.1, §H.2 (get_rank, get_topic_orderbook, get_min_bid_for_rank).
func TestTheOrderOfBids(t *testing.T) {
	w := newWorld(t)
	emitter, a, b, c := w.actor(), w.actor(), w.actor(), w.actor()
	first := w.subscribe(a, emitter, "t", 50_000, 10, "raise")
	second := w.subscribe(b, emitter, "t", 50_000, 10, "burn")
	third := w.subscribe(c, emitter, "t", 50_000, 9, "well")
	if got := w.emit(emitter, "t"); got != fmt.Sprintf("0 %d %d 0 0 0", drain.FaultException, drain.FaultCycles) {
		t.Errorf("%q", got)
	}
	w.ann.Call(b, "topup", hexOf(second)+" 50000")
	w.ann.Call(c, "bid", hexOf(third)+" 2")
	if got := w.emit(emitter, "t"); got != fmt.Sprintf("0 0 %d %d 0 0", drain.FaultException, drain.FaultCycles) {
		t.Errorf("after a higher bid: %q", got)
	}
	ask := func(rank int) string {
		return w.ann.Call(a, "read", fmt.Sprintf("%x t %d", [20]byte(emitter), rank))
	}
	book := fmt.Sprintf("[('%s', 11), ('%s', 10), ('%s', 10)]", hexOf(third)[:4], hexOf(first)[:4], hexOf(second)[:4])
	for rank, want := range []string{"12", "11", "11", "0", "None"} {
		if got := ask(rank); got != book+want {
			t.Errorf("rank %d: %s, want %s%s", rank, got, book, want)
		}
	}
	for i, id := range []string{hexOf(third), hexOf(first), hexOf(second), strings.Repeat("0", 64)} {
		want := fmt.Sprint(i)
		if i == 3 {
			want = "None"
		}
		if got := w.ann.Call(a, "rank", id); got != want {
			t.Errorf("rank of %s: %s, want %s", id, got, want)
		}
	}
}

// Caps keep an emit from its hooks and never fail it; those of hooks are counted apart.
//
// Spec: gateway-payments-streams §H.2 (emits per tx, payload, nesting depth, same topic never re-entered).
func TestCapsOfEmits(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	w.subscribe(hooked, emitter, "t", 900_000, 0, "")
	for _, c := range []struct{ handler, payload, want string }{
		{"emit", "t 15 -", "14 0 0 0"},
		{"emit", "t 16 -", "15 0 0 0"},
		{"emit", "t 17 -", fmt.Sprintf("0  0 %d", chapter.FaultEmits)},
		{"long", "4095", "0 0 0 0"},
		{"long", "4096", "0 0 0 0"},
		{"long", "4097", fmt.Sprintf("0  0 %d", chapter.FaultPayload)},
	} {
		t.Run(c.handler+" "+c.payload, func(t *testing.T) {
			w := &world{Chain: w.Chain.Fork(t)}
			w.ann = w.Account("ben")
			if got := w.ann.Call(emitter, c.handler, c.payload); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	t.Run("again", func(t *testing.T) {
		w := &world{w.Chain.Fork(t), t, nil}
		w.ann = w.Account("ben")
		w.ann.Call(hooked, "plan", "again t")
		w.emit(emitter, "t")
		if got, want := string(w.Storage(hooked, "again")), fmt.Sprintf("0  0 %d", chapter.FaultReentered); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("hooks emit too often", func(t *testing.T) {
		w := &world{w.Chain.Fork(t), t, nil}
		w.ann = w.Account("ben")
		other := w.actor()
		w.ann.Call(hooked, "plan", "many u 17")
		w.subscribe(other, hooked, "u", 900_000, 0, "")
		if got := w.ann.Call(emitter, "emit", "t 2 -"); got != "17 0 0 0" { // its own emits are not used up
			t.Errorf("%q", got)
		}
		if got, want := string(w.Storage(hooked, "many")), fmt.Sprintf("0  0 %d", chapter.FaultEmits); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// Hooks that emit run hooks in turn, four deep.
//
// Spec: gateway-payments-streams §H.2 (nesting depth 4).
func TestEmitsAreNestedFourDeep(t *testing.T) {
	w := newWorld(t)
	list := []account.Address{w.actor(), w.actor(), w.actor(), w.actor(), w.actor(), w.actor()}
	for i, a := range list[1:] {
		w.subscribe(a, list[i], "t", 900_000, 0, "chain t")
	}
	if got := w.emit(list[0], "t"); got != "0 0 0 0" {
		t.Fatalf("%q", got)
	}
	for i, want := range []string{"1 0 0 0", "2 0 0 0", "3 0 0 0", fmt.Sprintf("0  0 %d", chapter.FaultDepth), ""} {
		if got := string(w.Storage(list[i+1], "chain")); got != want {
			t.Errorf("actor %d: %q, want %q", i+1, got, want)
		}
	}
}

// Where calls are nested deep, the hooks wait: they would have no calls of their own left.
//
// Spec: gateway-payments-streams §H.2.
func TestDeepEmitsLeaveTheirHooks(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	w.subscribe(hooked, emitter, "t", 900_000, 0, "")
	for depth, want := range map[int]string{23: "0 0 0 0", 24: "0  1 0"} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			w := &world{w.Chain.Fork(t), t, nil}
			w.ann = w.Account("ben")
			if got := w.ann.Call(emitter, "bury", fmt.Sprintf("%d|t 1 -", depth)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			w.Mine()
			if got := w.seen(hooked); got != "1" {
				t.Errorf("seen %q", got)
			}
		})
	}
}

// Whatever becomes of the turn that emits, what its hooks used is paid, once.
//
// Spec: gateway-payments-streams §H.2 (a failure still costs its gas).
func TestHooksOfFailedTurnsArePaid(t *testing.T) {
	w := newWorld(t)
	emitter, other, hooked := w.actor(), w.actor(), w.actor()
	id := w.subscribe(hooked, emitter, "t", 900_000, 0, "use 100000")
	w.emit(emitter, "t") // the first time finds nothing to count on from
	first := w.sub(id).Gas
	w.emit(emitter, "t")
	once := first - w.sub(id).Gas
	for _, c := range []struct {
		by            account.Address
		name, payload string
		times         uint64
	}{
		{emitter, "emit", "t 1 raise", 1},
		{emitter, "emit", "t 2 loop", 2},
		{other, "caught", fmt.Sprintf("%x|t 1 raise", [20]byte(emitter)), 3},
	} {
		t.Run(c.name+" "+c.payload, func(t *testing.T) {
			before, seen := w.sub(id), w.seen(hooked)
			w.ann.Try(c.by, c.name, c.payload)
			after := w.sub(id)
			// parts of a cell are rounded once a turn
			if got := before.Gas - after.Gas; got > c.times*once || got <= c.times*(once-1) || after.Fires != before.Fires+c.times {
				t.Errorf("%d gas for %d fires of %d", got, c.times, once)
			}
			if w.seen(hooked) != seen {
				t.Error("a hook of a turn that failed is not undone")
			}
			w.held(id)
		})
	}
}

// Gas that comes in a block is of no use in it: a turn could take it back by failing.
//
// Spec: gateway-payments-streams §H.2.
func TestNewGasWaitsForTheNextBlock(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	id := w.subscribe(hooked, emitter, "t", 50_000, 0, "burn")
	w.emit(emitter, "t")
	if s := w.sub(id); s.Gas != 0 {
		t.Fatalf("%+v", s)
	}
	w.ann.Call(hooked, "topup", hexOf(id)+" 50000")
	if got := w.emit(emitter, "t"); got != fmt.Sprintf("0 %d 0 0", drain.FaultCycles) {
		t.Errorf("a block later: %q", got)
	}
	if got := w.emit(emitter, "t"); got != "0  0 0" { // there is none: it goes
		t.Errorf("%q", got)
	}
	if _, err := event.Load(w.State(), id); err != event.ErrUnknown {
		t.Errorf("%v", err)
	}
	w.held()
}

// What cowboy_sdk.events makes of an emit.
//
// Spec: sdk §19.4 (EmitResult).
func TestTheSDKOfEvents(t *testing.T) {
	const author = `from cowboy_sdk import actor, deferred, public, runtime
from cowboy_sdk.events import emit_event, get_rank, subscribe_event, unsubscribe_event

@actor
class Board:
    @public
    def init(self, p): pass

    @public
    @deferred
    def follow(self, p):
        return subscribe_event(runtime.get_actor_address(), "news", "told", 200_000, 5)

    @public
    def say(self, p):
        r = emit_event("news", {"n": 1})
        return repr((r.emit_id, [(f.ok, f.sub_id == p) for f in r.fired], r.deferred, r.refused, r.ok)).encode()

    @public
    def leave(self, p):
        rank = get_rank(p)
        return repr((rank, unsubscribe_event(p))).encode()

    def told(self, emitter, topic, payload):
        self.storage["told"] = [topic, payload]
`
	w := newWorld(t)
	board := w.ann.Deploy(author, []byte{})
	w.ann.Fund(board, 100*unit.CBY)
	if got := w.ann.Call(board, "say", ""); got != "(None, [], [], 0, True)" {
		t.Errorf("without subscribers: %s", got)
	}
	id := w.ann.Call(board, "follow", "")
	if got := w.ann.Call(board, "say", id); got != "(0, [(True, True)], [], 0, True)" {
		t.Errorf("with one: %s", got)
	}
	if got := w.ann.Call(board, "leave", id); got != "(0, True)" {
		t.Errorf("%s", got)
	}
	w.held()
}

// Anybody adds gas with coins of an Execute transaction; what they buy no whole unit with comes back, and 0x1D keeps no account.
//
// Spec: gateway-payments-streams §H.2 (topup_subscription: anyone); WP §9 (virtual).
func TestAnybodyAddsGas(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	id := w.subscribe(hooked, emitter, "t", 50_000, 0, "")
	rate := unit.Amount(w.Blocks()[len(w.Blocks())-1].Basefees.Cycle)
	before := w.Balance(w.ann.Address())
	r := w.ann.TryWith(event.Home(), "topup_subscription", string(id[:]), 7*rate+rate-1)
	if r.Status != block.Success {
		t.Fatalf("%+v", r.Fault)
	}
	if s := w.sub(id); s.Gas != 50_007 {
		t.Errorf("%+v", s)
	}
	if paid := before - w.Balance(w.ann.Address()) - r.FeeBurned - r.FeeTipped; paid != 7*rate {
		t.Errorf("%d is paid, want %d", paid, 7*rate)
	}
	w.held(id)
	for name, c := range map[string]struct {
		payload string
		value   unit.Amount
		code    uint16
	}{
		"too little": {string(id[:]), rate - 1, chapter.FaultZero},
		"nothing":    {string(id[:]), 0, chapter.FaultZero},
		"unknown":    {strings.Repeat("x", 32), rate, chapter.FaultUnknown},
		"no id":      {"x", rate, drain.FaultInput},
	} {
		t.Run(name, func(t *testing.T) {
			before := w.Balance(w.ann.Address())
			r := w.ann.TryWith(event.Home(), "topup_subscription", c.payload, c.value)
			if r.Fault.Code != c.code || w.Balance(w.ann.Address()) != before-r.FeeBurned-r.FeeTipped {
				t.Errorf("%+v, want %d", r.Fault, c.code)
			}
		})
	}
	if w.Balance(event.Home()) != 0 {
		t.Errorf("0x1D has %d", w.Balance(event.Home()))
	}
}
