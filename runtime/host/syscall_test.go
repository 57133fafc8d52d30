package host

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Spec: sdk §8.
func TestContext(t *testing.T) {
	d := newCaller(t)
	one := person(1)
	self := actorAt(1)
	d.want(fmt.Sprintf("b%q", one[:]), "get_sender")
	d.want(fmt.Sprintf("b%q", self[:]), "get_actor_address")
	d.want("10", "get_block_height")
	d.want("10", "current_block")
	d.want("1234567", "get_timestamp_ms")
	d.want("1", "get_chain_id")
	d.want("'3.11.8-cowboy-1'", "get_pvm_version")
	d.want("'fsm'", "mode")
	d.wantCost(100, 0, "get_block_height")
	d.wantCost(206, 0, "context") // and the dict it makes, 3 for each of 11 items, and 3 for each of its room of 4 and then of 12
	d.wantCost(0, 0, "get_sender")
	d.wantCost(77, 0, "charge_gas", 77)
	d.want("out of cycles", "charge_gas", uint64(1<<63))
	v, _ := newCaller(t).raw("context")
	dict, _ := v.AsDict()
	if dict.Len() != len(contextNames) {
		t.Errorf("context has %d entries", dict.Len())
	}
	query := newCaller(t, func(f *Invocation) { f.sender = nil })
	query.want("None", "get_sender")
}

// Spec: WP §17.3, §17.4; CIP-3 §2.2; sdk §4.3, §8.
func TestStorage(t *testing.T) {
	d := newCaller(t)
	d.want("None", "get_state", "k")
	d.want("None", "set_state", "k", "value")
	d.want(`b"value"`, "get_state", []byte("k"))
	d.want("None", "delete_state", "k")
	d.want("None", "delete_state", "k")
	d.want("None", "get_state", "k")
	d.wantCost(200, 6, "set_state", "k", "value")
	d.wantCost(200, 0, "delete_state", "k")
	d.want("InvalidInputError E1202", "get_state", "")
	d.want("InvalidInputError E1202", "set_state", strings.Repeat("k", 257), "")
	d.want("None", "set_state", strings.Repeat("k", 256), "long")
	d.want(`b"long"`, "get_state", strings.Repeat("k", 256))
	d.want("None", "get_state", strings.Repeat("k", 255))
	d.want("None", "set_state", "max", make([]byte, 64<<10))
	d.want("QuotaError E1208", "set_state", "max", make([]byte, 64<<10+1))
	d.want("TypeError", "set_state", "k", 5)
	d.want("TypeError", "get_state", nil)
	for _, key := range []string{"__OWNER__", "__INITIALIZED__", "__continuation:1", "__runner_result:1", "__reentrancy:m", "__instance__"} {
		d.want("ForbiddenError E1205", "get_state", key)
		d.want("ForbiddenError E1205", "set_state", key, "x")
		d.want("ForbiddenError E1205", "delete_state", key)
	}
	d.want("None", "record_set", "__continuation:1", "state")
	d.want(`b"state"`, "record_get", "__continuation:1")
	d.want("ForbiddenError E1205", "record_set", "__OWNER__", "x")
	d.want("ForbiddenError E1205", "record_get", "k")
}

// A hundredth of a cell per byte, rounded up once per turn: reading 150 bytes as three times 50 costs two cells, not three.
//
// Spec: WP §17.4 (0.01 cells per byte).
func TestReadCells(t *testing.T) {
	d := newCaller(t)
	d.call("set_state", "k", make([]byte, 50))
	for i, want := range []uint64{1, 0, 1, 0, 1} {
		c, b := d.cost("get_state", "k")
		if c != 100 || b != want {
			t.Errorf("read %d costs %d/%d, want 100/%d", i, c, b, want)
		}
	}
}

