package sdk_test

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/runtime/sdk"
	"github.com/cowboyinc/cowboy-go/testkit"
)

func TestSource(t *testing.T) {
	for _, name := range sdk.Modules() {
		if source, ok := sdk.Source(name); !ok || len(source) == 0 {
			t.Errorf("no source of %s", name)
		}
	}
	for _, name := range []string{"", "os", "cowboy_sdk.", "cowboy_sdk.nothing", "cowboy_sdk.__init__", "cowboy_sdkx", "cowboy_sdk.a/b", "cowboy_sdk.."} {
		if _, ok := sdk.Source(name); ok {
			t.Errorf("%q has a source", name)
		}
	}
}

// probe is an actor whose handlers each exercise one part of the SDK and return what they saw as text.
const probe = `
import json
from cowboy_sdk import (
    SELF, ActorRef, Address, BlockHeight, CowboyError, CowboyModel, GuardSet, PermissionDeniedError, PurityViolationError,
    ReentrancyError, Retry, SoftFloat, StateConflictError, Verify, actor, call, callable_by, codec, deferred,
    derive_actor_address, generate_id, ordered_set, public, pure, reentrancy_guard, runtime, send, storage_guard, vrf,
)
from cowboy_sdk.collections import ordered_set as again
from cowboy_sdk.errors import AddressError, CodecError
from cowboy_sdk.runtime import get_block_height

class Item(CowboyModel):
    name: str
    count: int = 1
    tags: list[str] = []

class Order(CowboyModel):
    item: Item
    note: str = None

@actor
class Probe:
    @public
    def init(self, payload):
        self.storage["n"] = 1

    @public
    def storing(self, payload):
        s = self.storage
        s["a"] = {"x": [1, b"\x01", None, True, 1.5]}
        copy = s["a"]
        copy["x"].append(2)
        out = [s["a"] == {"x": [1, b"\x01", None, True, 1.5]}, s["missing"], s.get("missing", 7), "a" in s]
        s["n"] += 4
        del s["a"]
        s.set_raw("raw", b"\xff")
        out += [s["n"], "a" in s, s.get_raw("raw")]
        for key in ("__OWNER__", "__INITIALIZED__"):
            try:
                s[key] = 1
            except ValueError as e:
                out.append(str(e))
        try:
            s[1] = 1
        except TypeError as e:
            out.append(str(e))
        return repr(out).encode()

    @public
    def types(self, payload):
        a = Address.from_hex("0x52908400098527886E0F7030069857D2E4169EE7")
        out = [a.to_hex(), str(a) == a.to_hex(), a == a.to_bytes(), {a: 1}[bytes(a)], len(Address.ZERO), Address.JOB_DISPATCHER[-1]]
        for bad in ("0x12", "zz" * 20, b"short", 5):
            try:
                Address.from_hex(bad) if isinstance(bad, str) else Address(bad)
            except AddressError as e:
                out.append(e.slug)
        out += [repr(BlockHeight(7)), SoftFloat is float, ordered_set is again, list(ordered_set([3, 1, 2, 1]))]
        out.append(derive_actor_address(b"\x11" * 20, b"\x01", b"\x22" * 32).hex())
        return repr(out).encode()

    @public
    def models(self, payload):
        order = Order(item=Item(name="hay", tags=["dry"]))
        same = Order.from_cbor(order.to_cbor())
        out = [same == order, order.to_dict(), Item.schema()["required"], repr(Item(name="a"))]
        for bad in ({"name": 1}, {}, {"name": "a", "x": 1}, {"name": "a", "count": True}):
            try:
                Item(**bad)
            except TypeError as e:
                out.append(str(e))
        self.storage["order"] = order
        out.append(self.storage["order"]["item"]["name"])
        return repr(out).encode()

    @public
    def guards(self, payload):
        g = self.storage.guard("n")
        both = GuardSet("n", "m")
        out = [g.value]
        self.storage["m"] = 1
        for check in (lambda: g.value, both.verify):
            try:
                out.append(check())
            except StateConflictError as e:
                out.append(e.slug)
        try:
            self.enter(3)
        except ReentrancyError as e:
            out.append(e.slug)
        out.append(self.enter(0))
        return repr(out).encode()

    @reentrancy_guard
    @public
    def enter(self, n):
        return "in" if n == 0 else self.enter(n - 1)

    @public
    def random(self, payload):
        a, b = vrf.randint("dice", 1, 6), vrf.randint("dice", 1, 6)
        ids = {generate_id() for _ in range(5)}
        return repr([a == b, 1 <= a <= 6, len(vrf.randomness(b"x")), len(ids), vrf.choice("c", [4]), get_block_height() > 0]).encode()

    @public
    def builders(self, payload):
        v = Verify.builder().mode("consensus").runners(5).threshold(3).check(Verify.numeric_range("p", 1, 2)).build()
        r = Retry(3)
        delays = []
        while r.has_next():
            delays.append(r.next_delay())
        out = [v["mode"], v["checks"][0]["kind"], delays]
        for bad in (lambda: Verify.builder().mode("guess"), lambda: Verify.builder().runners(22), lambda: Retry(9)):
            try:
                bad()
            except ValueError as e:
                out.append(str(e))
        return repr(out).encode()

    @pure
    @public
    def purity(self, payload):
        try:
            send(self.address, {"a": 1})
        except PurityViolationError as e:
            return (e.slug + " " + e.fix).encode()

    @public
    def calling(self, payload):
        out = [call(self.address, "add", [2, 3]), call(self.address, "add", {"a": 2, "b": 5}), ActorRef(self.address).add(1, 1)]
        for bad in (lambda: call(self.address, "secret"), lambda: call(Address.from_hex("12" * 20), "x"), lambda: call(self.address, "add", [1])):
            try:
                bad()
            except CowboyError as e:
                out.append(type(e).__name__ + " " + e.slug)
        return repr(out).encode()

    @public
    def add(self, a, b):
        return a + b

    @callable_by(SELF)
    def secret(self):
        return "told"

    def helper(self):
        return 1

    @public
    def helping(self, payload):
        try:
            self.helper()
        except PermissionDeniedError as e:
            return e.slug.encode()

    @public
    def codecs(self, payload):
        out = [codec.decode(codec.encode({"b": (1, 2), "a": {1, 2}})), codec.encode([1, -1, "a"]).hex()]
        for bad in (b"\x18\x01", b"\x01\x01", b"\x9f\xff", b"\xa2\x61b\x01\x61a\x02"):
            try:
                codec.decode(bad)
            except CodecError as e:
                out.append(e.slug)
        return repr(out).encode()
`

