package host_test

import (
	"fmt"
	"reflect"
	"strconv"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/sdk"
	"github.com/cowboyinc/cowboy-go/testkit/heap"
)

// turn runs one turn on the state of the tip and throws its effects away.
func (w *world) turn(h *host.Host, to account.Address, handler string, cycles unit.Cycles) drain.Outcome {
	w.t.Helper()
	sender := person(2)
	out, err := h.Run(&drain.Turn{
		Kind: block.Transaction, Target: to, Sender: sender, Signer: &sender, Overlay: w.tip.State.Overlay(), Limit: use(cycles, 1_000_000),
		ID: digest.Hash{1}, Payload: drain.Payload{Instruction: &tx.Execute{}, Handler: handler, Data: []byte("p")}, Block: testBlock(w),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// TestTemplateTurns: a host that has its templates and one that has just been made give the same outcomes, whatever earlier turns
// did to modules, classes, functions, defaults, closures, enumerations, registries and caches, and however they ended.
//
// Spec: sdk §3.1; CIP-3 §2.2.1; CIP-3 §2.2.
func TestTemplateTurns(t *testing.T) {
	w := newWorld(t)
	vandal, form := w.deploy("vandal", ""), w.deploy("form_a", "init")
	programs := host.NewPrograms()
	kept := host.New(programs)
	for i := range 9 {
		for at, c := range []struct {
			to      account.Address
			handler string
		}{{vandal, "touch"}, {vandal, "fail"}, {form, "increment"}, {vandal, "deeper"}, {vandal, "show"}, {form, "read"}, {vandal, "missing"}} {
			t.Run(fmt.Sprint(at), func(t *testing.T) {
				got, want := w.turn(kept, c.to, c.handler, 8_000_000), w.turn(newHost(), c.to, c.handler, 8_000_000)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, round %d:\n got %+v %s\nwant %+v %s", c.handler, i, got, got.Return, want, want.Return)
				}
				if c.handler == "touch" && (got.Fault != nil || len(got.Return) < 500) || c.handler == "deeper" && got.Fault != nil {
					t.Fatalf("%s: %+v", c.handler, got.Fault)
				}
			})
		}
	}
	if n := programs.Templates(); n != 2 {
		t.Errorf("%d templates", n)
	}
}

// TestTemplateLimits: with any limit of cycles a turn ends as it does without a template, at the top level too.
//
// Spec: CIP-3 §2.2.
func TestTemplateLimits(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("form_a", "init")
	programs := host.NewPrograms()
	kept := host.New(programs)
	for range 5 {
		w.turn(kept, a, "increment", 8_000_000)
	}
	if programs.Templates() != 1 {
		t.Fatal("no template")
	}
	all := w.turn(kept, a, "increment", 8_000_000).Used.Cycles
	fresh := host.New(host.NewPrograms())
	for limit := unit.Cycles(0); limit <= all+10; limit += 7 {
		if limit%91 == 0 { // before it makes templates
			fresh = newHost()
		}
		plain := fresh
		if limit > all-200 {
			plain = newHost()
		}
		got, want := w.turn(kept, a, "increment", limit), w.turn(plain, a, "increment", limit)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("limit %d: got %+v, want %+v", limit, got, want)
		}
	}
}

// TestTemplateAsks: a program whose top level asks the chain for something runs it on every turn.
//
// Spec: sdk §3.1, §8.
func TestTemplateAsks(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("asks", "")
	for i := range 12 {
		from := byte(2 + i%3)
		want := person(from)
		if got := w.ok(from, a, "who", nil); got != string(append(want[:], 1)) {
			t.Fatalf("call %d gave %x", i, got)
		}
	}
}

// TestTemplateModules: what a machine that starts from a template holds of cowboy_sdk, the library and the actors of the tests is what running
// their top level makes.
//
// Spec: sdk §2; CIP-3 §2.2.1.
func TestTemplateModules(t *testing.T) {
	programs := map[string]string{}
	for _, name := range sdk.Modules() {
		programs[name] = "import " + name + "\nfrom " + name + " import *\n"
	}
	for _, name := range []string{"form_a", "form_b", "form_c", "form_d", "forgets", "vandal", "limits", "modes", "messages"} {
		programs[name] = string(source(t, name))
	}
	for name, text := range programs {
		t.Run(name, func(t *testing.T) {
			plain, pattern, started, ok, err := host.Stamped([]byte(text))
			if err != nil || !ok {
				t.Errorf("%s: no template, %v", name, err)
				return
			}
			if err := heap.Same(plain, started); err != nil {
				t.Errorf("%s: not the same: %v", name, err)
			}
			if err := heap.Apart(pattern, started); err != nil {
				t.Errorf("%s: not apart: %v", name, err)
			}
		})
	}
}

// TestImportAgain: within one transaction a module is imported once at 100 cycles and after that at 5, in whatever actor; the next transaction, timer
// or message begins anew. A template that was started instead makes no difference.
//
// Spec: CIP-3 §2.2.1 (100 for the first, 5 for repeated imports within the same transaction); WP §17.3.
func TestImportAgain(t *testing.T) {
	w := newWorld(t)
	caller, one, other := w.deploy("importer", ""), w.deploy("imported", ""), w.deploy("imported", "")
	for round := range 8 {
		if got := w.ok(2, caller, "twice", one[:]); got != "95" {
			t.Fatalf("round %d: the second call costs %s less", round, got)
		}
		if got := w.ok(2, caller, "beside", append(one[:], other[:]...)); got != "95" {
			t.Fatalf("round %d: another actor's costs %s less", round, got)
		}
		alone, after := w.ok(2, caller, "alone", one[:]), w.ok(2, caller, "after", one[:])
		a, _ := strconv.Atoi(alone)
		b, _ := strconv.Atoi(after)
		if a-b != 95 {
			t.Fatalf("round %d: %s alone, %s after the caller's import", round, alone, after)
		}
	}
	w.ok(2, caller, "later", one[:])
	if x := w.mine()[0]; x.Kind != block.Timer || string(x.ReturnData) != "95" {
		t.Errorf("timer: %s %q", x.Fault.Text, x.ReturnData)
	}
	w.ok(2, caller, "send", one[:])
	if x := w.mine()[0]; x.Kind != block.Message || string(x.ReturnData) != "95" {
		t.Errorf("message: %s %q", x.Fault.Text, x.ReturnData)
	}
}