// Spec: sdk §4.3 (ascending, limit, hidden keys).
func TestScan(t *testing.T) {
	d := newCaller(t)
	for _, key := range []string{"a:2", "b", "a:1", "a:" + strings.Repeat("x", 40), "a:3"} {
		d.call("set_state", key, key[:1])
	}
	d.call("record_set", "__continuation:9", "hidden")
	d.call("assume_ownership_if_unowned")
	list := func(args ...any) string {
		v, e := d.raw("scan_state_prefix", args...)
		if e != nil {
			return e.Type().Name
		}
		var keys []string
		l, _ := v.AsList()
		for _, pair := range l.Items() {
			items, _ := pair.AsTuple()
			key, _ := items.Items()[0].AsBytes()
			keys = append(keys, string(key.Data()))
		}
		return strings.Join(keys, " ")
	}
	for i, c := range []struct{ got, want string }{
		{list("a:"), "a:1 a:2 a:3"},
		{list("a:", 2), "a:1 a:2"},
		{list(""), "a:1 a:2 a:3 b"},
		{list("c"), ""},
		{list("__"), ""},
		{list("a:", 0), ""},
		{list(strings.Repeat("a", 33)), "HostError"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%q, want %q", c.got, c.want)
			}
		})
	}
	for i := range 1_010 {
		d.call("set_state", fmt.Sprintf("n%04d", i), "")
	}
	if got := len(strings.Fields(list("n", 5_000))); got != 1_000 {
		t.Errorf("%d pairs", got)
	}
	d2 := newCaller(t)
	d2.call("set_state", "k1", "v")
	d2.call("set_state", "k2", "v")
	d2.wantCost(308, 1, "scan_state_prefix", "k") // once for the scan, two pairs, and the list it makes, with room for four
	d2.wantCost(101, 0, "scan_state_prefix", "z") // and a list of none
	d2.wantCost(101, 0, "scan_state_prefix", "k", 0)
	d2.wantCost(80, 0, "lock", "a") // a cycle more would be for 32 bytes of the name
}

// Quota counts keys and values; what does not fit changes nothing; deleting gives room back.
//
// Spec: WP §3.2, §13 (storage_quota_per_actor = 1 MiB).
func TestQuota(t *testing.T) {
	d := newCaller(t, func(f *Invocation) {
		p := *f.work.turn.Block.Params
		p.Limits.BaseQuotaBytes = 100
		f.work.turn.Block.Params = &p
	})
	d.want("None", "set_state", "key1", make([]byte, 46))
	d.want("None", "set_state", "key2", make([]byte, 46))
	d.want("QuotaError E1208", "set_state", "k", "")
	d.want("QuotaError E1208", "set_state", "key1", make([]byte, 47))
	d.want("None", "set_state", "key1", make([]byte, 45))
	d.want("None", "set_state", "k", "")
	d.want("None", "delete_state", "key2")
	d.want("None", "set_state", "key3", make([]byte, 46))
	a, err := account.Load(d.f.work.overlay, d.f.self)
	if err != nil || a.StorageBytes != 4+45+1+50 {
		t.Errorf("%d bytes, %v", a.StorageBytes, err)
	}
}

// Spec: WP §17.3, §17.4; sdk §8 (emit_event).
func TestEvents(t *testing.T) {
	d := newCaller(t)
	d.wantCost(500+5*8, 4, "emit_event", "Done", "data")
	d.wantCost(500+5*3, 2, "emit_event", "abc") // 1.5 cells of this on top of 4: 5.5 → 6
	d.wantCost(500+5*1, 0, "emit_event", "a")   // 6 exactly
	d.call("emit_event", "J", map[string]any{"b": []any{1, nil, true}, "a": []byte{0xab}, "é\n": "\x01\"\\"})
	d.want("TypeError", "emit_event", "J", map[string]any{"x": d.m.NewSet(&object.TypeSet).Value()})
	d.want("QuotaError E1208", "emit_event", "")
	d.want("QuotaError E1208", "emit_event", strings.Repeat("t", 257))
	d.want("QuotaError E1208", "emit_event", "t", make([]byte, 64<<10+1))
	last := d.f.work.Events[len(d.f.work.Events)-1]
	if string(last.Data) != `{"a":"ab","b":[1,null,true],"é\n":"\u0001\"\\"}` || last.Actor != actorAt(1) {
		t.Errorf("event %s", last.Data)
	}
}

