package host_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ways are the four ways an operation of an actor begins; each gives the receipt of the execution the operation is part of.
func (w *world) ways(relay account.Address) map[string]func(actor account.Address, what string) *block.Receipt {
	next := func(kind block.Kind, actor account.Address) *block.Receipt {
		w.t.Helper()
		for range 4 {
			for _, x := range w.mine() {
				if x.Kind == kind && x.Target == actor {
					return x
				}
			}
		}
		w.t.Fatalf("no %v reached %v", kind, actor)
		return nil
	}
	return map[string]func(account.Address, string) *block.Receipt{
		"transaction": func(actor account.Address, what string) *block.Receipt { return w.call(1, actor, "do", []byte(what)) },
		"nested call": func(actor account.Address, what string) *block.Receipt {
			return w.call(1, relay, "call", []byte(actor.String()+"|do|"+what))
		},
		"message": func(actor account.Address, what string) *block.Receipt {
			w.ok(1, relay, "send", []byte(actor.String()+"|"+what))
			return next(block.Message, actor)
		},
		"timer": func(actor account.Address, what string) *block.Receipt {
			at := w.tip.Header.Height + 2
			x := w.run(1, &tx.TimerSchedule{Actor: actor, Height: at, Handler: []byte("do"), Payload: []byte(what)})
			if x.Status != block.Success {
				w.t.Fatalf("scheduling: %d %s", x.Fault.Code, x.Fault.Text)
			}
			return next(block.Timer, actor)
		},
	}
}

// run mines a block with one transaction and gives its receipt.
func (w *world) run(from byte, in tx.Instruction) *block.Receipt {
	w.t.Helper()
	v := w.sign(person(from), in)
	for _, x := range w.mine(v) {
		if x.ID == v.Hash() {
			return x
		}
	}
	w.t.Fatal("no receipt")
	return nil
}

// gated deploys the gated actor with a manifest, "" for none.
func (w *world) gated(manifest string) account.Address {
	w.t.Helper()
	in := &tx.Deploy{Code: source(w.t, "gated"), Salt: []byte(fmt.Sprint(w.tip.Header.Height)), Manifest: []byte(manifest)}
	x := w.run(1, in)
	if x.Status != block.Success {
		w.t.Fatalf("%s: %d %s", manifest, x.Fault.Code, x.Fault.Text)
	}
	return *x.Created
}

// Every gate and every bound, one unit inside, one outside, and without the entitlement, however the execution begins.
//
// Spec: ENT §6 (VM syscall gate), §9.1, §9.3–§9.5, §9.7, §9.8, §9.12, §11; entitlement-extras §3; WP §15.
func TestGatesFromEverywhere(t *testing.T) {
	w := newWorld(t)
	relay := w.gated("")
	const holds = `{"id":"econ.hold_balance"}`
	ways := w.ways(relay)
	for i, c := range []struct{ grant, inside, outside string }{
		{`{"id":"storage.kv","params":{"max_bytes":10}}`, "write 9", "write 10"},
		{`{"id":"econ.transfer","params":{"max_amount":1000}}`, "pay 1000 1000", "pay 1000 1001"},
		{`{"id":"econ.transfer","params":{"max_per_block":1000}}`, "pay 400 600", "pay 400 601"},
		{`{"id":"timer.schedule","params":{"max_timers":2}}`, "timers 2", "timers 3"},
		{`{"id":"oracle.llm","params":{"max_requests":2}}`, "models 1 1", "models 1 1 1"},
		{`{"id":"oracle.llm","params":{"max_tokens":2000}}`, "models 2000 2000", "models 2000 2001"},
		{`{"id":"http.fetch","params":{"allowlist_domains":["a.org"],"max_requests":1}}`, "fetch https://a.org/x", "fetch https://a.org/ https://a.org/"},
		{`{"id":"exec.spawn","params":{"max_children":1}}`, "children 1", "children 2"},
		{`{"id":"ingress.http","params":{"max_routes":2}}`, "routes 2", "routes 3"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			manifest := "[" + holds + "," + c.grant + "]"
			for name, run := range ways {
				for _, s := range []struct {
					manifest, what string
					want           uint16
				}{{manifest, c.inside, 0}, {manifest, c.outside, 1208}, {"[" + holds + "]", c.inside, 1207}} {
					t.Run(s.what, func(t *testing.T) {
						actor := w.gated(s.manifest)
						w.run(9, &tx.FundActor{Actor: actor, Amount: 5_000})
						trap := map[uint16]string{1207: "ERR_MISSING_ENTITLEMENT: ", 1208: "ERR_ENTITLEMENT_QUOTA_EXCEEDED: "}[s.want]
						if x := run(actor, s.what); x.Fault.Code != s.want || !strings.Contains(x.Fault.Text, trap) {
							t.Errorf("%s, %s, by a %s: %d %s, want %d", s.manifest, s.what, name, x.Fault.Code, x.Fault.Text, s.want)
						}
					})
				}
			}
		})
	}
}

