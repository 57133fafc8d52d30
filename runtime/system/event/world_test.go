package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// source is an actor that emits, subscribes, and whose hook does what its storage says.
const source = `from pvm_host import *

def init(p):
    pass

def plan(p):
    set_state("plan", p)

def subscribe(p):
    emitter, topic, handler, gas, bid = p.decode().split(" ")
    return subscribe_event(bytes.fromhex(emitter), topic, handler, int(gas), int(bid))

def crowd(p):
    emitter, topic, number, gas = p.decode().split(" ")
    for i in range(int(number)):
        subscribe_event(bytes.fromhex(emitter), topic, "note", int(gas), int(number) - i)

def note(emitter, topic, payload):
    set_state("count", str(int(get_state("count") or b"0") + 1))

def bid(p):
    sub, delta = p.decode().split(" ")
    return update_bid(sub, int(delta))

def topup(p):
    sub, gas = p.decode().split(" ")
    return topup_subscription(sub, int(gas))

def leave(p):
    return unsubscribe_event(p)

def expel(p):
    return force_unsubscribe_event(p)

def read(p):
    emitter, topic, rank = p.decode().split(" ")
    book = get_topic_orderbook(bytes.fromhex(emitter), topic, 100)
    return (repr([(b["sub_id"].hex()[:4], b["bid"]) for b in book]) + repr(get_min_bid_for_rank(bytes.fromhex(emitter), topic, int(rank)))).encode()

def rank(p):
    return repr(get_rank(p)).encode()

def shown(r):
    if r is None:
        return "None"
    return "%d %s %d %d" % (r["emit_id"], " ".join(str(f[1]) for f in r["fired"]), len(r["deferred"]), r["refused"])

def emit(p):
    topic, times, then = p.decode().split(" ")
    out = ""
    for i in range(int(times)):
        out = shown(emit_event(topic, b"payload"))
    if then == "raise":
        raise ValueError("after the emit")
    if then == "loop":
        while True: pass
    return out.encode()

def long(p):
    return shown(emit_event("t", b"x" * int(p))).encode()

def inner(p):
    return emit(p)

def caught(p):
    target, words = p.decode().split("|")
    for i in range(3):
        try:
            call_actor(bytes.fromhex(target), "inner", words.encode(), cycles_limit=400000)
        except HostError as e:
            pass
    return b"done"

def bury(p):
    depth, rest = p.decode().split("|")
    if int(depth) == 0:
        return emit(rest.encode())
    return call_actor(get_actor_address(), "bury", ("%d|%s" % (int(depth) - 1, rest)).encode(), cycles_limit=1500000)

def hook(emitter, topic, payload):
    seen = int(get_state("seen") or b"0") + 1
    set_state("seen", str(seen))
    set_state("last", emitter.hex() + " " + topic.decode() + " " + payload.decode() + " " + get_sender().hex()[-2:])
    words = (get_state("plan") or b"well").decode().split(" ")
    if words[0] == "raise":
        raise ValueError("not today")
    if words[0] == "burn":
        while True: pass
    if words[0] == "use":
        charge_gas(int(words[1]))
    if words[0] == "store":
        set_state("x", b"y" * int(words[1]))
    if words[0] == "send":
        send_message(get_actor_address(), b"hello")
    if words[0] == "timer":
        set_timer(get_block_height() + 5, "hook")
    if words[0] == "later":
        create_deferred_tx("hook", b"")
    if words[0] == "again":
        set_state("again", call_actor(emitter, "inner", words[1].encode() + b" 1 -"))
    if words[0] == "chain":
        set_state("chain", shown(emit_event(words[1], payload)))
    if words[0] == "many":
        for i in range(int(words[2])):
            set_state("many", shown(emit_event(words[1], payload)))
    if words[0] == "expel":
        unsubscribe_event(words[1])
    if words[0] == "pay":
        transfer(bytes.fromhex(words[1]), 5)
`

// world is a chain with actors of source.
type world struct {
	*testkit.Chain
	t   *testing.T
	ann *testkit.Account
}

func newWorld(t *testing.T) *world {
	c := testkit.NewChain(t)
	return &world{c, t, c.Account("ann")}
}

// actor deploys one and gives it coins.
func (w *world) actor() account.Address {
	w.t.Helper()
	a := w.ann.Deploy(source, []byte{})
	w.ann.Fund(a, 100*unit.CBY)
	return a
}

// subscribe has an actor subscribe with a hook that follows a plan.
func (w *world) subscribe(by, emitter account.Address, topic string, gas, bid uint64, plan string) digest.Hash {
	w.t.Helper()
	if plan != "" {
		w.ann.Call(by, "plan", plan)
	}
	return digest.Hash([]byte(w.ann.Call(by, "subscribe", fmt.Sprintf("%x %s hook %d %d", [20]byte(emitter), topic, gas, bid))))
}

// crowd has an actor subscribe so many times, 128 in a block, each with a lower bid than the one before it in its block.
func (w *world) crowd(by, emitter account.Address, topic string, number, gas int) {
	w.t.Helper()
	for ; number > 0; number -= 128 {
		payload := fmt.Sprintf("%x %s %d %d", [20]byte(emitter), topic, min(number, 128), gas)
		r := w.ann.Do(&tx.Execute{To: by, Handler: []byte("crowd"), Payload: []byte(payload)}, 10_000_000, 500_000)
		if r.Status != block.Success {
			w.t.Fatalf("%+v", r.Fault)
		}
	}
}

func (w *world) count(actor account.Address) string { return string(w.Storage(actor, "count")) }

func (w *world) sub(id digest.Hash) *event.Subscription {
	w.t.Helper()
	s, err := event.Load(w.State(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) seen(actor account.Address) string { return string(w.Storage(actor, "seen")) }

// emit has an actor emit and gives what its emit answered.
func (w *world) emit(by account.Address, topic string) string {
	w.t.Helper()
	return w.ann.Call(by, "emit", topic+" 1 -")
}

// fails expects a fault of a code.
func (w *world) fails(actor account.Address, handler, payload string, code uint16) {
	w.t.Helper()
	if r := w.ann.Try(actor, handler, payload); r.Status != block.Faulted || r.Fault.Code != code {
		w.t.Errorf("%s %s: %v %+v, want %d", handler, payload, r.Status, r.Fault, code)
	}
}

// held is what all subscriptions hold, which the records have to add up to.
func (w *world) held(ids ...digest.Hash) unit.Amount {
	w.t.Helper()
	held, err := event.Escrow(w.State())
	if err != nil {
		w.t.Fatal(err)
	}
	var sum unit.Amount
	for _, id := range ids {
		s := w.sub(id)
		sum += s.Paid + s.Bond
	}
	if sum != held {
		w.t.Errorf("subscriptions have %d, the chapter holds %d", sum, held)
	}
	return held
}

func hexOf(id digest.Hash) string { return strings.TrimPrefix(id.String(), "0x") }
