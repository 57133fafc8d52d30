package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// recorded gives the tracebacks of CPython 3.11 by handler; testdata/tracebacks/record.py made them.
func recorded(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "tracebacks", "recorded.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, part := range strings.Split(string(data), "== ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		list[name] = text
	}
	return list
}

// A failure has the frames, lines, marks and text that CPython 3.11 prints for the same sources, through calls of other actors.
func TestFailuresAreCPythons(t *testing.T) {
	w := newWorld(t)
	desk, till := w.deploy("tracebacks/desk", ""), w.deploy("tracebacks/till", "")
	file := func(actor account.Address) string {
		return map[account.Address]string{desk: "desk.py", till: "till.py"}[actor]
	}
	list := recorded(t)
	if len(list) < 15 {
		t.Fatalf("%d handlers are recorded", len(list))
	}
	for handler, want := range list { // order-free: each leaves nothing
		var payload []byte
		if strings.Contains(want, "till.py") {
			payload = till[:]
		}
		x := w.call(1, desk, handler, payload)
		if x.Status == block.Success || w.watch.Failure == nil {
			t.Errorf("%s: status %v, failure %v", handler, x.Status, w.watch.Failure)
			continue
		}
		if got := w.watch.Failure.Render(file); got != want {
			t.Errorf("%s:\n%s\nCPython:\n%s", handler, got, want)
		}
	}
	if w.ok(1, till, "open", nil); w.watch.Failure != nil {
		t.Errorf("after a turn that went well there is still a failure: %v", w.watch.Failure)
	}
}

// deployText deploys a source.
func (w *world) deployText(text string) account.Address {
	w.t.Helper()
	x := w.mine(w.sign(person(1), &tx.Deploy{Code: []byte(text), Salt: []byte{byte(w.tip.Header.Height), 1}}))[0]
	if x.Status != block.Success {
		w.t.Fatalf("deploying: %d %s", x.Fault.Code, x.Fault.Text)
	}
	return *x.Created
}

// Where the cycles ran out is told as where an exception was raised, in the caller and in the callee.
func TestCyclesRunOutSomewhere(t *testing.T) {
	w := newWorld(t)
	a := w.deployText("def spin(payload):\n    n = 0\n    while True:\n        n += 1\n\ndef run(payload):\n    return spin(payload)\n")
	v := w.signFor(person(1), &tx.Execute{To: a, Handler: []byte("run")}, use(200_000, 10_000))
	x := w.mine(v)[0]
	if x.Fault.Code != drain.FaultCycles || w.watch.Failure == nil {
		t.Fatalf("%+v, failure %v", x.Fault, w.watch.Failure)
	}
	f := w.watch.Failure
	if f.Type != "" || f.Text != "out of cycles" || len(f.Places) != 2 || f.Places[0].Line != 7 || f.Places[1].Function != "spin" || f.Places[1].Line < 3 {
		t.Errorf("%+v", f)
	}
}

// The names and texts of a program reach a terminal without what it obeys, and bounded.
func TestFailuresAreSafeToShow(t *testing.T) {
	w := newWorld(t)
	a := w.deployText("def run(payload):\n    raise ValueError(payload.decode())  # \u202eevil\u202c\n")
	w.faults(drain.FaultException, 1, a, "run", []byte("\x1b[2Jgone\u202e"))
	if f := w.watch.Failure; f.Text != `\x1b[2Jgone\u202e` || f.Places[0].Source != `raise ValueError(payload.decode())  # \u202eevil\u202c` {
		t.Errorf("%+v", f)
	}
	w.faults(drain.FaultException, 1, a, "run", []byte(strings.Repeat("x", 20_000)))
	if n := len(w.watch.Failure.Render(nil)); n > 2_000 {
		t.Errorf("a message of 20,000 characters is shown in %d bytes", n)
	}
}

// A deep recursion over two functions, which no repetition shortens, shows its beginning and its end.
func TestFailuresAreBounded(t *testing.T) {
	w := newWorld(t)
	a := w.deployText("def even(n):\n    return odd(n + 1)\n\ndef odd(n):\n    return even(n + 1)\n\ndef run(payload):\n    return even(0)\n")
	w.call(1, a, "run", nil)
	f := w.watch.Failure
	shown, skipped := 0, 0
	for _, p := range f.Places {
		shown++
		skipped += p.Skipped
	}
	if f.Type != "RecursionError" || shown != 32 || skipped < 150 || f.Places[0].Function != "run" {
		t.Errorf("%s with %d places, %d left out, beginning in %s", f.Type, shown, skipped, f.Places[0].Function)
	}
}

