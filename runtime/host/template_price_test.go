package host_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// starts is a program whose handler does nothing, so that a turn costs its start and what every turn costs.
func (w *world) starts(top string) unit.Cycles {
	w.t.Helper()
	out := w.turn(newHost(), w.placed(top+"\n\ndef nothing():\n    pass\n"), "nothing", 8_000_000)
	if out.Fault != nil {
		w.t.Fatalf("%s: %+v", top, out.Fault)
	}
	return out.Used.Cycles
}

// A turn pays for copies by their number and bytes: 300 classes more are 300 copies more, with their dicts and names, and no 300 times a class. A top
// level that makes little out of much costs an eighth.
//
// Spec: CIP-3 §2.2.1.
func TestStartIsPaidAsCopies(t *testing.T) {
	w := newWorld(t)
	few, many := w.starts("X = [type('C', (), {}) for i in range(100)]"), w.starts("X = [type('C', (), {}) for i in range(400)]")
	each := (many - few) / 300
	class := unit.Cycles(params.FirstMachineCosts().Class)
	if object := unit.Cycles(params.FirstMachineCosts().CopyObject); each < 2*object || each > class/4 {
		t.Errorf("a class more costs %d cycles; making one costs %d", each, class)
	}
	// The step of a while loop that counts is an addition of a cycle, a comparison of two, and names, two read for two each and one bound for three: ten. An
	// eighth of it is paid.
	loop := func(n int) unit.Cycles { return w.starts(fmt.Sprintf("n = 0\nwhile n < %d:\n    n += 1\n", n)) }
	if more := loop(44_000) - loop(40_000); more != 4_000*10/8 {
		t.Errorf("4,000 steps more cost %d cycles", more)
	}
}

// A top level beyond the bound runs in every turn, and is paid as it runs.
//
// Spec: CIP-3 §2.2.1.
func TestLongStartIsRun(t *testing.T) {
	w := newWorld(t)
	loop := func(n int) unit.Cycles { return w.starts(fmt.Sprintf("n = 0\nwhile n < %d:\n    n += 1\n", n)) }
	short, long := loop(100_000), loop(600_000)
	if short > 100_000*10/8+10_000 || long < 600_000*10 {
		t.Errorf("%d cycles within the bound, %d beyond", short, long)
	}
}

// A deployment pays for the top level with the cycles it takes, whether the node has run it before or not, at every limit; and ends alike.
//
// Spec: CIP-3 §2.2.1; CIP-3 §2.2.
func TestDeploymentPaysForTheTopLevel(t *testing.T) {
	w := newWorld(t)
	source := func(steps int) []byte {
		return []byte(fmt.Sprintf("n = 0\nwhile n < %d:\n    n += 1\n\ndef nothing():\n    pass\n", steps))
	}
	deploy := func(h *host.Host, code []byte, limit unit.Cycles) drain.Outcome {
		sender := person(9)
		out, err := h.Run(&drain.Turn{
			Kind: block.Transaction, Sender: sender, Signer: &sender, Overlay: w.tip.State.Overlay(), Limit: use(limit, 1_000_000), ID: digest.Hash{1},
			Payload: drain.Payload{Instruction: &tx.Deploy{Code: code, Salt: []byte("s")}}, Block: testBlock(w),
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	known := newHost()
	all := deploy(known, source(2_000), 8_000_000)
	if all.Fault != nil {
		t.Fatal(all.Fault)
	}
	if more := deploy(newHost(), source(3_000), 8_000_000).Used.Cycles - all.Used.Cycles; more != 1_000*10 {
		t.Errorf("1,000 steps more cost a deployment %d cycles", more)
	}
	for limit := all.Used.Cycles - 4_020; limit <= all.Used.Cycles+60; limit += 60 {
		got, want := deploy(known, source(2_000), limit), deploy(newHost(), source(2_000), limit)
		if !reflect.DeepEqual(got, want) || (got.Fault == nil) != (limit >= all.Used.Cycles) {
			t.Fatalf("limit %d of %d: %+v on a node that knows the program, %+v on another", limit, all.Used.Cycles, got, want)
		}
	}
}

// A cache that holds one program changes nothing: turns of two actors in turn cost what they cost where both are kept.
//
// Spec: CIP-3 §2.2.
func TestStartWithoutCache(t *testing.T) {
	w := newWorld(t)
	form, limits := w.deploy("form_a", "init"), w.deploy("limits", "")
	small, large := host.New(host.NewProgramsWithin(1, nil)), newHost()
	for i := range 6 {
		for _, to := range []account.Address{form, limits} {
			handler := map[account.Address]string{form: "increment", limits: "gas"}[to]
			if got, want := w.turn(small, to, handler, 8_000_000), w.turn(large, to, handler, 8_000_000); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: %+v, want %+v", i, got, want)
			}
		}
	}
}

// Running a top level counts in the weight of what a turn loads: one of few tokens whose top level takes some 700,000 cycles
// weighs a unit for each 128 of them.
//
// Spec: CIP-3 §2.2.1.
func TestTopLevelsWeigh(t *testing.T) {
	w := newWorld(t)
	long := w.placed("n = 0\nwhile n < 100000:\n    n += 1\n\ndef nothing():\n    pass\n")
	short := w.placed(strings.Repeat("\n", 3) + "n = 0\n\ndef nothing():\n    pass\n")
	weight := func(to account.Address) uint32 {
		sender := person(2)
		out, err := newHost().Run(&drain.Turn{
			Kind: block.Transaction, Target: to, Sender: sender, Signer: &sender, Overlay: w.tip.State.Overlay(), Limit: use(8_000_000, 1_000_000),
			ID: digest.Hash{1}, Payload: drain.Payload{Instruction: &tx.Execute{}, Handler: "nothing"}, Block: testBlock(w), Fresh: &drain.Fresh{},
		})
		if err != nil || out.Fault != nil {
			t.Fatal(err, out.Fault)
		}
		return out.Fresh
	}
	if more := weight(long) - weight(short); more < 100_000*10/128 || more > 100_000*10/128+100 {
		t.Errorf("the top level weighs %d", more)
	}
}