// Spec: sdk §6 (pure and read-only), §26.
func TestModes(t *testing.T) {
	async := [][]any{
		{"send_message", actorAt(2), "x"}, {"create_deferred_tx", "h"}, {"set_timer", 11, "h"}, {"set_interval", 1, "h"},
		{"schedule_timer", 11}, {"schedule_timer_ex", 11}, {"extend_timer", digest.Hash{}, 12}, {"cancel_timer", digest.Hash{}},
	}
	mutating := [][]any{
		{"set_state", "k", "v"}, {"delete_state", "k"}, {"emit_event", "e"}, {"transfer", actorAt(2), 1}, {"randomness", "d"},
		{"assume_ownership_if_unowned"}, {"transfer_ownership", actorAt(2)}, {"renounce_ownership"},
	}
	pure := newCaller(t, func(f *Invocation) { f.mode = Pure })
	query := newCaller(t, func(f *Invocation) { f.work.readOnly = true })
	for _, c := range async {
		pure.want("PurityViolationError E1205", c[0].(string), c[1:]...)
		query.want("ReadOnlyError E1205", c[0].(string), c[1:]...)
	}
	for _, c := range mutating {
		query.want("ReadOnlyError E1205", c[0].(string), c[1:]...)
		if got := pure.call(c[0].(string), c[1:]...); strings.Contains(got, "Purity") || strings.Contains(got, "ReadOnly") {
			t.Errorf("pure %v: %s", c, got)
		}
	}
	query.want("None", "get_state", "k")
	pure.want("'pure'", "handler_mode")
}

// Spec: WP §3.3, §17.3; sdk §7.
func TestSend(t *testing.T) {
	d := newCaller(t)
	// The record: identity 32, sender 20, nonce, handler, form and length of the payload 4, the payload 5, origin 32, depth, height and coins 3. Then
	// the keys, 8, 8, 32 and 8, the target in the delivery order, 20, and what ages: height, target and identity, 60.
	d.wantCost(80, 32+20+4+5+32+3+8+8+32+8+20+60, "send_message", actorAt(2), "hello")
	d.want("ActorNotFoundError E1220", "send_message", person(5), "x")
	d.want("AddressError E1202", "send_message", "0x12", "x")
	d.want("AddressError E1202", "send_message", []byte("short"), "x")
	two := actorAt(2)
	if got := d.call("send_message", "0x"+two.Hex(), map[string]any{"handler": "go"}); !strings.HasPrefix(got, "b") {
		t.Errorf("to hexadecimal: %s", got)
	}
	d.want("CodecError E1213", "send_message", actorAt(2), []byte{0x18, 0x01}, true)
	entries, err := mailbox.Pending(d.f.work.overlay, nil, 9)
	if err != nil || len(entries) != 2 || d.f.work.Enqueued != 2 || d.f.work.Fanout.Count != 2 {
		t.Fatalf("%d messages, %d enqueued, fan-out %d, %v", len(entries), d.f.work.Enqueued, d.f.work.Fanout.Count, err)
	}
	m, _, _ := mailbox.Load(d.f.work.overlay, entries[1])
	if !m.Structured || !bytes.Equal(m.Payload, []byte("\xa1\x67handler\x62go")) || m.Depth != 1 || m.Origin != (digest.Hash{1}) {
		t.Errorf("%+v", m)
	}
	d.f.work.Fanout.Count = params.FanoutPerTx
	d.want("FanoutError E1208", "send_message", actorAt(2), "x")
	d.want("FanoutError E1208", "set_timer", 99, "h")
	d.f.work.Fanout.Count = 0
	d.f.work.turn.Depth = 32
	d.want("MessageDepthError E1205", "send_message", actorAt(2), "x")
	d.f.work.turn.Depth = 0
	d.want("MailboxFullError E1226", "send_message", actorAt(2), make([]byte, 1_000_000))
}

