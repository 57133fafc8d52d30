package host_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// dearerCalls are version 1 and a second version from a height on, in which a call costs 17 cycles more, a global name 5 and every other price of the
// machine what it costs in the first.
func dearerCalls() *protocol.Table {
	second := &protocol.Version{Number: 2, Rows: tx.All(), Costs: params.FirstCosts()}
	second.Costs.Machine.Call += 17
	second.Costs.Machine.Name += 5
	return protocol.NewTable(&protocol.Version{Number: 1, Rows: tx.All(), Costs: params.FirstCosts()}, second)
}

// A block pays the machine's prices of its version, in the actor's own code and in the library: those of the second from its first height on, although the
// actor was compiled, and copied from a template, under the first. world.mine executes every block once more with a host that has compiled nothing, so a
// replay over the border gives the same headers.
//
// Spec: CIP-3 §2.2.1 (static, consensus-critical cost table); WP §17.3.
func TestMachinePricesOfVersion(t *testing.T) {
	const begins unit.Height = 30
	w := newWorld(t, func(p *params.Params) { p.Schedule = params.Schedule{{Version: 2, Height: begins}} })
	w.versions = dearerCalls()
	actor := w.deploy("priced", "")
	cost := func(handler string) uint64 { return uint64(w.call(1, actor, handler, nil).CyclesUsed) }
	measure := func() (calls, names, library uint64) {
		var loop uint64
		for range 5 { // the last time from a template
			calls, names, library, loop = cost("calls"), cost("names"), cost("library")-cost("library_loop"), cost("loop")
		}
		return calls - loop, names - loop, library
	}
	calls, names, library := measure()
	if calls != 100*(10+2) || names != 100*2 {
		t.Errorf("version 1: 100 calls cost %d, 100 names %d", calls, names) // CIP-3: a call 10; a name 2
	}
	for w.tip.Header.Height+1 < begins {
		w.mine()
	}
	laterCalls, laterNames, laterLibrary := measure()
	if w.tip.Header.Version != 2 || laterCalls != 100*(10+17+2+5) || laterNames != 100*(2+5) {
		t.Errorf("version %d: 100 calls cost %d, 100 names %d", w.tip.Header.Version, laterCalls, laterNames)
	}
	asked := func(handler string) uint64 {
		out, err := w.runner.Ask(w.tip.Header, w.tip.State, host.Question{
			Actor: actor, Handler: handler, Limit: fee.Use{Cycles: 1_000_000, Cells: 100_000}, Protocol: w.versions,
		})
		if err != nil || out.Fault != nil {
			t.Fatal(out.Fault, err)
		}
		return uint64(out.Used.Cycles)
	}
	if loop := asked("loop"); asked("calls")-loop != laterCalls || asked("names")-loop != laterNames {
		t.Errorf("asked of a reader, 100 calls cost %d, 100 names %d", asked("calls")-loop, asked("names")-loop)
	}
	// len(both) is a call and a name in the actor; the library's UserList.__len__ is called, and is len(self.data), a call and a name once more.
	if got := laterLibrary - library; got != 100*(3*17+2*5) {
		t.Errorf("100 lengths of the library cost %d more, want %d", got, 100*(3*17+2*5))
	}
}
