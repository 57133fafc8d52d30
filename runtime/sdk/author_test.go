package sdk_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Storage as authors use it: the aliases, copies, the byte level under it, and the reserved keys, which no way leads to.
//
// Spec: sdk §4.1, §4.2, §4.3, §26 (reserved keys).
func TestStorageSurface(t *testing.T) {
	got := looking(t, "import pvm_host\nfrom cowboy_sdk import storage\n", `
        s = self.storage
        s["a"] = 1
        s["a"] += 2
        s.set("b", [1])
        s["b"].append(2)
        out.append([s["a"], s.get("b"), s["none"], s.get("none", 7), "a" in s, "none" in s, storage["a"], storage.get("b")])
        out.append([runtime.get_state(b"a"), runtime.get_state("a"), s.get_raw("a")])
        s.set_raw("raw", b"\xff\x00")
        out.append([runtime.get_state(b"raw"), s.get_raw("nothing")])
        refused(lambda: s["raw"])
        del s["a"]
        s.delete("b")
        del s["never"]
        out.append(["a" in s, "b" in s])
        for key in ("__OWNER__", "__INITIALIZED__", "__continuation:x", "__runner_result:x", "__reentrancy:m", "__instance__"):
            denied = 0
            for what in (lambda: s[key], lambda: s.__setitem__(key, 1), lambda: s.set_raw(key, b""), lambda: key in s, lambda: s.delete(key),
                         lambda: runtime.get_state(key.encode()), lambda: runtime.set_state(key, b""), lambda: pvm_host.delete_state(key)):
                try:
                    what()
                except (ValueError, RuntimeError):
                    denied += 1
            out.append(denied)
        runtime.assume_ownership_if_unowned()
        for i in range(3):
            s["p%d" % i] = i
        s["p" * 33] = 9
        out.append([runtime.scan_state_prefix(b"p"), runtime.scan_state_prefix("p", limit=2) == runtime.scan_state_prefix(b"p")[:2],
                    runtime.scan_state_prefix(b"__")])
        refused(lambda: list(s), TypeError)
        refused(lambda: s.set_raw("", b"x"))
        refused(lambda: s.set_raw("k" * 257, b"x"))
        refused(lambda: s.set_raw("k", bytes(65_537)))
`)
	expectAll(t, got, "[3, [1], None, 7, True, False, 3, [1]]", `[b'\x03', b'\x03', b'\x03']`, `[b'\xff\x00', None]`, "('CodecError', 'E1213')",
		"[False, False]", "8", "8", "8", "8", "8", "8", `[[(b'p0', b'\x00'), (b'p1', b'\x01'), (b'p2', b'\x02')], True, []]`, "('TypeError', None)",
		"('HostError', 'E1202')", "('HostError', 'E1202')", "('HostError', 'E1208')")
}

