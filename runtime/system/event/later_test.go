package event_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/event"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// fired are the identities of the hooks that ran in a block, in their order.
func fired(w *world, height unit.Height) (ids []digest.Hash) {
	for _, b := range w.Blocks() {
		if b.Header.Height != height {
			continue
		}
		for _, r := range b.Receipts {
			for _, e := range r.Events {
				if e.Actor == event.Home() && string(e.Topic) == event.TopicFired {
					ids = append(ids, digest.Hash(e.Data[:32]))
				}
			}
		}
	}
	return ids
}

// The first 64 run at once; the others in the next block, in the same order, by system transactions of at most 64 that say which emit they come of.
//
// Spec: gateway-payments-streams §H.1 (triggered_by_emit), §H.2 (K, fires per deferred tx, delay).
func TestFiresBeyondTheFirst64Wait(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	w.ann.Fund(hooked, 1_000*unit.CBY)
	w.crowd(hooked, emitter, "t", 64+64+2, 50_000)
	order, err := event.Order(w.State(), event.TopicID(emitter, []byte("t")), event.PerTopic)
	if err != nil || len(order) != 130 {
		t.Fatal(len(order), err)
	}
	r := w.ann.Try(emitter, "emit", "t 1 -")
	if r.Status != block.Success || len(fired(w, w.Height())) != 64 || w.count(hooked) != "64" {
		t.Fatalf("%+v, %d fires, %s", r.Fault, len(fired(w, w.Height())), w.count(hooked))
	}
	at := w.Height()
	next := w.Mine()
	if w.count(hooked) != "130" {
		t.Errorf("%s hooks ran", w.count(hooked))
	}
	for i, id := range append(fired(w, at), fired(w, at+1)...) {
		if id != order[i].ID {
			t.Fatalf("fire %d is out of order", i)
		}
	}
	var hooks []*block.Receipt
	for _, x := range next.Receipts {
		if x.Kind == block.Hooks {
			hooks = append(hooks, x)
		}
	}
	if len(hooks) != 2 || len(hooks[0].Events) != 64 || len(hooks[1].Events) != 2 {
		t.Fatalf("%d system transactions", len(hooks))
	}
	for i, x := range hooks {
		want := event.Origin{Block: at, Tx: r.ID}
		if x.Emit != want || x.Cause != r.ID || x.Sender != emitter || x.Target != event.Home() || x.CyclesUsed < 2_000 {
			t.Errorf("receipt %d: %+v", i, x)
		}
		back, err := block.DecodeReceipt(x.Encode())
		if err != nil || back.Emit != want {
			t.Errorf("%+v %v", back, err)
		}
	}
	if got := w.Mine(); len(got.Receipts) != 0 {
		t.Errorf("%d receipts a block later", len(got.Receipts))
	}
}

// 512 subscribe to a topic, the next does not, until one goes.
//
// Spec: gateway-payments-streams §H.2 (512 subscribers per (emitter, topic)).
func TestATopicIsFull(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	w.ann.Fund(hooked, 4_000*unit.CBY)
	w.crowd(hooked, emitter, "t", 511, 50_000)
	last := w.subscribe(hooked, emitter, "t", 50_000, 0, "")
	payload := fmt.Sprintf("%x t hook 50000 99", [20]byte(emitter))
	w.fails(hooked, "subscribe", payload, chapter.FaultFull)
	w.ann.Call(emitter, "expel", hexOf(last))
	w.ann.Call(hooked, "subscribe", payload)
	w.fails(hooked, "subscribe", payload, chapter.FaultFull)
	w.ann.Call(hooked, "subscribe", fmt.Sprintf("%x u hook 50000 99", [20]byte(emitter)))
	w.emit(emitter, "t")
	w.Mine()
	if got := w.count(hooked); got != "511" {
		t.Errorf("%s hooks ran", got)
	}
}

// A turn fires at most 256 at once, of which those that hooks emit are at most 64.
//
// Spec: gateway-payments-streams §H.2 (sync fires per tx).
func TestSyncFiresOfATurn(t *testing.T) {
	w := newWorld(t)
	emitter, hooked, inner := w.actor(), w.actor(), w.actor()
	w.ann.Fund(hooked, 4_000*unit.CBY)
	w.crowd(hooked, emitter, "t", 60, 50_000)
	for emits, want := range map[int]int{4: 240, 5: 256, 6: 256} {
		t.Run(fmt.Sprint(emits, " emits"), func(t *testing.T) {
			w := &world{w.Chain.Fork(t), t, nil}
			w.ann = w.Account("ben")
			w.ann.Call(emitter, "emit", fmt.Sprintf("t %d -", emits))
			if got := len(fired(w, w.Height())); got != want {
				t.Errorf("%d fires, want %d", got, want)
			}
			w.Mine()
			if got := len(fired(w, w.Height())); got != emits*60-want {
				t.Errorf("%d fires in the next block, want %d", got, emits*60-want)
			}
		})
	}
	t.Run("of hooks", func(t *testing.T) {
		w := &world{w.Chain.Fork(t), t, nil}
		w.ann = w.Account("ben")
		w.subscribe(inner, hooked, "x", 900_000, 0, "many u 2")
		w.crowd(hooked, inner, "u", 40, 50_000)
		w.ann.Call(hooked, "emit", "x 1 -")
		if got := len(fired(w, w.Height())); got != 1+64 {
			t.Errorf("%d fires, want 65", got)
		}
		w.Mine()
		if got := len(fired(w, w.Height())); got != 16 {
			t.Errorf("%d fires in the next block, want 16", got)
		}
	})
}