// What an actor prints is kept for whoever watches, by actor, at most 64 KiB of a turn, and costs the same as if nobody watched (world.mine compares).
func TestPrintsAreKept(t *testing.T) {
	w := newWorld(t)
	callee := w.deployText("def hear(payload):\n    print('heard', 1)\n    return payload\n")
	a := w.deployText("from cowboy_sdk import call\n\ndef run(payload):\n    print('before')\n    call(payload, 'hear', [])\n    print('after')\n" +
		"\ndef much(payload):\n    for n in range(100):\n        print('x' * 999)\n\ndef fail(payload):\n    print('last words')\n    raise ValueError\n")
	w.call(1, a, "run", callee[:])
	p := w.watch.Printed
	if len(p) < 1 || p[0] != (host.Print{Actor: a, Text: "before\n"}) {
		t.Fatalf("%+v", p)
	}
	w.ok(1, callee, "hear", nil)
	if p := w.watch.Printed; len(p) != 1 || p[0] != (host.Print{Actor: callee, Text: "heard 1\n"}) {
		t.Errorf("%+v", p)
	}
	w.ok(1, a, "much", nil)
	if p := w.watch.Printed; len(p) != 1 || len(p[0].Text) != 64<<10 {
		t.Errorf("%d prints, the first of %d bytes", len(p), len(p[0].Text))
	}
	b := w.deployText("def run(payload):\n    print('x', end='')\n")
	if w.ok(1, b, "run", nil); len(w.watch.Printed) != 1 || w.watch.Printed[0].Text != "x" {
		t.Errorf("one letter: %+v", w.watch.Printed)
	}
	w.faults(drain.FaultException, 1, a, "fail", nil)
	if p := w.watch.Printed; len(p) != 1 || p[0].Text != "last words\n" {
		t.Errorf("%+v", p)
	}
}

// What failed outside of any code has no traceback, as in CPython.
func TestFailureWithoutPlaces(t *testing.T) {
	f := host.Failure{Type: "ValueError", Text: "no"}
	if got := f.Render(nil); got != "ValueError: no\n" {
		t.Errorf("%q", got)
	}
}

// A query ends when it is told to.
func TestQueryIsInterrupted(t *testing.T) {
	w := newWorld(t)
	a := w.deployText("def spin(payload):\n    while True:\n        pass\n")
	turn := &drain.Turn{
		Target: a, Overlay: w.tip.State.Overlay(), Limit: use(1<<40, 1_000_000), Payload: drain.Payload{Handler: "spin"},
		Block: testBlock(w), Interrupt: raised{},
	}
	if _, err := newHost().Query(turn, nil); !errors.Is(err, drain.ErrInterrupted) {
		t.Errorf("the query ended with %v", err)
	}
}

// Who asks for a handler in vain is told which there are: methods, inherited ones too, and functions of the module itself.
func TestMissingHandlersAreNamed(t *testing.T) {
	w := newWorld(t)
	a := w.deployText("from cowboy_sdk import actor, call\n\ndef helper(payload):\n    return b''\n\n" +
		"class Base:\n    def first(self, payload):\n        pass\n\n" +
		"@actor\nclass Own(Base):\n    limit = 3\n    def second(self, payload):\n        pass\n    def _hidden(self, payload):\n        pass\n")
	b := w.deployText("from cowboy_sdk import call\n\ndef run(payload):\n    return call(payload, 'thrid', [])\n")
	w.faults(drain.FaultCall, 1, a, "frist", nil)
	if m := w.watch.Missing; m == nil || m.Actor != a || m.Handler != "frist" || strings.Join(m.Has, " ") != "first helper second" {
		t.Errorf("%+v", w.watch.Missing)
	}
	w.faults(drain.FaultCall, 1, b, "run", a[:])
	if m := w.watch.Missing; m == nil || m.Actor != a || m.Handler != "thrid" || strings.Join(m.Has, " ") != "first helper second" {
		t.Errorf("%+v", w.watch.Missing)
	}
	w.ok(1, a, "second", nil)
	if w.watch.Missing != nil {
		t.Errorf("nothing is missing: %+v", w.watch.Missing)
	}
	c := w.deployText("from cowboy_sdk import actor\n\n" +
		"@actor\nclass Named:\n    @actor.handler('tick.tock')\n    def tick(self, payload):\n        pass\n")
	w.faults(drain.FaultCall, 1, c, "tik", nil)
	if m := w.watch.Missing; m == nil || strings.Join(m.Has, " ") != "tick tick.tock" {
		t.Errorf("with a name that is no identifier: %+v", w.watch.Missing)
	}
}