// Where a handler is, what it costs to ask, and the constants of the legacy switch.
//
// Spec: sdk §8.
func TestRuntimeSurface(t *testing.T) {
	got := looking(t, "import pvm_host\nimport cowboy_sdk.runtime as module\n", `
        c = runtime.context()
        out.append(sorted(c))
        out.append([c["sender"] == runtime.get_sender(), c["actor_addr"] == runtime.get_actor_address() == pvm_host.self_address() == self.address,
                    c["block_height"] == runtime.get_block_height() == pvm_host.current_block(), c["timestamp_ms"] == runtime.get_timestamp_ms(),
                    c["tx_hash"] == runtime.get_tx_hash(), c["chain_id"] == runtime.get_chain_id() == 1, c["pvm_version"] == runtime.get_pvm_version(),
                    len(c["block_hash"]), len(c["msg_id"]), type(c["nonce"]) is int])
        out.append([runtime.mode(), runtime.is_production(), runtime.is_development(), runtime.is_checkpoint_mode(), runtime.require_fsm()])
        before = runtime.gas_left()
        runtime.charge_gas(5_000)
        out.append(5_000 <= before - runtime.gas_left() < 5_200)
        out.append(runtime.keccak256(b"").hex())
        names = "get_sender get_actor_address get_block_height get_timestamp_ms get_tx_hash get_chain_id get_pvm_version context get_state " \
            "set_state delete_state scan_state_prefix emit_event send_message call_actor submit_job schedule_timer schedule_timer_ex " \
            "extend_timer cancel_timer upgrade_self keccak256 randomness charge_gas gas_left get_owner transfer_ownership renounce_ownership " \
            "assume_ownership_if_unowned is_initialized mode runtime_config transfer get_balance"
        out.append([n for n in names.split() if not hasattr(runtime, n) or not hasattr(module, n)])
        out.append([call.__name__ for call in (pvm_host.cbor_encode, pvm_host.cbor_decode, pvm_host.create_deferred_tx)])
        refused(lambda: runtime.upgrade_self(b"x"))
        runtime.emit_event("e", {"b": b"\x01", "a": [1, "x"]})
        runtime.emit_event("raw", b"\xff")
        runtime.emit_event("text", "plain")
`)
	expectAll(t, got, "['actor_addr', 'block_hash', 'block_height', 'chain_id', 'msg_id', 'nonce', 'pvm_version', 'sender', 'timestamp_ms', 'tx_hash', "+
		"'value']",
		"[True, True, True, True, True, True, True, 32, 32, True]", "['fsm', True, False, False, None]", "True",
		"c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470", "[]", "['cbor_encode', 'cbor_decode', 'create_deferred_tx']",
		"('MissingEntitlementError', 'E1207')")
}

// Timers in all spellings reach their handlers with what was given: bytes as bytes, values decoded, the JSON envelope opened, and the default
// handlers in their order.
//
// Spec: sdk §11, §3.6.
func TestTimerSurface(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	source := head + `
from cowboy_sdk import SELF, callable_by, cancel_timer, current_block, set_interval, set_timer
@actor
class A:
    @deferred
    @public
    def go(self, payload):
        now = current_block()
        set_timer(now + 1, "got", {"n": [1, 2]})
        set_timer(now + 2, "got", b"bytes")
        runtime.schedule_timer(now + 3, json.dumps({"_handler": "got", "_payload": {"k": 1}}).encode())
        runtime.schedule_timer(now + 4, b"default")
        beat = set_interval(2, "beat", "x")
        gone = set_timer(now + 2, "got", b"never")
        runtime.extend_timer(gone, now + 500)
        self.storage["ids"] = [beat, len(gone), cancel_timer(gone), cancel_timer(gone)]
        for bad in (lambda: set_timer(now, "got", b""), lambda: set_interval(0, "got", b""), lambda: runtime.schedule_timer_ex(now + 9, b"", gas_limit=550_001),
                    lambda: runtime.schedule_timer_ex(now + 9, b"", fee_payer=bytes(20)),
                    lambda: runtime.schedule_timer_ex(now + 9, b"", fee_payer=(1).to_bytes(20, "big")),
                    lambda: runtime.schedule_timer_ex(now + 9, b"", expires_at=now + 2_592_001)):
            try:
                bad()
            except RuntimeError as e:
                self._put(e.slug)
    @callable_by(SELF)
    def got(self, payload):
        self._put((payload, runtime.get_sender() == self.address, runtime.get_tx_hash() == bytes(32)))
    @deferred
    @callable_by(SELF)
    def beat(self, payload):
        self.storage["beats"] = (self.storage["beats"] or 0) + 1
        if self.storage["beats"] == 2:
            cancel_timer(self.storage["ids"][0])
    @callable_by(SELF)
    def NAME(self, payload):
        self._put(("NAME", payload))
    def _put(self, value):
        self.storage["out"] = (self.storage["out"] or []) + [repr(value)]
    @public
    def out(self, payload):
        return ("|".join(self.storage["out"]) + "|" + repr((self.storage["ids"][1:], self.storage["beats"]))).encode()
`
	for _, name := range []string{"handle_timer", "on_timer"} {
		a := alice.Deploy(strings.ReplaceAll(source, "NAME", name), nil)
		alice.Fund(a, 500*unit.CBY)
		alice.Call(a, "go", "")
		for range 8 {
			for _, x := range c.Mine().Receipts {
				if x.Fault.Code != 0 {
					t.Error(testkit.Describe(x))
				}
			}
		}
		expectAll(t, alice.Call(a, "out", ""), "'E1500'", "'E1500'", "'E1500'", "'E1202'", "'E1202'", "'E1500'", "({'n': [1, 2]}, True, True)",
			"(b'bytes', True, True)", `(b'{"k":1}', True, True)`, "('"+name+"', b'default')", "([32, True, False], 2)")
	}
}

