package host_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// profiled is a runner that profiles every turn by itself, and holds each profile against what the turn used.
type profiled struct {
	*host.Host
	t    *testing.T
	last pvm.Stacks
	seen int
}

// profiledWorld has a world's blocks built by such a runner. The world verifies each of them with a host that is not watched, so that a profile that changed
// what anything costs would be found.
func profiledWorld(t *testing.T) (*world, *profiled) {
	w := newWorld(t)
	p := &profiled{Host: w.runner, t: t}
	var now *pvm.Profile
	w.watch.Profile = func(turn *drain.Turn) *pvm.Profile {
		now = pvm.NewProfile()
		return now
	}
	w.turns = func(turn *drain.Turn) (drain.Outcome, error) {
		out, err := p.Host.Run(turn)
		if err != nil {
			return out, err
		}
		want := int64(out.Used.Cycles)
		if in, ok := turn.Payload.Instruction.(*tx.Deploy); ok {
			if want -= int64(len(in.Code)) * int64(turn.Block.Version().Costs.Compile); in.InitHandler == nil && out.Fault == nil && want >= 0 {
				want = 0 // compiling, and the run of the top level that finds its template, are nobody's lines
			}
		}
		p.last = now.Stacks()
		if got := now.Total(); got != want || p.last.Total() != got {
			t.Errorf("%v of %v: the profile has %d cycles, its stacks %d, the turn used %d", turn.Payload.Handler, turn.Target, got, p.last.Total(), want)
		}
		p.seen++
		return out, err
	}
	return w, p
}

const profiledCallee = `
class Ledger:
    def __init__(self):
        self.sum = 0

def add(payload):
    total = 0
    for n in range(50):
        total += n
    return total

def refuse(payload):
    raise ValueError("no")
`

const profiledCaller = `
import json
from collections import UserList
from pvm_host import call_actor, set_state

def work(n):
    kept = UserList()
    for i in range(n):
        kept.append(i)
    return len(kept)

def both(payload):
    first = call_actor(payload, "add", b"", 1_000_000)
    done = work(20)
    set_state("k", b"x" * 40)
    return first

def tries(payload):
    try:
        call_actor(payload, "refuse", b"", 1_000_000)
    except Exception as e:
        return str(e).encode()

def spin(payload):
    while True:
        payload += b""

def absent(payload):
    try:
        call_actor(payload, "nowhere", b"", 1_000_000)
    except Exception as e:
        return work(3)
`

// The cycles of a profile are those of the turn, to the unit, over calls of other actors, failures that are caught and not, modules that would be copied from
// a template, the library, and cycles that ran out; and a profiled block has the root that a host has which is not watched.
//
// Spec: CIP-3 §2.2.1.
func TestProfileHasEveryCycle(t *testing.T) {
	w, p := profiledWorld(t)
	callee, caller := w.deployText(profiledCallee), w.deployText(profiledCaller)
	for range 6 { // the last times there are templates
		w.ok(1, caller, "both", callee[:])
		w.ok(1, caller, "tries", callee[:])
	}
	w.ok(1, caller, "absent", callee[:])
	w.call(1, caller, "nothing", nil)
	v := w.signFor(person(1), &tx.Execute{To: caller, Handler: []byte("spin")}, use(200_000, 10_000))
	if x := w.mine(v)[0]; x.Fault.Code != drain.FaultCycles {
		t.Errorf("%+v", x.Fault)
	}
	if p.seen < 17 {
		t.Errorf("%d turns ran", p.seen)
	}
}