// Hooks use what is left of the block. What does not fit waits in its order, over as many blocks as it takes, and the cycles of a block stay within it.
//
// Spec: gateway-payments-streams §H.2 (cycles of hooks count towards the block: user lane, system lane).
func TestHooksStayWithinTheBlock(t *testing.T) {
	w := newWorld(t)
	emitter := w.actor()
	var ids []digest.Hash
	for i := range 40 {
		a := w.ann.Deploy(source, []byte{})
		w.ann.Fund(a, 80*unit.CBY)
		ids = append(ids, w.subscribe(a, emitter, "t", 4_000_000, uint64(100-i), "burn"))
	}
	w.emit(emitter, "t")
	var all []digest.Hash
	for n := 0; len(all) < len(ids); n++ {
		b := w.Blocks()[len(w.Blocks())-1]
		ran := fired(w, w.Height())
		if b.Header.CyclesUsed > 80_000_000 || n > 0 && unit.Cycles(b.Header.CyclesUsed) > drain.FireCycles || len(ran) == 0 || n > 10 {
			t.Fatalf("block %d uses %d cycles for %d hooks", n, b.Header.CyclesUsed, len(ran))
		}
		all = append(all, ran...)
		w.Mine()
	}
	for i := range ids {
		if all[i] != ids[i] {
			t.Fatalf("fire %d is out of order", i)
		}
		if s := w.sub(ids[i]); s.Gas != 3_000_000 { // a fire has at most what an actor may use in a block
			t.Errorf("%d gas is left", s.Gas)
		}
	}
	w.held(ids...)
}

// A hook that there is none costs its subscriber the price of a fire; a paused 0x1D has no hooks and stops no emitter; what waits, waits.
//
// Spec: gateway-payments-streams §H.2; governance-staking B7.
func TestMissingHandlersAndPauses(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	id := w.subscribe(hooked, emitter, "t", 50_000, 0, "")
	t.Run("missing handler", func(t *testing.T) {
		w := &world{w.Chain.Fork(t), t, nil}
		w.ann = w.Account("ben")
		other := w.actor()
		none := digest.Hash([]byte(w.ann.Call(other, "subscribe", fmt.Sprintf("%x t nothing 50000 0", [20]byte(emitter)))))
		if got := w.emit(emitter, "t"); got != fmt.Sprintf("0 0 %d 0 0", drain.FaultCall) {
			t.Errorf("%q", got)
		}
		if s := w.sub(none); s.LastOutcome != drain.FaultCall || s.Gas >= 48_000 || s.Gas == 0 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("paused", func(t *testing.T) {
		w := &world{w.Chain.Fork(t), t, nil}
		w.ann = w.Account("ben")
		w.ann.Fund(hooked, 1_000*unit.CBY)
		w.crowd(hooked, emitter, "t", 70, 50_000)
		w.ann.Send(&tx.Execute{To: emitter, Handler: []byte("emit"), Payload: []byte("t 1 -")}, 2_000_000, 100_000)
		pause(w) // in the same block: 64 run, 7 wait
		if got := w.count(hooked); got != "64" || w.seen(hooked) != "" {
			t.Errorf("%s and %s hooks ran", got, w.seen(hooked))
		}
		if got := w.emit(emitter, "t"); got != "None" {
			t.Errorf("%q", got)
		}
		w.fails(hooked, "leave", hexOf(id), drain.FaultPaused)
		if got := w.count(hooked); got != "64" {
			t.Errorf("%s hooks ran while it is paused", got)
		}
		if c, err := event.LoadCounters(w.State()); err != nil || c.Waiting != 1 {
			t.Errorf("%+v %v", c, err)
		}
	})
}

// pause has the council pause 0x1D.
func pause(w *world) {
	w.t.Helper()
	in := &tx.CouncilAct{Act: tx.ActPause, Actor: event.Home()}
	for _, k := range genesis.DevCouncil()[:7] {
		signature := k.Sign(govern.Digest(testkit.ChainID, 0, 0, govern.PauseAct(in.Actor)))
		in.Signatures = append(in.Signatures, signature[:]...)
	}
	if r := w.ann.Do(in, 500_000, 50_000); r.Status != block.Success {
		w.t.Fatalf("%+v", r.Fault)
	}
}