// Spec: scheduler-timers §2, §4; sdk §11.
func TestTimers(t *testing.T) {
	d := newCaller(t)
	d.wantCost(200, 5+4, "set_timer", 11, "alarm", "data")
	d.want("TimerError E1500", "set_timer", 10, "alarm")
	d.want("TimerError E1500", "set_timer", 11, "_private")
	d.want("TimerError E1500", "set_interval", 0, "h")
	d.want("TimerError E1500", "schedule_timer_ex", 11, "", nil, 550_001)
	d.want("TimerError E1500", "schedule_timer_ex", 11, "", nil, nil, 10+2_592_001)
	d.want("InvalidInputError E1202", "schedule_timer_ex", 11, "", actorAt(2))
	d.call("set_timer", 11, "alarm", "economy", "economy")
	d.call("set_interval", 3, "alarm", "fast", "fast")
	d.call("schedule_timer_ex", 11, "urgent", nil, 40_000, 77, nil, nil, "urgent")
	d.want("TypeError", "schedule_timer_ex", 11, "", nil, nil, nil, "a fee")
	d.want("TypeError", "schedule_timer_ex", 11, "", nil, nil, nil, nil, "a tip")
	d.want("ValueError", "set_timer", 11, "alarm", "", "quick")
	d.want("TypeError", "set_timer", 11, "alarm", "", 2)
	d.want("ValueError", "schedule_timer_ex", 11, "", nil, nil, nil, nil, 7, "fast")
	if err := timer.Owned(d.f.work.overlay, actorAt(1), 0, func(id timer.ID) bool {
		x, ok, err := timer.Load(d.f.work.overlay, id)
		if err != nil || !ok || x.Tier != timer.Standard && x.Tier.String() != string(x.Payload) {
			t.Errorf("%s has the tier %v, %v", x.Payload, x.Tier, err)
		}
		if string(x.Payload) == "urgent" && (x.GasLimit != 40_000 || x.ExpiresAt != 77) {
			t.Errorf("gas %d, until %d", x.GasLimit, x.ExpiresAt)
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if held, err := timer.Held(d.f.work.overlay, actorAt(1)); err != nil || held != 4 {
		t.Errorf("%d timers, %v", held, err)
	}
}

// Spec: scheduler-timers §2.2 (JSON envelope).
func TestRoute(t *testing.T) {
	for payload, want := range map[string][2]string{
		`{"_handler":"tick","_payload":{"b": 1, "a":[ 2 ]}}`: {"tick", `{"b":1,"a":[2]}`},
		`{"_handler":"tick"}`:                                {"tick", ""},
		`{"_handler":5}`:                                     {"", `{"_handler":5}`},
		`{"_HANDLER":"tick"}`:                                {"", `{"_HANDLER":"tick"}`},
		`{"_handler":"_x"}`:                                  {"", `{"_handler":"_x"}`},
		`[]`:                                                 {"", `[]`},
		`not json`:                                           {"", `not json`},
		``:                                                   {"", ``},
	} {
		t.Run(payload, func(t *testing.T) {
			handler, inner := route([]byte(payload))
			if handler != want[0] || string(inner) != want[1] {
				t.Errorf("%s: %q %q", payload, handler, inner)
			}
		})
	}
}

// Spec: sdk §12.
func TestOwnership(t *testing.T) {
	d := newCaller(t)
	one, self := person(1), actorAt(1)
	d.want(`b""`, "get_owner")
	d.want("PermissionDeniedError E1230", "renounce_ownership")
	d.want("None", "transfer_ownership", one)
	d.want(fmt.Sprintf("b%q", one[:]), "get_owner")
	d.want("ValueError", "transfer_ownership", account.Address{})
	d.want("None", "transfer_ownership", person(2))
	d.want("PermissionDeniedError E1230", "transfer_ownership", person(3))
	d.want("PermissionDeniedError E1230", "renounce_ownership")
	d.f.sender = &self
	d.want("None", "renounce_ownership")
	zero := account.Address{}
	d.want(fmt.Sprintf("b%q", zero[:]), "get_owner")
	d.want(fmt.Sprintf("b%q", zero[:]), "assume_ownership_if_unowned")
	d.f.sender = &zero
	d.want("PermissionDeniedError E1230", "transfer_ownership", person(3))
	fresh := newCaller(t)
	fresh.want(fmt.Sprintf("b%q", one[:]), "assume_ownership_if_unowned")
	fresh.f.sender = &self
	fresh.want(fmt.Sprintf("b%q", one[:]), "assume_ownership_if_unowned")
	fresh.want("False", "is_initialized")
}

// Spec: sdk §13 (transfer, get_balance).
func TestTransfer(t *testing.T) {
	d := newCaller(t)
	d.want("100000000000", "get_balance")
	d.want("None", "transfer", person(8), uint64(40*unit.CBY))
	d.want("60000000000", "get_balance")
	d.want("40000000000", "get_balance", person(8))
	d.want("InsufficientBalanceError E1003", "transfer", person(8), uint64(61*unit.CBY))
	d.want("InvalidInputError E1202", "transfer", person(8), -1)
	d.want("None", "transfer", actorAt(1), uint64(60*unit.CBY))
	d.want("60000000000", "get_balance")
}

// Spec: WP §3.4, §3.5; sdk §16.
func TestChanceAndHash(t *testing.T) {
	d := newCaller(t)
	want := sig.Randomness([]byte("beacon"), "dice")
	d.want(fmt.Sprintf("b%q", want[:]), "randomness", "dice")
	d.wantCost(1_000, 0, "randomness", "dice")
	hash := digest.Keccak256([]byte("abc"))
	d.want(fmt.Sprintf("b%q", hash[:]), "keccak256", "abc")
	d.wantCost(6, 0, "keccak256", make([]byte, 32))
	d.wantCost(12, 0, "keccak256", make([]byte, 33))
	d.wantCost(0, 0, "keccak256", "")
}

// Spec: sdk §15; CIP-3 §2.2 (20 + bytes).
func TestCodec(t *testing.T) {
	d := newCaller(t)
	d.want(`b"\x02"`, "cbor_encode", 2)
	d.wantCost(21, 0, "cbor_encode", 2)
	d.want(`b"\xa2aa\xf6ab\x82\x01AA"`, "cbor_encode", map[string]any{"b": []any{1, []byte("A")}, "a": nil})
	d.want("{'a': None, 'b': [1, b'A']}", "cbor_decode", []byte("\xa2aa\xf6ab\x82\x01AA"))
	d.want("CodecError E1213", "cbor_decode", []byte("\x18\x01"))
	d.want("CodecError E1213", "cbor_decode", []byte("\x01\x01"))
	d.want("CodecError E1213", "cbor_decode", []byte("\xa2ab\xf6aa\xf6"))
	refused := func(lists int) uint64 { // around a byte that ends nothing
		before := d.meter.Used()
		d.want("CodecError E1213", "cbor_decode", []byte(strings.Repeat("\x81", lists)+"\xff"))
		return d.meter.Used() - before
	}
	refused(1)
	if want := uint64(1 + d.m.Costs().Display); refused(8)-refused(7) != want {
		t.Errorf("one more list around what is refused costs %d, want a byte and the list, %d", refused(8)-refused(7), want)
	}
	shared := d.value([]any{1, 2, 3})
	for range 40 { // 2^40 elements when written out
		shared = d.m.List(shared, shared)
	}
	d.want("out of cycles", "cbor_encode", shared)
}

// Chapters that are not built say so; an upgrade needs its entitlement.
//
// Spec: WP §15; sdk §8, §18.
func TestAbsent(t *testing.T) {
	d := newCaller(t)
	d.want("NotAvailableError E1299", "submit_job", "x")
	d.want("MissingEntitlementError E1207", "upgrade_self", "code")
}

// Spec: sdk §10.8.
func TestLocks(t *testing.T) {
	d := newCaller(t)
	d.want("True", "lock", "m")
	d.want("False", "lock", "m")
	inner := &Invocation{work: d.f.work, self: actorAt(1)}
	if inner.lock("m") {
		t.Error("another frame of the actor took it")
	}
	inner.unlock("m")
	d.want("False", "lock", "m")
	if !(&Invocation{work: d.f.work, self: actorAt(2)}).lock("m") {
		t.Error("another actor's lock is another")
	}
	d.f.release()
	d.want("True", "lock", "m")
	d.want("None", "unlock", "m")
	d.want("True", "lock", "m")
	d.want("0", "next_counter")
	d.want("1", "next_counter")
}

// Spec: sdk §5.1.
func TestCheckAccess(t *testing.T) {
	tag := func(d *caller, tags ...any) object.Value {
		var list []object.Value
		for _, x := range tags {
			list = append(list, d.value(x))
		}
		return d.m.Tuple(list...)
	}
	strict := newCaller(t, func(f *Invocation) { f.form.Permissions = true })
	strict.want("None", "check_access", tag(strict, "public"))
	strict.want("PermissionDeniedError E1230", "check_access", tag(strict))
	strict.want("PermissionDeniedError E1230", "check_access", tag(strict, "owner", "self", person(2)))
	strict.want("None", "check_access", tag(strict, person(2), person(1)))
	strict.call("transfer_ownership", person(1))
	strict.want("None", "check_access", tag(strict, "owner"))
	self := actorAt(1)
	strict.f.sender = &self
	strict.want("None", "check_access", tag(strict))
	older := newCaller(t)
	older.want("None", "check_access", tag(older))
	older.want("PermissionDeniedError E1230", "check_access", tag(older, person(2)))
}