// A profile says which handler, function and line of which actor used the cycles: the loop of the called actor belongs to its line and not to the line that
// called it, which has the call below it.
func TestProfileOfCalls(t *testing.T) {
	w, p := profiledWorld(t)
	callee, caller := w.deployText(profiledCallee), w.deployText(profiledCaller)
	x := w.call(1, caller, "both", callee[:])
	files := map[string]string{fileOf(profiledCallee): "callee", fileOf(profiledCaller): "caller"}
	line := func(source, text string) int { return 1 + strings.Count(source[:strings.Index(source, text)], "\n") }
	lines := map[string]int64{}
	for _, l := range p.last.Lines() {
		if name, ok := files[l.File]; ok {
			lines[fmt.Sprint(name, l.Line)] = l.Cycles
		}
	}
	loop, call := lines[fmt.Sprint("callee", line(profiledCallee, "total += n"))], lines[fmt.Sprint("caller", line(profiledCaller, "first ="))]
	if call < 500 || call > 2_000 { // the price of a call, and its arguments
		t.Errorf("the call's own line has %d", call)
	}
	if loop < 50 || loop > 50*20 {
		t.Errorf("the loop's line has %d", loop)
	}
	costs := map[string]pvm.HandlerCost{}
	for _, h := range p.last.Handlers() {
		costs[files[h.File]+" "+h.Name] = h
	}
	outer, inner := costs["caller both"], costs["callee add"]
	if outer.Runs != 1 || inner.Runs != 1 || outer.Total != outer.Self+inner.Total || outer.Total != p.last.Total() || inner.Self < loop || len(costs) != 2 {
		t.Errorf("%+v", costs)
	}
	if outer.Total > int64(x.CyclesUsed) {
		t.Errorf("%d of %d", outer.Total, x.CyclesUsed)
	}
	functions := map[string]int64{}
	for _, f := range p.last.Functions() {
		functions[files[f.File]+" "+f.Name] += f.Total
	}
	if functions["caller work"] == 0 || functions["callee add"] == 0 || functions["caller both"] < functions["caller work"]+inner.Total {
		t.Errorf("%v", functions)
	}
	caused, rest := p.last.Caused(func(file string) bool { return files[file] != "" })
	sum := rest
	for _, l := range caused {
		sum += l.Cycles
	}
	if sum != p.last.Total() || rest <= 0 {
		t.Errorf("lines with their library have %d with %d beside, of %d", sum, rest, p.last.Total())
	}
	deep := false
	for _, s := range p.last { // the loop below the line that called
		var names []string
		for _, f := range s.Frames {
			names = append(names, files[f.File]+":"+f.Name)
		}
		deep = deep || strings.Join(names, " ") == "caller:both caller:both callee:add callee:add"
	}
	if !deep {
		t.Errorf("no stack goes through the call")
	}
}

// fileOf is the name the profile has for an actor's file.
func fileOf(source string) string {
	canonical, err := pvm.CanonicalSource([]byte(source))
	if err != nil {
		panic(err)
	}
	return host.Profiled(canonical)
}

// Who asks with an interrupt, as a node does, has the same profile: the meter is then handed out in rations.
func TestProfileInRations(t *testing.T) {
	w, p := profiledWorld(t)
	a := w.deployText(profiledCallee + "\ndef long(payload):\n    return sum(add(b'') for i in range(200))\n")
	w.ok(1, a, "long", nil)
	want := maps.Collect(lineCosts(p.last))
	stacks := pvm.Stacks(nil)
	before := w.before
	watch := &host.Watch{}
	var now *pvm.Profile
	watch.Profile = func(*drain.Turn) *pvm.Profile { now = pvm.NewProfile(); return now }
	err := transition.Replay(before.parent, before.block, newHost().Watch(watch), never{}, func(*drain.Turn, *drain.Outcome) bool {
		stacks = append(stacks, now.Stacks()...)
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := maps.Collect(lineCosts(stacks)); !maps.Equal(got, want) || stacks.Total() < 4*4096 {
		t.Errorf("%v, without rations %v; %d cycles", got, want, stacks.Total())
	}
}

// never is an interrupt that is not raised.
type never struct{}

// Raised implements drain.Interrupt.
func (never) Raised() bool { return false }

func lineCosts(s pvm.Stacks) func(func(string, int64) bool) {
	return func(yield func(string, int64) bool) {
		for _, l := range s.Lines() {
			if !yield(fmt.Sprint(l.File, ":", l.Line), l.Cycles) {
				return
			}
		}
	}
}