// Ownership from the unset slot to the renounced one, which counts as set.
//
// Spec: sdk §12.
func TestOwnershipSurface(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	a := alice.Deploy(head+`
from cowboy_sdk import OWNER, callable_by
@actor
class A:
    @public
    def init(self, payload):
        self.storage["during"] = runtime.is_initialized()
    @public
    def look(self, payload):
        return repr((runtime.get_owner(), runtime.is_initialized(), self.storage["during"])).encode()
    @public
    def take(self, payload):
        return runtime.assume_ownership_if_unowned().hex().encode()
    @public
    def give(self, payload):
        runtime.transfer_ownership(bytes.fromhex(payload.decode()))
    @public
    def drop(self, payload):
        runtime.renounce_ownership()
    @callable_by(OWNER)
    def mine(self, payload):
        return b"yes"
`, []byte("{}"))
	hex := func(who *testkit.Account) string { return strings.ToLower(strings.TrimPrefix(who.Hex(), "0x")) }
	fails := func(who *testkit.Account, handler, payload, text string) {
		t.Helper()
		if x := who.Try(a, handler, payload); !strings.Contains(x.Fault.Text, text) {
			t.Errorf("%s: %s", handler, testkit.Describe(x))
		}
	}
	if got := alice.Call(a, "look", ""); got != "(b'', True, False)" {
		t.Error(got)
	}
	fails(alice, "drop", "", "PermissionDeniedError")
	fails(alice, "mine", "", "PermissionDeniedError")
	fails(alice, "give", strings.Repeat("00", 20), "ValueError")
	if got := bob.Call(a, "take", ""); got != hex(bob) {
		t.Error(got)
	}
	if got := alice.Call(a, "take", ""); got != hex(bob) {
		t.Errorf("taken twice: %s", got)
	}
	fails(alice, "give", hex(alice), "PermissionDeniedError")
	bob.Call(a, "give", hex(alice))
	fails(bob, "mine", "", "PermissionDeniedError")
	if got := alice.Call(a, "mine", ""); got != "yes" {
		t.Error(got)
	}
	alice.Call(a, "drop", "")
	if got := bob.Call(a, "take", ""); got != strings.Repeat("00", 20) {
		t.Errorf("reopened: %s", got)
	}
	fails(alice, "mine", "", "PermissionDeniedError")
}

// Types: what addresses accept and equal, heights, sets in insertion order whatever makes them, decimals of 28 digits.
//
// Spec: sdk §14, §26 (set iteration order).
func TestTypeSurface(t *testing.T) {
	got := looking(t, "from decimal import Decimal\nfrom cowboy_sdk import Address, AddressError, BlockHeight, SoftFloat, ordered_set\n", `
        text = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
        a = Address.from_hex(text.lower())
        out.append([str(a), a.to_hex() == text, a == bytes.fromhex(text[2:]), hash(a) == hash(a.to_bytes()), a in {a.to_bytes()}, len(a), a != Address.ZERO,
                    Address(text) == a, Address(a.to_bytes()) == a, isinstance(a, bytes)])
        out.append([getattr(Address, n)[-1] for n in ("ZERO", "RUNNER_REGISTRY", "JOB_DISPATCHER", "RESULT_VERIFIER",
                    "SECRETS_MANAGER", "TEE_VERIFIER", "TOKEN_REGISTRY")])
        for bad in (b"", bytes(19), bytes(21), "0x", "12", "zz" * 20, 5, None):
            refused(lambda: Address(bad), AddressError)
        h = BlockHeight(41)
        out.append([repr(h), h + 1, isinstance(h, int), h == 41, {h: 1}[41]])
        out.append([SoftFloat is float, ordered_set is set, list({3, 1, 2}), list(frozenset([2, 1])), list({x % 5 for x in (7, 3, 9)}), list({9, 1} | {4, 1}),
                    list(set("hello"))])
        out.append(str(Decimal(1) / Decimal(3)))
`)
	want := []string{"['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', True, True, True, True, 20, True, True, True, True]", "[0, 1, 2, 3, 4, 5, 6]"}
	for range 8 {
		want = append(want, "('AddressError', 'E1202')")
	}
	want = append(want, "['block#41', 42, True, True, 1]", "[True, True, [3, 1, 2], [2, 1], [2, 3, 4], [9, 1, 4], ['h', 'e', 'l', 'o']]",
		"0.3333333333333333333333333333")
	expectAll(t, got, want...)
}

