package event_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const caller = `from pvm_host import *

def init(p):
    pass

def emit(p):
    emit_event("t", p)

def calls(p):
    for i in range(64):
        call(bytes.fromhex(p.decode()), "note", [get_actor_address(), b"t", b"payload"])

def crowd(p):
    for i in range(64):
        subscribe_event(bytes.fromhex(p.decode()), "t", "note", 60_000_000)

def note(emitter, topic, payload):
    set_state("count", str(int(get_state("count") or b"0") + 1))
`

// One emit with 64 hooks beside 64 plain calls of the same handler, each in a block of its own.
func BenchmarkEmit(b *testing.B) {
	begin := func(b *testing.B) (ann *testkit.Account, emitter, hooked account.Address) {
		c := testkit.NewChain(b)
		ann = c.Account("ann")
		emitter, hooked = ann.Deploy(caller, []byte{}), ann.Deploy(caller, []byte{})
		c.SetBalance(hooked, 900_000*unit.CBY)
		return ann, emitter, hooked
	}
	run := func(b *testing.B, ann *testkit.Account, actor account.Address, handler, payload string) *block.Receipt {
		r := ann.Do(&tx.Execute{To: actor, Handler: []byte(handler), Payload: []byte(payload)}, 10_000_000, 100_000)
		if r.Status != block.Success {
			b.Fatalf("%s: %+v", handler, r.Fault)
		}
		return r
	}
	for _, kind := range []string{"64 hooks", "64 calls"} {
		b.Run(kind, func(b *testing.B) {
			ann, emitter, hooked := begin(b)
			handler, payload := "calls", fmt.Sprintf("%x", [20]byte(hooked))
			if kind == "64 hooks" {
				run(b, ann, hooked, "crowd", fmt.Sprintf("%x", [20]byte(emitter)))
				handler, payload = "emit", "payload"
			}
			run(b, ann, emitter, handler, payload)
			var cycles unit.Cycles
			for b.Loop() {
				run(b, ann, emitter, handler, payload)
				blocks := ann.Chain().Blocks()
				cycles += unit.Cycles(blocks[len(blocks)-1].Header.CyclesUsed)
			}
			b.ReportMetric(float64(cycles)/float64(b.N), "cycles/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(cycles), "ns/cycle")
		})
	}
}