// TestSurface holds what authors see of the SDK to values worked out by hand: EIP-55's own example address, CBOR by RFC 8949.
// Spec: sdk §2, §4, §5, §6, §7, §10, §14, §15, §18.
func TestSurface(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	actor := alice.Deploy(probe, []byte("{}"))
	for handler, want := range map[string]string{
		"storing": `[True, None, 7, True, 5, False, b'\xff', '__OWNER__ is reserved', '__INITIALIZED__ is reserved', 'storage keys are str, not int']`,
		"models": `[True, {'item': {'name': 'hay', 'count': 1, 'tags': ['dry']}, 'note': None}, ['name'], "Item(name='a', count=1, tags=[])", ` +
			`"field 'name' holds int", "Item() misses the field 'name'", "Item() has no field 'x'", "field 'count' holds bool", 'hay']`,
		"random":   `[True, True, 32, 5, 4, True]`,
		"builders": `['majority_vote', 'numeric_range', [1, 2, 4], "unknown verification mode 'guess'", '1 to 21 runners', '1 to 4 attempts']`,
		"purity":   `E1205 mark it @deferred`,
		"calling":  `[5, 7, 2, 'ActorNotFoundError E1220', 'ActorCallError E1206']`,
		"helping":  `E1230`,
		"codecs":   `[{'a': [1, 2], 'b': [1, 2]}, '8301206161', 'E1213', 'E1213', 'E1213', 'E1213']`,
	} {
		t.Run(handler, func(t *testing.T) {
			got := alice.Call(actor, handler, "")
			if got != want {
				t.Errorf("%s:\n got %s\nwant %s", handler, got, want)
			}
		})
	}
	got := alice.Call(actor, "types", "")
	for _, part := range []string{
		"['0x52908400098527886E0F7030069857D2E4169EE7', True, True, 1, 20, 2, 'E1202', 'E1202', 'E1202', 'E1202', 'block#7', True, True, [3, 1, 2], ",
	} {
		if !strings.HasPrefix(got, part) {
			t.Errorf("types: %s", got)
		}
	}
	c.Mine()
	if got := alice.Call(actor, "guards", ""); got != `[5, 5, 'E1206', 'E1205', 'in']` {
		t.Errorf("guards: %s", got)
	}
	for _, handler := range []string{"helper", "secret", "_tag", "nothing"} {
		if x := alice.Try(actor, handler, ""); x.Status != block.Faulted {
			t.Errorf("%s: %s", handler, testkit.Describe(x))
		}
	}
	if x := alice.Try(actor, "init", ""); x.Status != block.Success {
		t.Errorf("a public init may be called again: %s", testkit.Describe(x))
	}
}

// TestInitWindow closes an init without a tag once it has returned. Spec: sdk §5.3.
func TestInitWindow(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	source := `
from cowboy_sdk import actor, public
@actor
class A:
    def init(self, payload):
        if payload == b"bad":
            raise ValueError("no")
        self.storage["by"] = payload.decode()
    @public
    def by(self, payload):
        return (self.storage["by"] or "nobody").encode()
`
	if x := alice.TryDeploy(source, []byte("bad")); x.Status != block.Faulted || x.Created != nil {
		t.Errorf("failed init: %s", testkit.Describe(x))
	}
	actor := alice.Deploy(source, []byte("first"))
	if x := c.Account("mallory").Try(actor, "init", "second"); x.Status != block.Faulted || x.Fault.Code != 1230 {
		t.Errorf("second init: %s", testkit.Describe(x))
	}
	if got := alice.Call(actor, "by", ""); got != "first" {
		t.Errorf("by = %s", got)
	}
	late := alice.Deploy(source, nil)
	if got := alice.Call(late, "by", ""); got != "nobody" {
		t.Errorf("without init: %s", got)
	}
	c.Account("mallory").Call(late, "init", "mallory")
	if x := alice.Try(late, "init", "alice"); x.Status != block.Faulted {
		t.Error("init stayed open after it had returned")
	}
}