// What a failed call asked for does not count among the requests of the execution.
//
// Spec: ENT §9.12 (max_requests: per execution).
func TestRequestsTakenBack(t *testing.T) {
	w := newWorld(t)
	actor := w.gated(`[{"id":"oracle.llm","params":{"max_requests":2}}]`)
	w.ok(1, actor, "retried", []byte("models 1 1"))
	w.faults(1208, 1, actor, "retried", []byte("models 1 1 1"))
	w.ok(1, actor, "do", []byte("models 1 1")) // and the next execution begins anew
}

// A quota is over when its period is: "per execution" with the turn, "per block" with the block, what is active when it ends, what is held when it is given
// up, and the children of a life never. Each is spent, found spent, and tried again when the period has gone by.
//
// Spec: ENT §9.1, §9.4, §9.5, §9.7, §9.8, §9.12.
func TestQuotaPeriods(t *testing.T) {
	const free, spent = 0, 1208
	for _, c := range []struct {
		grant, what           string
		sameBlock, next, long uint16 // in another turn of the block, in the next block, and 60 blocks on
	}{
		{`{"id":"oracle.llm","params":{"max_requests":2}}`, "models 1 1", free, free, free},
		{`{"id":"http.fetch","params":{"allowlist_domains":["a.org"],"max_requests":1}}`, "fetch https://a.org/", free, free, free},
		{`{"id":"econ.transfer","params":{"max_per_block":1000}}`, "pay 501", spent, free, free},
		{`{"id":"timer.schedule","params":{"max_timers":1}}`, "timers 1", spent, spent, free},
		{`{"id":"exec.spawn","params":{"max_children":1}}`, "", spent, spent, spent},
		{`{"id":"storage.kv","params":{"max_bytes":10}}`, "write 9", free, free, free}, // in the place of what is there
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t)
			actor := w.gated(`[{"id":"econ.hold_balance"},` + c.grant + `]`)
			w.run(9, &tx.FundActor{Actor: actor, Amount: 100 * unit.CBY})
			turns := byte(0)
			next := func() *tx.Execute {
				if turns++; c.what == "" { // a child is another one by its salt
					return &tx.Execute{To: actor, Handler: []byte("spawn"), Payload: fmt.Appendf(nil, "%d|||", turns)}
				}
				return &tx.Execute{To: actor, Handler: []byte("do"), Payload: []byte(c.what)}
			}
			x := w.mine(w.sign(person(1), next()), w.sign(person(2), next()))
			if x[0].Fault.Code != free || x[1].Fault.Code != c.sameBlock {
				t.Errorf("%s in a block: %d and %d, want %d and %d", c.grant, x[0].Fault.Code, x[1].Fault.Code, free, c.sameBlock)
			}
			if x := w.run(3, next()); x.Fault.Code != c.next {
				t.Errorf("%s in the next block: %d %s, want %d", c.grant, x.Fault.Code, x.Fault.Text, c.next)
			}
			for range 60 {
				w.mine()
			}
			if x := w.run(3, next()); x.Fault.Code != c.long {
				t.Errorf("%s long after: %d %s, want %d", c.grant, x.Fault.Code, x.Fault.Text, c.long)
			}
		})
	}
}
