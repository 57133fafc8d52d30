package host_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// Form A: a decorated class.
//
// Spec: sdk §3.1, §3.3, §3.4, §3.8, §4, §26.
func TestFormA(t *testing.T) {
	w := newWorld(t)
	x := w.tryDeploy("form_a", "init", []byte("hello"))
	if x.Status != block.Success || string(x.ReturnData) != "hello" || x.Created == nil {
		t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	a := *x.Created
	if got := w.ok(2, a, "increment", nil); got != "11" {
		t.Errorf("increment gave %q", got)
	}
	x = w.call(2, a, "increment", nil)
	if len(x.Events) != 1 || string(x.Events[0].Topic) != "incremented" || string(x.Events[0].Data) != `{"n":12}` {
		t.Errorf("events %+v", x.Events)
	}
	if got := w.ok(2, a, "read", []byte("ignored")); got != "\x0c" {
		t.Errorf("read gave %x", got)
	}
	if got := w.stored(a, "n"); got != int64(12) {
		t.Errorf("stored %v", got)
	}
	w.faults(drain.FaultCall, 2, a, "_secret", nil)
	w.faults(drain.FaultCall, 2, a, "missing", nil)
	w.faults(drain.FaultCall, 2, a, "storage", nil)
	w.faults(drain.FaultActor, 2, person(3), "increment", nil)
	w.faults(drain.FaultUnavailable, 2, account.System(2), "submit", nil)
}

// Form B: module-level functions that forward to a decorated class, under deny by default.
//
// Spec: sdk §3.1, §5.4, §26.
func TestFormB(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("form_b", "")
	if got := w.ok(2, a, "increment", nil); got != "\x01" {
		t.Errorf("increment gave %x", got)
	}
	w.faults(drain.FaultPermission, 2, a, "hidden", nil)
	if got := w.ok(2, a, "free", nil); got != "free" {
		t.Errorf("free gave %q", got)
	}
}

// Form C: a bare class whose attributes survive between calls.
//
// Spec: sdk §3.1, §26.
func TestFormC(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("form_c", "")
	w.ok(2, a, "increment", nil)
	w.ok(2, a, "increment", []byte("no parameter for it"))
	w.faults(drain.FaultException, 2, a, "fail", nil)
	got, err := cbor.Parse([]byte(w.ok(2, a, "show", nil)))
	if err != nil {
		t.Fatal(err)
	}
	if want := (cbor.Map{{Key: "count", Value: int64(2)}, {Key: "names", Value: []any{"n1", "n2"}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("show gave %v", got)
	}
}

// Forms D and E: functions only; what the module imports is not reachable.
//
// Spec: sdk §3.1, §26.
func TestFormD(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("form_d", "")
	w.ok(2, a, "increment", nil)
	if got := w.ok(2, a, "increment", nil); got != "2" {
		t.Errorf("increment gave %q", got)
	}
	if got := w.ok(2, a, "main", []byte(`{"action":"x"}`)); got != `{"did":"x"}` {
		t.Errorf("main gave %q", got)
	}
	if got := w.ok(2, a, "echo", []byte{0, 0xff}); got != "\x00\xff" {
		t.Errorf("echo gave %q", got)
	}
	w.faults(drain.FaultCall, 2, a, "dumps", nil)
}

// {none, public, callable_by(address), OWNER, SELF} × {stranger, owner, listed, the actor itself}.
//
// Spec: sdk §5, §26.
func TestPermissions(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("access", "init")
	const ok, denied = 0, drain.FaultPermission
	for handler, want := range map[string][3]uint16{ // stranger 3, owner 1, listed 2
		"nobody":       {denied, denied, denied},
		"anyone":       {ok, ok, ok},
		"friend":       {denied, denied, ok},
		"owner":        {denied, ok, denied},
		"several":      {denied, ok, ok},
		"own":          {denied, denied, denied},
		"step__resume": {denied, denied, denied},
		"init":         {denied, denied, denied},
		"helper":       {denied, denied, denied},
	} {
		for i, from := range []byte{3, 1, 2} {
			w.faults(want[i], from, a, handler, nil)
		}
	}
	w.ok(3, a, "wake_me", nil)
	receipts := w.mine()
	if len(receipts) != 1 || receipts[0].Status != block.Success || w.stored(a, "own") != int64(1) {
		t.Errorf("a timer of its own was refused: %+v", receipts)
	}
}

// The init window is open until init returns once.
//
// Spec: sdk §5.3, §26.
func TestInitWindow(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("access", "")
	w.faults(0, 4, a, "init", nil)
	w.faults(0, 4, a, "owner", nil)
	w.faults(drain.FaultPermission, 4, a, "init", nil)
}

// A source that does not parse is refused with the place where the parser stopped; whoever writes it is told what CPython 3.11 says of it.
//
// Spec: WP §3.2.
func TestDeploymentIsRefusedPlainly(t *testing.T) {
	const bad = "x = [1 2]\n"
	w := newWorld(t)
	x := w.mine(w.sign(person(1), &tx.Deploy{Code: []byte(bad)}))[0]
	if x.Fault.Code != drain.FaultSource || x.Fault.Text != "1:8: SyntaxError: invalid syntax" {
		t.Errorf("%d %q", x.Fault.Code, x.Fault.Text)
	}
	if found := host.Check([]byte(bad)); len(found) != 1 || !strings.Contains(found[0].Error(), "invalid syntax. Perhaps you forgot a comma?") {
		t.Errorf("%v", found)
	}
}

// A deployment whose init raises leaves nothing; the same code and salt deploy once.
//
// Spec: sdk §3.8, §26; WP §1.2.
func TestDeploy(t *testing.T) {
	w := newWorld(t)
	before := w.account(person(1))
	x := w.tryDeploy("form_c", "fail", nil)
	if x.Fault.Code != drain.FaultException || x.Created != nil {
		t.Fatalf("%+v", x)
	}
	if after := w.account(person(1)); after.Balance >= before.Balance || after.Nonce != before.Nonce+1 {
		t.Errorf("deployer %+v", after)
	}
	if x = w.tryDeploy("bad", "", nil); x.Fault.Code != drain.FaultSource || !strings.Contains(x.Fault.Text, "1") {
		t.Errorf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	if x = w.tryDeploy("form_d", "missing", nil); x.Fault.Code != drain.FaultCall {
		t.Errorf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	in := &tx.Deploy{Code: source(t, "form_d"), Salt: []byte("s")}
	hash := account.CodeHash(source(t, "form_d"))
	salt, _ := account.PadSalt([]byte("s"))
	want := account.DeriveActor(person(1), salt, hash)
	w.mine(w.sign(person(2), &tx.Transfer{To: want, Amount: 5}))
	x = w.mine(w.sign(person(1), in))[0]
	if x.Created == nil || *x.Created != want {
		t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	if a := w.account(want); a.Balance != 5 || a.Kind != account.Actor || a.CodeHash != hash || a.Creator != person(1) {
		t.Errorf("%+v", a)
	}
	if x = w.mine(w.sign(person(1), in))[0]; x.Fault.Code != drain.FaultExists {
		t.Errorf("%d %s", x.Fault.Code, x.Fault.Text)
	}
}

// Spec: sdk §6, §26.
func TestHandlerModes(t *testing.T) {
	w := newWorld(t)
	a, other := w.deploy("modes", ""), w.deploy("form_d", "")
	w.faults(drain.FaultForbidden, 2, a, "plain_send", other[:])
	w.faults(drain.FaultForbidden, 2, a, "pure_timer", nil)
	if got := w.ok(2, a, "caught", other[:]); got != "E1205 PurityViolationError" {
		t.Errorf("caught %q", got)
	}
	if got := w.ok(2, a, "deferred_send", other[:]); got != "sent" {
		t.Errorf("deferred gave %q", got)
	}
	w.ok(2, a, "write", []byte("x"))
	if w.stored(a, "w") == nil {
		t.Error("a pure handler may write storage")
	}
	// A starter of continuations is deferred; the tag has to be True itself.
	if got := w.ok(2, a, "starter", other[:]); got != "sent" {
		t.Errorf("a starter gave %q", got)
	}
	w.faults(drain.FaultForbidden, 2, a, "no_starter", other[:])
	w.faults(drain.FaultForbidden, 2, a, "nearly", other[:])
	// The mode of the innermost invocation counts: a pure handler may call a deferred one.
	w.ok(2, a, "through_call", a[:])
}

// Synchronous calls: binding, sender, one shared transaction, partial undo, budget, depth.
//
// Spec: sdk §7, §5.2, §3.3, §26; WP §3.3 (depth 32).
func TestCalls(t *testing.T) {
	w := newWorld(t)
	a, b := w.deploy("caller", ""), w.deploy("caller", "")
	if a == b {
		t.Fatal("one address")
	}
	x := w.call(2, a, "start", b[:])
	if x.Status != block.Success {
		t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	got, err := cbor.Parse(x.ReturnData)
	if err != nil {
		t.Fatal(err)
	}
	want := []any{int64(5), int64(11), []any{"a", "z"}, int64(2), true, "ValueError: boom", "no handler", "no actor", true}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("start gave %v", got)
	}
	if len(x.Events) != 0 || w.stored(b, "x") != nil || w.stored(a, "x") != "caller" {
		t.Errorf("the callee's effects are left: %v, %v", x.Events, w.stored(b, "x"))
	}
	w.faults(drain.FaultCall, 2, a, "uncaught", b[:])
	if w.stored(a, "y") != nil {
		t.Error("an uncaught failure left the caller's write")
	}
	if got := w.ok(2, a, "dive", []byte("32")); got != "bottom" {
		t.Errorf("dive gave %q", got)
	}
	w.faults(drain.FaultForbidden, 2, a, "dive", []byte("33"))
}

// A callee that uses up the cycles of its call raises CycleLimitExceeded in the caller, in a transaction, in a call of a call, in a timer and in
// a message; nobody's effects stay if it is not caught.
//
// Spec: sdk §18 (CycleLimitExceeded E1201).
func TestCallOutOfCycles(t *testing.T) {
	w := newWorld(t)
	a, b := w.deploy("caller", ""), w.deploy("caller", "")
	w.faults(drain.FaultTimeout, 2, a, "exhaust", b[:])
	w.faults(drain.FaultTimeout, 2, b, "relay", append(a[:], b[:]...))
	w.ok(2, a, "later", b[:])
	injected := w.mine()
	w.ok(2, b, "post", append(a[:], b[:]...))
	injected = append(injected, w.mine()...)
	if len(injected) != 2 || injected[0].Kind != block.Timer || injected[1].Kind != block.Message {
		t.Fatalf("%d turns", len(injected))
	}
	for _, x := range injected {
		if x.Fault.Code != drain.FaultTimeout || !strings.HasPrefix(x.Fault.Text, "CycleLimitExceeded: ") {
			t.Errorf("%v: %d %s", x.Kind, x.Fault.Code, x.Fault.Text)
		}
	}
	if w.stored(a, "y") != nil {
		t.Error("an uncaught end left the caller's write")
	}
}

// Plain messages find their handler; deferred calls come back; nothing leaves from a handler that raises.
//
// Spec: sdk §3.6, §7, §26; scheduler-timers §10.
func TestMessages(t *testing.T) {
	w := newWorld(t)
	a, b := w.deploy("messages", ""), w.deploy("messages", "")
	w.faults(drain.FaultException, 2, a, "raise_after", b[:])
	w.ok(2, a, "go", b[:])
	if w.account(b).MailboxCount != 5 || w.account(a).Deferred != 1 {
		t.Fatalf("%+v", w.account(b))
	}
	var status []string
	for _, x := range w.mine() {
		status = append(status, fmt.Sprint(x.Kind, " ", x.Fault.Code))
	}
	if got := strings.Join(status, ", "); got != "message 0, message 0, message 0, message 0, message 1206, deferred 0" {
		t.Errorf("delivered %s", got)
	}
	for key, want := range map[string]any{"named": int64(7), "pair": int64(3), "map": "world", "raw": []byte("raw")} {
		t.Run(key, func(t *testing.T) {
			if got := w.stored(b, key); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, want %v", key, got, want)
			}
		})
	}
	if got := w.stored(a, "later"); !reflect.DeepEqual(got, []byte("soon")) {
		t.Errorf("later: %v", got)
	}
}

// An agent that wakes itself: explicit handler with data, JSON envelope, default handler, interval cancelled by its own handler.
//
// Spec: WP §3.3, §5; scheduler-timers §2; sdk §11.
func TestAgent(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("agent", "")
	w.ok(2, a, "start", nil)
	x := w.mine()[0]
	if x.Kind != block.Timer || x.Status != block.Success || string(x.Events[0].Data) != `{"n":1}` {
		t.Fatalf("%v %d %s", x.Kind, x.Fault.Code, x.Fault.Text)
	}
	w.mine()
	if got := w.stored(a, "json"); !reflect.DeepEqual(got, []byte(`{"n":1}`)) {
		t.Errorf("json: %s", got)
	}
	w.ok(2, a, "plain", nil)
	w.mine()
	if got := w.stored(a, "default"); !reflect.DeepEqual(got, []byte("raw bytes")) {
		t.Errorf("default: %s", got)
	}
	w.ok(2, a, "every", nil)
	for range 9 {
		w.mine()
	}
	if got := w.stored(a, "beats"); got != int64(3) || w.account(a).Timers != 0 {
		t.Errorf("beats %v, timers %d", got, w.account(a).Timers)
	}
}

// Whatever breaks a limit leaves nothing but its fee.
//
// Spec: WP §3.2, §3.3; sdk §17, §18, §26.
func TestLimits(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("limits", "")
	for handler, code := range map[string]uint16{
		"spin": drain.FaultCycles, "eat": drain.FaultMemory, "deep": drain.FaultForbidden, "cycle": drain.FaultDeterminism,
		"fill": drain.FaultLimit, "long": drain.FaultLimit, "fan": drain.FaultLimit, "owner": drain.FaultForbidden,
	} {
		t.Run(handler, func(t *testing.T) {
			x := w.faults(code, 2, a, handler, nil)
			if handler == "spin" && x.CyclesUsed != 8_000_000 {
				t.Errorf("spin used %d", x.CyclesUsed)
			}
		})
	}
	if b := w.account(a); b.StorageBytes != 0 || b.Nonce != 0 || b.MailboxCount != 0 {
		t.Errorf("left behind: %+v", b)
	}
	if got := w.ok(2, a, "gas", nil); got < "1000" || len(got) != 4 {
		t.Errorf("gas gave %q", got)
	}
}

// A query reads committed state and can change nothing.
//
// Spec: sdk §6 (read-only execution), §26.
func TestQuery(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("form_a", "init")
	turn := func(handler string) *drain.Turn {
		overlay := w.tip.State.Overlay()
		return &drain.Turn{
			Target: a, Overlay: overlay, Limit: use(1_000_000, 1_000_000), Payload: drain.Payload{Handler: handler},
			Block: testBlock(w),
		}
	}
	out, err := newHost().Query(turn("read"), nil)
	if err != nil || out.Fault != nil || string(out.Return) != "\x0a" {
		t.Fatalf("%+v %v", out, err)
	}
	if out, err = newHost().Query(turn("increment"), nil); err != nil || out.Fault == nil || out.Fault.Code != drain.FaultForbidden {
		t.Fatalf("%+v %v", out, err)
	}
}

// The published form of an actor that names no permission keeps working for everybody.
//
// Spec: README "Permissions".
func TestOlderForm(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("form_a", "")
	w.mine(w.sign(person(7), &tx.Transfer{To: a, Amount: unit.CBY}))
	w.faults(0, 7, a, "init", []byte("x"))
	w.faults(0, 7, a, "init", []byte("again"))
	w.faults(0, 8, a, "increment", nil)
}

var _ = host.PVMVersion