// The prototype's generator is the published stream: pieces of the block's randomness under the seed with its type and a counter of eight
// little-endian bytes, read from the front, 53 bits to a float; what is drawn goes on from a saved state.
//
// Spec: sdk §16 (prototype generator), §2.3 (pvm_random, pvm_time, pvm_sys).
func TestPrototypeNames(t *testing.T) {
	got := looking(t, "from cowboy_sdk import pvm_random, pvm_sys, pvm_time\n", `
        def stream(prefix, n):
            return b"".join([runtime.randomness(b"random" + prefix + i.to_bytes(8, "little")) for i in range(n)])
        for seed, prefix in ((42, b"I*"), (0, b"I\0"), (-1, b"I\xff"), (128, b"I\0\x80"), (-128, b"I\xff\x80"), ("x", b"Sx"), (b"x", b"Bx"), (None, b"N")):
            pvm_random.seed(seed)
            if pvm_random.randbytes(40) != stream(prefix, 2)[:40]:
                out.append(seed)
        pvm_random.seed("f")
        first = int.from_bytes(stream(b"Sf", 1)[:7], "big") >> 3
        out.append(pvm_random.random() == first / 2**53)
        saved = pvm_random.getstate()
        a = [pvm_random.randint(-3, 3) for _ in range(50)]
        pvm_random.setstate(saved)
        out.append([a == [pvm_random.randint(-3, 3) for _ in range(50)], set(a) == set(range(-3, 4))])
        own = pvm_random.Random(7)
        out.append([own.getrandbits(0), own.getrandbits(70).bit_length() <= 70, own.randrange(0, 10, 5) in (0, 5), 1 <= own.uniform(1, 2) < 2])
        items = list(range(20))
        own.shuffle(items)
        out.append([sorted(items) == list(range(20)), items != list(range(20)), len(set(own.sample(items, 20)))])
        for bad in (lambda: own.randint(2, 1), lambda: own.randrange(0), lambda: own.sample([1], 2), lambda: own.getrandbits(-1)):
            refused(bad, ValueError)
        refused(lambda: own.choice([]), IndexError)
        refused(lambda: own.seed(1.5), TypeError)
        out.append([pvm_time.block_height() == runtime.get_block_height(), pvm_time.time_ms() == runtime.get_timestamp_ms(),
                    pvm_sys.chain_id, pvm_sys.pvm_version])
        refused(lambda: pvm_sys.nothing, AttributeError)
`)
	want := []string{"True", "[True, True]", "[0, True, True, True]", "[True, True, 20]"}
	for range 4 {
		want = append(want, "('ValueError', None)")
	}
	want = append(want, "('IndexError', None)", "('TypeError', None)", "[True, True, 1, '3.11.8-cowboy-1']", "('AttributeError', None)")
	expectAll(t, got, want...)
}

