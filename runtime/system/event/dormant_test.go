package event_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// evict has an actor, which holds more than is free, lose its coins and pay no rent until it is evicted.
func (w *world) evict(actor account.Address) {
	w.t.Helper()
	admin := w.Impersonate(genesis.DevFaucet().Address())
	config := params.Genesis().Rent
	config.EpochBlocks, config.RatePerByteYear = 20, 1_000*params.BlocksPerYear
	if r := admin.Do(&tx.UpdateRentConfig{Config: config}, 100_000, 100_000); r.Status != block.Success {
		w.t.Fatalf("%+v", r.Fault)
	}
	w.SetStorage(actor, "ballast", make([]byte, 20_000))
	w.SetBalance(actor, 0)
	for range 400 {
		w.Mine()
		if w.Record(actor).Dormant {
			return
		}
	}
	w.t.Fatal("the actor was not evicted")
}

// A subscriber that was evicted costs the emitter nothing but its place: each fire takes the least there is from its gas and says why, until what is left is
// too little; then it is gone, and what it paid for its cells goes to its balance, where a restoration finds it.
//
// Spec: gateway-payments-streams §H.2 (a failure still costs its gas; removed lazily); rent §8.
func TestADormantSubscriber(t *testing.T) {
	w := newWorld(t)
	emitter, hooked, well := w.actor(), w.actor(), w.actor()
	id := w.subscribe(hooked, emitter, "t", 50_000, 1, "")
	w.subscribe(well, emitter, "t", 500_000, 0, "")
	w.evict(hooked)
	before := *w.sub(id)
	if got := w.emit(emitter, "t"); got != fmt.Sprintf("0 %d 0 0 0", drain.FaultDormant) {
		t.Errorf("%q", got)
	}
	if s := w.sub(id); before.Gas-s.Gas != params.CostEventFire || s.LastOutcome != drain.FaultDormant {
		t.Errorf("%+v, had %d", s, before.Gas)
	}
	fires := 1
	for ; fires < 40; fires++ {
		if _, err := event.Load(w.State(), id); errors.Is(err, event.ErrUnknown) {
			break
		}
		w.emit(emitter, "t")
	}
	if fires != 24 || w.seen(well) != fmt.Sprint(fires) { // 23 fires of 2,000 leave 4,000 of 50,000, which are too few
		t.Errorf("gone after %d emits, of which the other saw %s", fires, w.seen(well))
	}
	if a := w.Record(hooked); !a.Dormant || a.Balance == 0 {
		t.Errorf("%+v", a)
	}
}

// An emitter that was evicted emits nothing; whoever follows it leaves with what is left.
//
// Spec: gateway-payments-streams §H.2 (unsubscribe_event); rent §8.
func TestADormantEmitter(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	id := w.subscribe(hooked, emitter, "t", 50_000, 1, "")
	w.evict(emitter)
	if r := w.ann.Try(emitter, "emit", "t 1 -"); r.Status != block.Faulted {
		t.Errorf("%v", r.Status)
	}
	s, had := w.sub(id), w.Balance(hooked)
	w.ann.Call(hooked, "leave", hexOf(id))
	if got := w.Balance(hooked) - had; got != s.Paid+s.Bond || s.Gas != 50_000 {
		t.Errorf("%d came back of %d and %d", got, s.Paid, s.Bond)
	}
	w.held()
}
