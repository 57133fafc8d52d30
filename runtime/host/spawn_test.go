package host_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const parentManifest = `[{"id":"econ.hold_balance"},{"id":"econ.transfer","params":{"max_amount":9}},{"id":"exec.spawn","params":{"max_children":4}},
	{"id":"storage.kv","params":{"max_bytes":100}}]`

// spawned is the address a spawning call returned, its 20 bytes.
func spawned(t *testing.T, returned string) account.Address {
	t.Helper()
	if len(returned) != account.AddressSize {
		t.Fatalf("%q is no address", returned)
	}
	return account.Address([]byte(returned))
}

// held is the manifest an actor has in state, as its identifiers.
func (w *world) held(actor account.Address) string {
	w.t.Helper()
	raw, found, err := w.tip.State.Lookup(host.ManifestKey(actor))
	if err != nil || !found {
		return "none"
	}
	m, err := entitle.Parse(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []string
	for _, g := range m.Grants {
		ids = append(ids, g.ID)
	}
	return strings.Join(ids, " ")
}

// A child has its parent for creator, the address that follows from it, and of the parent's entitlements those that are inheritable or a part of
// them; its init handler sees the parent. Nothing of it stays if that handler fails.
//
// Spec: ENT §7, §9.1; WP §1.2 (address derivation), §15 ("only inherit entitlements marked inheritable").
func TestSpawn(t *testing.T) {
	w := newWorld(t)
	parent := w.gated(parentManifest)
	spawn := func(what string) string { return w.ok(1, parent, "spawn", []byte(what)) }

	whole := spawned(t, spawn("a||init|x"))
	text := string(source(t, "gated"))
	child := text[strings.Index(text, `b"""`)+4:]
	canonical, err := pvm.CanonicalSource([]byte(child[:strings.Index(child, `"""`)]))
	if err != nil {
		t.Fatal(err)
	}
	salt, err := account.PadSalt([]byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	if want := account.DeriveActor(parent, salt, account.CodeHash(canonical)); whole != want {
		t.Errorf("a child at %v, want %v", whole, want)
	}
	if a := w.account(whole); a.Creator != parent || a.Kind != account.Actor || a.CreatedAt != w.tip.Header.Height {
		t.Errorf("%+v", a)
	}
	if got := w.held(whole); got != "econ.hold_balance exec.spawn storage.kv" {
		t.Errorf("a child without a manifest of its own holds %s", got)
	}
	if got := w.stored(whole, "init"); got != "x"+string(parent[:]) {
		t.Errorf("init left %q", got)
	}
	// The parent's limit is the child's: 100 bytes of storage. init took 25, 4 of key and 1 and 20 of value; the mark of being initialised
	// takes 15 and 1; the key k takes 1.
	w.ok(1, whole, "write", make([]byte, 58))
	if x := w.faults(1208, 1, whole, "write", make([]byte, 59)); !strings.Contains(x.Fault.Text, "ERR_ENTITLEMENT_QUOTA_EXCEEDED: ") {
		t.Error(x.Fault.Text)
	}
	payee := person(1)
	w.faults(1207, 1, whole, "pay", payee[:])
	w.faults(1207, 1, whole, "later", nil)

	part := spawned(t, spawn(`b|[{"id":"storage.kv","params":{"max_bytes":5}}]||`))
	if got := w.held(part); got != "storage.kv" {
		t.Errorf("a child with a manifest holds %s", got)
	}
	w.ok(1, part, "write", make([]byte, 4))
	w.faults(1208, 1, part, "write", make([]byte, 5))
	nothing := spawned(t, spawn(`c|[]||`))
	if got := w.held(nothing); got != "" {
		t.Errorf("a child with an empty manifest holds %q", got)
	}
	w.faults(1207, 1, nothing, "write", []byte("x"))
	list := spawned(t, w.ok(1, parent, "spawn_list", nil))
	if got := w.held(list); got != "storage.kv" {
		t.Errorf("a manifest given as a list: %s", got)
	}
	w.faults(1208, 1, parent, "spawn", []byte("e|||")) // the fifth

	for what, want := range map[string]uint16{
		`x|[{"id":"econ.transfer","params":{"max_amount":9}}]||`:                                             1207, // not inheritable
		`x|[{"id":"storage.kv","params":{"max_bytes":101}}]||`:                                               1207, // wider
		`x|[{"id":"timer.schedule","params":{"max_timers":1}}]||`:                                            1207, // not the parent's
		`x|[{"id":"sys.upgrade"}]||`:                                                                         1207,
		`x|[{"id":"storage.kv"}]||`:                                                                          1202, // incomplete
		`x|[{"id":"storage.kv","params":{"max_bytes":1}},{"id":"exec.spawn","params":{"max_children":1}}]||`: 1202, // unsorted
		`x|[{"id":"nothing"}]||`:                                                                             1202,
		strings.Repeat("s", 33) + "|||":                                                                      1202,
		`x||missing|`:                                                                                        1206,
	} {
		t.Run(what, func(t *testing.T) {
			other := w.gated(parentManifest)
			if x := w.faults(want, 1, other, "spawn", []byte(what)); x.Status == block.Success {
				t.Error(what)
			}
		})
	}
	w.faults(1202, 1, w.gated(parentManifest), "spawn_source", []byte("def f(:"))

	// A reader spawns nothing.
	turn := &drain.Turn{
		Target: parent, Overlay: w.tip.State.Overlay(), Limit: use(1_000_000, 1_000_000), Block: testBlock(w),
		Payload: drain.Payload{Handler: "spawn", Data: []byte("q|||")},
	}
	if out, err := newHost().Query(turn, nil); err != nil || out.Fault == nil || out.Fault.Code != drain.FaultForbidden {
		t.Errorf("a query: %+v %v", out.Fault, err)
	}

	// Neither an actor without the entitlement spawns, nor one without a manifest, whose child would be held to nothing.
	w.faults(1207, 1, w.gated(`[{"id":"storage.kv","params":{"max_bytes":100}}]`), "spawn", []byte("a|||"))
	w.faults(1207, 1, w.gated(""), "spawn", []byte("a|||"))
}

// A failing init handler takes the child with it, and does not count; a second child of the same salt is refused.
//
// Spec: ENT §9.12 (max_children), §11; sdk §3.8.
func TestSpawnUndone(t *testing.T) {
	w := newWorld(t)
	parent := w.gated(`[{"id":"exec.spawn","params":{"max_children":1}},{"id":"storage.kv","params":{"max_bytes":100}}]`)
	got := strings.Split(w.ok(1, parent, "spawn_caught", nil), "\n")
	want := []string{
		"MissingEntitlementError E1207 7 ERR_MISSING_ENTITLEMENT: econ.transfer is not inheritable",
		"ActorCallError E1206 6 ValueError: no child",
		"EntitlementParamError E1202 2 ERR_ENTITLEMENT_PARAM_INVALID: entitlement: invalid manifest: a grant is not a map",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("%q, want %q", got, want[i])
		}
	}
	first := spawned(t, w.ok(1, parent, "spawn", []byte("caught|||")))
	if a := w.account(first); a.CreatedAt != w.tip.Header.Height {
		t.Errorf("the child of the failed init handler lives: %+v", a)
	}
	w.faults(1215, 1, parent, "spawn", []byte("caught|||"))
	w.faults(1208, 1, parent, "spawn", []byte("another|||"))
}

// A child is a child: what it spawns is within what it inherited.
//
// Spec: ENT §7.
func TestGrandchild(t *testing.T) {
	w := newWorld(t)
	parent := w.gated(parentManifest)
	child := spawned(t, w.ok(1, parent, "spawn", []byte(`a|[{"id":"exec.spawn","params":{"max_children":1}},{"id":"storage.kv","params":{"max_bytes":9}}]||`)))
	grandchild := spawned(t, w.ok(1, child, "spawn", []byte("import pvm_host\ndef write(payload):\n    pvm_host.set_state(b'k', payload)\n")))
	if a := w.account(grandchild); a.Creator != child || w.held(grandchild) != "exec.spawn storage.kv" {
		t.Errorf("%+v holds %s", a, w.held(grandchild))
	}
	w.ok(1, grandchild, "write", make([]byte, 8))
	w.faults(1208, 1, grandchild, "write", make([]byte, 9))
	w.faults(1208, 1, child, "spawn", []byte("x = 1\n"))
}

// Spawning costs a deployment, a hundred and fifty cycles for each byte of the source, and a cell for each byte of code, calldata and manifest.
//
// Spec: WP §17.2 (Deploy), §17.4.
func TestSpawnCost(t *testing.T) {
	w := newWorld(t)
	cost := func(size int) (cycles, cells uint64) {
		parent := w.gated(`[{"id":"exec.spawn","params":{"max_children":4}}]`)
		code := "x = 1\n#" + strings.Repeat("c", size-8) + "\n"
		x := w.call(1, parent, "spawn_source", []byte(code))
		if x.Status != block.Success {
			t.Fatal(x.Fault.Text)
		}
		return uint64(x.CyclesUsed), uint64(x.CellsUsed)
	}
	c1, b1 := cost(100)
	c2, b2 := cost(1_100)
	// A transaction's payload costs a cell a byte besides.
	if c2-c1 != 1_000*uint64(params.CostCompile) || b2-b1 != 2_000 || c1 < 100_000+100*uint64(params.CostCompile) {
		t.Errorf("%d and %d cycles, %d and %d cells", c1, c2, b1, b2)
	}
}

// deprecate announces the end of entitlements to the network, by an administrator.
func (w *world) deprecate(window uint64, list ...params.Deprecation) *block.Receipt {
	w.t.Helper()
	in := &tx.UpdateEntitlementConfig{Config: params.EntitlementConfig{WindowBlocks: window, Deprecated: list}}
	return w.run(8, in)
}

// reach mines until the tip has a height, and gives the last block's receipts.
func (w *world) reach(height uint64) (last []*block.Receipt) {
	w.t.Helper()
	for uint64(w.tip.Header.Height) < height {
		last = w.mine()
	}
	return last
}

func events(list []*block.Receipt, topic string) (found []block.Event) {
	for _, x := range list {
		for _, e := range x.Events {
			if string(e.Topic) == topic {
				found = append(found, e)
			}
		}
	}
	return found
}

// An entitlement that goes: until its first height nothing is different; in the window it works and deployments are warned; the block after, it is
// unknown, its actors do not execute whatever reaches them, and the block says which.
//
// Spec: ENT §9.10, §9.11, §11.
func TestDeprecation(t *testing.T) {
	w := newWorld(t)
	relay := w.gated("")
	const manifest = `[{"id":"econ.hold_balance"},{"id":"storage.kv","params":{"max_bytes":50}}]`
	actor, other := w.gated(manifest), w.gated(`[{"id":"econ.hold_balance"}]`)
	w.mine(w.sign(person(9), &tx.FundActor{Actor: actor, Amount: 777}))
	w.ok(1, actor, "do", []byte("write 5"))

	now := uint64(w.tip.Header.Height)
	from, until := now+5, now+15
	d := params.Deprecation{ID: "storage.kv", From: w.tip.Header.Height + 5, Until: w.tip.Header.Height + 15}
	if x := w.deprecate(10, d); x.Status != block.Success || len(x.Events) != 2 { // the group, and its version
		t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	w.reach(from - 2)
	deploy := func(salt string) []*block.Receipt {
		in := &tx.Deploy{Code: source(t, "gated"), Salt: []byte(salt), Manifest: []byte(manifest)}
		return w.mine(w.sign(person(2), in))
	}
	if got := events(deploy("1"), entitle.TopicDeprecated); len(got) != 0 { // height from - 1
		t.Errorf("warned before the window: %v", got)
	}
	list := deploy("2") // height from
	got := events(list, entitle.TopicDeprecated)
	if len(got) != 1 {
		t.Fatalf("%d warnings in the window", len(got))
	}
	data := append(append([]byte(nil), list[0].Created[:]...), binary.AppendUvarint(nil, until+1)...)
	if want := string(data) + "\x0astorage.kv"; string(got[0].Data) != want || got[0].Actor != account.System(account.Entitlements) {
		t.Errorf("warning %x by %v, want %x", got[0].Data, got[0].Actor, want)
	}
	w.reach(until - 2)
	w.ok(1, actor, "do", []byte("write 6")) // height until - 1
	if list := deploy("3"); list[0].Status != block.Success {
		t.Errorf("at the window's last height: %s", list[0].Fault.Text)
	}

	list = w.reach(until + 1)
	gone := events(list, entitle.TopicNonExecutable)
	var told []string
	for _, e := range gone {
		told = append(told, e.Actor.String())
		if string(e.Data) != "storage.kv" {
			t.Errorf("%q", e.Data)
		}
	}
	if len(gone) != 4 || !strings.Contains(fmt.Sprint(told), actor.String()) || strings.Contains(fmt.Sprint(told), other.String()) {
		t.Errorf("non-executable: %v", told)
	}
	if list := events(w.mine(), entitle.TopicNonExecutable); len(list) != 0 {
		t.Errorf("told again: %d", len(list))
	}
	if x := deploy("4")[0]; x.Fault.Code != 1202 || !strings.HasPrefix(x.Fault.Text, "ERR_ENTITLEMENT_PARAM_INVALID") {
		t.Errorf("deployed after the removal: %d %s", x.Fault.Code, x.Fault.Text)
	}
	w.holdsBack(t, relay, actor, other)
	w.redeploys(t, actor, manifest)
}

// holdsBack holds that an actor does not execute whatever reaches it, and another does.
func (w *world) holdsBack(t *testing.T, relay, actor, other account.Address) {
	t.Helper()
	for name, run := range w.ways(relay) {
		if name == "timer" {
			continue // below: it cannot be scheduled
		}
		if x := run(actor, "none"); x.Fault.Code != 1217 || !strings.Contains(x.Fault.Text, "ERR_ACTOR_NON_EXECUTABLE: ") {
			t.Errorf("by a %s: %d %s", name, x.Fault.Code, x.Fault.Text)
		}
		if x := run(other, "none"); x.Status != block.Success {
			t.Errorf("another actor by a %s: %d %s", name, x.Fault.Code, x.Fault.Text)
		}
	}
	timed := w.run(1, &tx.TimerSchedule{Actor: actor, Height: w.tip.Header.Height + 3, Handler: []byte("do")})
	if timed.Fault.Code != 1217 {
		t.Errorf("scheduled: %d %s", timed.Fault.Code, timed.Fault.Text)
	}
	told := strings.SplitN(w.ok(1, relay, "caught", []byte(actor.String()+"|do|none")), ":", 2)
	if told[0] != "ActorNonExecutableError E1217 5 ERR_ACTOR_NON_EXECUTABLE" {
		t.Errorf("a caller sees %q", told)
	}
}

// redeploys holds that state and balance of an actor that does not execute stay; its owner, whose deployment leads to its address, deploys it again.
func (w *world) redeploys(t *testing.T, actor account.Address, manifest string) {
	t.Helper()
	if a := w.account(actor); a.Balance != 777 || a.StorageBytes == 0 {
		t.Errorf("%+v", a)
	}
	salt := []byte(fmt.Sprint(uint64(w.account(actor).CreatedAt) - 1))
	again := func(from byte, manifest string) *block.Receipt {
		in := &tx.Deploy{Code: source(t, "gated"), Salt: salt, Manifest: []byte(manifest), InitHandler: []byte("do"), InitPayload: []byte("fail")}
		return w.run(from, in)
	}
	if x := again(1, ""); x.Fault.Code != 1215 {
		t.Errorf("redeployed without a manifest: %d %s", x.Fault.Code, x.Fault.Text)
	}
	if x := again(1, manifest); x.Fault.Code != 1202 {
		t.Errorf("redeployed with what was removed: %d %s", x.Fault.Code, x.Fault.Text)
	}
	if x := again(1, `[{"id":"econ.hold_balance"},{"id":"exec.spawn","params":{"max_children":2}}]`); x.Status != block.Success || *x.Created != actor {
		t.Fatalf("redeployed: %d %s", x.Fault.Code, x.Fault.Text)
	}
	if got := w.ok(1, actor, "do", []byte("children 1")); got != "done" || w.account(actor).Balance != 777 {
		t.Errorf("after redeploying: %q", got)
	}
	w.faults(1207, 1, actor, "do", []byte("write 1"))
	if raw, _, _ := w.tip.State.Lookup(host.StorageKey(actor, []byte("k"))); string(raw) != "vvvvvv" {
		t.Errorf("storage %q", raw)
	}
	if x := again(1, `[{"id":"econ.hold_balance"}]`); x.Fault.Code != 1215 {
		t.Errorf("an executable actor redeployed: %d %s", x.Fault.Code, x.Fault.Text)
	}
}

// A timer that was pending when its actor stopped executing fails each time it fires, and the actor's parent redeploys its child.
//
// Spec: ENT §9.11 (cannot process messages or be scheduled; redeployed by its owner).
func TestNonExecutableChild(t *testing.T) {
	w := newWorld(t)
	parent := w.gated(`[{"id":"exec.spawn","params":{"max_children":1}},{"id":"timer.schedule","params":{"max_timers":1}}]`)
	child := spawned(t, w.ok(1, parent, "spawn", []byte(`a|[{"id":"timer.schedule","params":{"max_timers":1}}]||`)))
	now := w.tip.Header.Height
	w.mine(w.sign(person(1), &tx.TimerSchedule{Actor: child, Height: now + 12, Handler: []byte("write"), Payload: []byte("x")}))
	if x := w.deprecate(1, params.Deprecation{ID: "timer.schedule", From: now + 8, Until: now + 10}); x.Status != block.Success {
		t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
	}
	var fired *block.Receipt
	for _, x := range w.reach(uint64(now) + 12) {
		if x.Kind == block.Timer && x.Target == child {
			fired = x
		}
	}
	if fired == nil || fired.Fault.Code != 1217 {
		t.Fatalf("the timer: %+v", fired)
	}
	// The parent holds the removed entitlement too: it is redeployed first, then it redeploys its child, which does not count as another one.
	salt := []byte(fmt.Sprint(uint64(w.account(parent).CreatedAt) - 1))
	x := w.run(1, &tx.Deploy{Code: source(t, "gated"), Salt: salt,
		Manifest: []byte(`[{"id":"exec.spawn","params":{"max_children":1}},{"id":"storage.kv","params":{"max_bytes":9}}]`)})
	if x.Status != block.Success {
		t.Fatalf("the parent: %d %s", x.Fault.Code, x.Fault.Text)
	}
	if got := spawned(t, w.ok(1, parent, "spawn", []byte("a||init|x"))); got != child {
		t.Errorf("redeployed at %v", got)
	}
	if w.stored(child, "init") != nil {
		t.Error("the init handler ran again")
	}
	w.ok(1, child, "write", []byte("x"))
}

// Who may announce a deprecation, and what one has to be.
//
// Spec: ENT §9.11; governance-staking B10.
func TestDeprecationRules(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name        string
		id          string
		from, until unit.Height // after the block that announces it
		window      uint64
		want        uint16
	}{
		{"unknown", "custom.x", 1, 20, 10, 1202},
		{"too early", "storage.kv", 0, 20, 10, 1202},
		{"too short", "storage.kv", 1, 10, 10, 1202},
		{"allowed", "storage.kv", 1, 11, 10, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := w.tip.Header.Height + 1
			if x := w.deprecate(c.window, params.Deprecation{ID: c.id, From: at + c.from, Until: at + c.until}); x.Fault.Code != c.want {
				t.Errorf("%s: %d %s, want %d", c.name, x.Fault.Code, x.Fault.Text, c.want)
			}
		})
	}
	// One that runs may stay, beside another and under a longer window; it may not change; it may be withdrawn.
	running := params.Deprecation{ID: "storage.kv", From: w.tip.Header.Height + 1, Until: w.tip.Header.Height + 11}
	now := w.tip.Header.Height
	other := params.Deprecation{ID: "accel.gpu", From: now + 50, Until: now + 150}
	if x := w.deprecate(100, other, running); x.Status != block.Success {
		t.Errorf("beside another: %s", x.Fault.Text)
	}
	sooner := params.Deprecation{ID: "storage.kv", From: running.From, Until: running.Until - 1}
	if x := w.deprecate(1, sooner); x.Fault.Code != 1202 {
		t.Errorf("changed: %d", x.Fault.Code)
	}
	if x := w.deprecate(100); x.Status != block.Success {
		t.Errorf("withdrawn: %s", x.Fault.Text)
	}
	w.reach(uint64(running.Until) + 2)
	w.ok(1, w.gated(`[{"id":"storage.kv","params":{"max_bytes":9}}]`), "do", []byte("write 1"))
	// Nobody but an administrator.
	in := &tx.UpdateEntitlementConfig{Config: params.EntitlementConfig{WindowBlocks: 1}}
	built, err := transition.Apply(w.tip, transition.Job{Mode: transition.Build, Header: w.header(), Txs: []tx.Verified{w.sign(person(1), in)}}, w.runner)
	if err != nil || len(built.Refused) != 1 {
		t.Errorf("a stranger's: %+v %v", built, err)
	}
}

// Where the network requires manifests, an actor deployed without one holds nothing; those that were there before stay as they are.
//
// Spec: ENT §1 (least privilege by default), §3.3.
func TestRequiredManifest(t *testing.T) {
	w := newWorld(t)
	older := w.gated("")
	in := &tx.UpdateEntitlementConfig{Config: params.EntitlementConfig{WindowBlocks: 1, RequireManifest: true}}
	if x := w.run(8, in); x.Status != block.Success {
		t.Fatal(x.Fault.Text)
	}
	w.ok(1, older, "do", []byte("write 1"))
	bare := w.gated("")
	if got := w.held(bare); got != "" {
		t.Errorf("holds %s", got)
	}
	w.faults(1207, 1, bare, "do", []byte("write 1"))
	w.ok(1, w.gated(`[{"id":"storage.kv","params":{"max_bytes":9}}]`), "do", []byte("write 1"))
}