// Randomness is a function of block and domain, the same for every actor; helpers stay in their ranges; modules that would differ between nodes
// are refused.
//
// Spec: sdk §16, §17.3.
func TestChanceSurface(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	source := head + `
from cowboy_sdk import vrf
@actor
class A:
    @deferred
    @public
    def go(self, payload):
        rolls = [vrf.randint(b"d%d" % i, 1, 6) for i in range(60)]
        good = set(rolls) == {1, 2, 3, 4, 5, 6} and vrf.randint("big", 0, 10**40) <= 10**40 and vrf.randint("one", 5, 5) == 5
        try:
            vrf.randint("none", 2, 1)
            good = False
        except ValueError:
            pass
        same = runtime.randomness(b"x") == vrf.randomness(b"x") != runtime.randomness(b"y")
        return repr((good, same, runtime.randomness(b"x").hex())).encode()
    @deferred
    @public
    def both(self, payload):
        return repr(call(payload.decode(), "go", [b""], cycles_limit=900_000) == self.go(b"")).encode()
`
	a, b := alice.Deploy(source, nil), alice.Deploy(source, nil)
	first, second := alice.Call(a, "go", ""), alice.Call(a, "go", "")
	if !strings.HasPrefix(first, "(True, True, ") || first == second {
		t.Errorf("%s then %s", first, second)
	}
	if got := alice.Call(a, "both", b.String()); got != "True" {
		t.Errorf("two actors of one block: %s", got)
	}
	for _, module := range []string{"random", "time", "os", "secrets", "asyncio", "socket", "pickle", "datetime"} {
		if x := alice.TryDeploy("import "+module+"\ndef f(payload): pass\n", nil); x.Fault.Code != 1214 || !strings.Contains(x.Fault.Text, module) {
			t.Errorf("%s: %s", module, testkit.Describe(x))
		}
	}
	for _, module := range []string{"collections", "dataclasses", "enum", "functools", "itertools", "json", "re", "struct", "math", "decimal", "typing", "abc",
		"hashlib", "cowboy_sdk"} {
		a := alice.Deploy("import "+module+"\ndef f(payload):\n    return b'ok'\n", nil)
		if got := alice.Call(a, "f", ""); got != "ok" {
			t.Errorf("%s: %s", module, got)
		}
	}
}

// An actor keeps a blob, names it, finds it again, and holds other bytes to it. The multihash and the reference are those of Python's hashlib.
//
// Spec: WP §7.1–§7.3; storage-cbfs §7.
func TestBlobs(t *testing.T) {
	got := looking(t, "from cowboy_sdk import blobs\n", `
        one = blobs.put(b"hello")
        out.append(one.multihash().hex())
        out.append(one.size)
        out.append(blobs.get(one))
        out.append(blobs.get(one.to_bytes()) == b"hello")
        out.append(blobs.BlobRef.from_bytes(one.to_bytes()) == one)
        out.append(one == blobs.ref(b"hello"))
        other = blobs.ref(b"x" * 70_000, blobs.KECCAK256, 0x55, 4_096)
        out.append(other.to_bytes().hex())
        out.append(other.matches(b"x" * 70_000))
        out.append(other.matches(b"x" * 69_999))
        out.append(blobs.get(other))
        refused(lambda: blobs.put(b"x" * (blobs.INLINE_BYTES + 1)))
        refused(lambda: blobs.BlobRef.from_bytes(one.to_bytes()[:63]))
        out.append(blobs.delete(one))
        out.append(blobs.delete(one))
        out.append(repr(one))
`)
	keccak := sha3.NewLegacyKeccak256()
	keccak.Write(bytes.Repeat([]byte("x"), 70_000))
	hello := "12202cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	expectAll(t, got, hello, "5", "b'hello'", "True", "True", "True",
		// Keccak-256 by golang.org/x/crypto; 1b, 55, size 70,000, pieces of 4,096.
		hex.EncodeToString(keccak.Sum(nil))+"1b55"+"0000000000011170"+"00001000"+strings.Repeat("00", 18), "True", "False", "None",
		"('HostError', 'E1208')", "('ValueError', None)", "True", "False", "BlobRef("+hello+", 5 bytes)")
}
