package sdk_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit"
)

// looking is an actor whose handler runs statements and gives what they append to out.
func looking(t *testing.T, prelude, body string) string {
	t.Helper()
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(head+prelude+`
@actor
class A:
    @deferred
    @public
    def go(self, payload):
        out = []
        def refused(what, kind=Exception):
            try:
                what()
            except kind as e:
                out.append((type(e).__name__, getattr(e, "slug", None)))
            else:
                out.append("nothing raised")
`+body+`
        return "|".join([x if isinstance(x, str) else repr(x) for x in out]).encode()

    @public
    def add(self, a, b):
        return a + b

    @public
    def whole(self, msg):
        return sorted(msg.items())
`, nil)
	alice.Fund(a, 1_000_000_000)
	return alice.Call(a, "go", "")
}

func expectAll(t *testing.T, got string, want ...string) {
	t.Helper()
	parts := strings.Split(got, "|")
	for i := range max(len(parts), len(want)) {
		g, w := "(missing)", "(nothing)"
		if i < len(parts) {
			g = parts[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%d: got %s, want %s", i, g, w)
		}
	}
}

// surface is every name the specification gives the SDK, by module: root exports required and optional, and what else real code imports.
//
// Spec: sdk §2.1, §2.2, §2.3, §8, §9.1, §9.4, §9.5, §10, §12, §13, §14.1, §16, §18, §19.2, §19.3, §19.4.
var surface = map[string]string{
	"cowboy_sdk": `actor ActorRef derive_actor_address pure deferred public callable_by OWNER SELF call send capture Capture bounded_loop
		reentrancy_guard storage_guard GuardedValue GuardSet runner Retry TaskGroup Address BlockHeight SoftFloat ordered_set CowboyModel Verify runtime
		routes Pays mount save_cont load_cont delete_cont BoundedRange check_iteration VerifyBuilder
		codec errors types collections vrf http secrets rent storage RUNNER current_block set_timer set_interval cancel_timer generate_id call_builder new_cid
		CowboyError DeterminismError CycleLimitExceeded LoopBoundExceeded RunnerTimeoutError CaptureTypeError ContinuationLimitError AddressError
		ContinuationNotFoundError CallDepthExceeded ReentrancyError PurityViolationError ContinuationCorruptedError ActorCallError
		ContinuationSizeLimitError ContinuationCountLimitError CodecError ActorNotFoundError PermissionDeniedError RunnerValidationError
		DeterministicValidationError StateConflictError SecretsNotApplicableHere`,
	"cowboy_sdk.actor": "continuation handler", // attributes of the decorator
	"cowboy_sdk.runtime": `get_sender get_actor_address get_block_height get_timestamp_ms get_tx_hash get_chain_id get_pvm_version context get_state
		set_state delete_state scan_state_prefix emit_event send_message call_actor submit_job schedule_timer schedule_timer_ex extend_timer cancel_timer
		set_timer set_interval upgrade_self keccak256 randomness charge_gas gas_left token_create token_transfer token_approve token_transfer_from token_mint
		token_burn token_balance_of token_allowance token_total_supply token_transfer_batch token_info token_freeze_account token_unfreeze_account
		token_set_hook token_transfer_ownership token_increase_allowance token_decrease_allowance token_permit get_owner transfer_ownership
		renounce_ownership assume_ownership_if_unowned is_initialized mode is_production is_development
		is_checkpoint_mode require_fsm runtime_config create_deferred_tx transfer get_balance spawn_actor`,
	"pvm_host": `get_sender self_address current_block context get_state set_state delete_state scan_state_prefix emit_event send_message call_actor
		submit_job schedule_timer schedule_timer_ex extend_timer cancel_timer upgrade_self keccak256 randomness charge_gas gas_left runtime_config
		cbor_encode cbor_decode create_deferred_tx HostError OutOfGasError NonDeterministicError DeterministicValidationError
		subscribe_event update_bid topup_subscription unsubscribe_event force_unsubscribe_event get_rank get_topic_orderbook get_min_bid_for_rank
		check_entitlement grant_entitlement revoke_entitlement`,
	"cowboy_sdk.runner": "llm http mcp continuation handle_runner_result",
	"cowboy_sdk.codec":  "encode decode",
	"cowboy_sdk.events": `emit_event EmitResult Fire subscribe_event update_bid topup_subscription unsubscribe_event force_unsubscribe_event get_rank
		get_topic_orderbook get_min_bid_for_rank`,
	"cowboy_sdk.streams": `stream_id signed_bytes verify_message check_tags check_filter matches configure_stream acquire_epoch_access register_account_key
		revoke_account_key authorize_actor revoke_actor register_content_keys request_seal_again get_access is_authorized get_content_key get_seal_request`,
	"cowboy_sdk.stream_actor": "StreamActor",
	"cowboy_sdk.ingestion":    "IngestingStream",
	"cowboy_sdk.domains":      "DomainKeeper",
	"cowboy_sdk.bank":         "issue_card deposit withdraw set_policy set_default_card close_card freeze unfreeze get_card",
	"cowboy_sdk.pvm_random":   "seed getstate setstate randbytes getrandbits random uniform randrange randint choice shuffle sample Random",
	"cowboy_sdk.pvm_time":     "time time_ns time_ms block_height",
	"cowboy_sdk.pvm_sys":      "chain_id pvm_version",
	"cowboy_sdk.vrf":          "randomness randint",
	"cowboy_sdk.http":         "command handler Response",
	"cowboy_sdk.routes":       "route Pays mount",
	"cowboy_sdk.secrets":      "store",
	"cowboy_sdk.payments": `price set_policy get_policy deposit_budget withdraw_budget budget_balance pass_balance subscribed payer
		status`,
	"cowboy_sdk.token":        "Token",
	"cowboy_sdk.blobs":        "put get delete ref BlobRef INLINE_BYTES SHA256 KECCAK256 BLAKE3",
	"cowboy_sdk.rent":         "prepay status sponsor set_quota",
	"cowboy_sdk.storage":      "get set set_raw get_raw guard delete restore", // the object
	"cowboy_sdk.collections":  "ordered_set",
	"cowboy_sdk.types":        "Address BlockHeight SoftFloat ordered_set derive_actor_address",
	"cowboy_sdk.entitlements": `check_entitlement grant_entitlement revoke_entitlement own_scope actor_scope handler_action use_entitlement`,
	"cowboy_sdk.Address": `from_hex to_hex to_bytes ZERO RUNNER_REGISTRY JOB_DISPATCHER RESULT_VERIFIER SECRETS_MANAGER TEE_VERIFIER
		TOKEN_REGISTRY`,
	"cowboy_sdk.CowboyModel":   "to_cbor from_cbor to_dict from_dict schema validate",
	"cowboy_sdk.GuardedValue":  "value verify",
	"cowboy_sdk.Retry":         "has_next next_delay to_dict",
	"cowboy_sdk.VerifyBuilder": "mode runners threshold check timeout_blocks build",
	"cowboy_sdk.Verify": `builder exact_match json_schema_valid structured_match majority_vote supermajority_vote numeric_tolerance numeric_range set_equality
		contains_all contains_none regex_match length_bounds semantic_similarity no_prompt_leak entropy_check custom custom_actor not_empty contains
		length_limit http_status response_time signature_valid tee_attestation deterministic_output field_exists format_check`,
	"cowboy_sdk.errors": `CowboyError DeterminismError CycleLimitExceeded LoopBoundExceeded RunnerTimeoutError CaptureTypeError ContinuationLimitError
		AddressError ContinuationNotFoundError CallDepthExceeded ReentrancyError PurityViolationError ContinuationCorruptedError ActorCallError
		ContinuationSizeLimitError ContinuationCountLimitError CodecError ActorNotFoundError PermissionDeniedError RunnerValidationError
		DeterministicValidationError StateConflictError MissingEntitlementError EntitlementQuotaError`,
}

// Every name of the surface is there.
//
// Spec: sdk §2.1, §2.2, §2.3.
func TestNames(t *testing.T) {
	var body strings.Builder
	for _, module := range slices.Sorted(maps.Keys(surface)) {
		names, path := surface[module], strings.Split(module, ".")
		body.WriteString("        thing = __import__(" + strconv.Quote(path[0]) + ")\n")
		for _, step := range path[1:] {
			body.WriteString("        from " + path[0] + " import " + step + " as thing\n")
		}
		for name := range strings.FieldsSeq(names) {
			body.WriteString("        if not hasattr(thing, " + strconv.Quote(name) + "): out.append(" + strconv.Quote(module+"."+name) + ")\n")
		}
	}
	body.WriteString("        out.sort()\n")
	text := strings.ReplaceAll(body.String(), `__import__("cowboy_sdk")`, "cowboy_sdk")
	text = strings.ReplaceAll(text, `__import__("pvm_host")`, "pvm_host")
	if got := looking(t, "import cowboy_sdk, pvm_host\n", text); got != "" {
		t.Errorf("missing: %s", got)
	}
}

// Every name a module must export can be imported from the root, and the modules by name.
//
// Spec: sdk §2.1, §2.2, §2.3.
func TestExports(t *testing.T) {
	got := looking(t, `
import cowboy_sdk
from cowboy_sdk import (
    OWNER, SELF, Address, BlockHeight, BoundedRange, GuardedValue, RUNNER, SoftFloat, VerifyBuilder, callable_by, cancel_timer,
    check_iteration, current_block, delete_cont, derive_actor_address, errors, generate_id, http, load_cont, ordered_set, pure,
    reentrancy_guard, rent, save_cont, secrets, send, set_interval, set_timer, storage, types, vrf,
)
from cowboy_sdk.collections import ordered_set
from cowboy_sdk.errors import RunnerTimeoutError
from cowboy_sdk.types import SoftFloat
from cowboy_sdk.runtime import cancel_timer, extend_timer, token_create
from cowboy_sdk.runner import continuation
import pvm_host
`, `
        out.append([cowboy_sdk.runner is runner, cowboy_sdk.codec is codec, cowboy_sdk.TaskGroup is TaskGroup, cowboy_sdk.Verify is Verify])
        refused(lambda: cowboy_sdk.nothing, AttributeError)
        for call in (lambda: secrets.store("k", "v"), lambda: rent.sponsor("11" * 20, 1),
                     lambda: storage.restore("11" * 20, b"")):
            refused(call)
        out.append((RUNNER == Address.JOB_DISPATCHER, SELF, OWNER))
`)
	expectAll(t, got, "[True, True, True, True]", "('AttributeError', None)", "('HostError', 'E1202')",
		"('HostError', 'E1220')", "('HostError', 'E1220')", "(True, 'self', 'owner')")
}

// The canonical profile, byte for byte: RFC 8949's own examples where it has them.
//
// Spec: sdk §15, §26.
func TestCodecProfile(t *testing.T) {
	got := looking(t, `
class Item(CowboyModel):
    b: int
    a: str = "x"
`, `
        from cowboy_sdk import Address, BlockHeight, ordered_set
        for value in (0, 23, 24, 255, 256, 65536, 2**32, -1, -100, 2**64 - 1, 2**64, -2**64 - 1, None, True, 1.5, -0.0, float("nan"), "", "IETF",
                      b"\x01\x02", [1, [2, 3]], (1, 2), {"b": 1, "a": 2, "aa": 3, 1: 4, b"k": 5}, ordered_set([3, 1]), Item(b=1), Address.ZERO,
                      BlockHeight(7), {"x": Item(b=2)}):
            out.append(codec.encode(value).hex())
        out.append([codec.decode(codec.encode((1, (2,)))), type(codec.decode(codec.encode({1: 2}))).__name__])
        deep = []
        for _ in range(70):
            deep = [deep]
        for bad in (object(), {2.5: 1}, {(1,): 1}, deep, {1: print}, 1j):
            refused(lambda: codec.encode(bad))
        for bad in ("1817", "190017", "5f4101ff", "a2616101616102", "a2616201616102", "0000", "fa3fc00000", "f97e00", "c1", "80" * 2, "81" * 70 + "00", ""):
            refused(lambda: codec.decode(bytes.fromhex(bad)))
`)
	want := []string{"00", "17", "1818", "18ff", "190100", "1a00010000", "1b0000000100000000", "20", "3863", "1bffffffffffffffff",
		"c249010000000000000000", "c349010000000000000000", "f6", "f5", "fb3ff8000000000000", "fb8000000000000000", "fb7ff8000000000000", "60",
		"6449455446", "420102", "82018202" + "03", "820102", "a50104416b056161026162016261" + "6103", "820301", "a2616161786162" + "01",
		"54" + strings.Repeat("00", 20), "07", "a16178a26161617861" + "6202", "[[1, [2]], 'dict']"}
	for range 6 + 12 {
		want = append(want, "('CodecError', 'E1213')")
	}
	expectAll(t, got, want...)
}

// Models: nesting, unions, text annotations, defaults that are not shared, what is rejected, and the JSON Schema.
//
// Spec: sdk §14.1.
func TestModels(t *testing.T) {
	got := looking(t, `
from typing import Optional
from cowboy_sdk import SoftFloat

class Point(CowboyModel):
    x: int
    y: int = 0

class Shape(CowboyModel):
    points: list[Point]
    named: dict[str, Point] = {}
    label: Optional[str] = None
    weight: SoftFloat = 1.0
    extra: "int" = 3
    other: "Point" = None
    either: int | str = 1
    raw: bytes = b""

class Sub(Point):
    z: int = 9
`, `
        s = Shape(points=[{"x": 1}, Point(x=2, y=3)], named={"a": {"x": 4}}, weight=2)
        out.append(repr(s))
        out.append((s == Shape.from_cbor(s.to_cbor()), s == Shape.from_dict(s.to_dict()), s != Shape(points=[]), s.points[0].y))
        out.append(s.to_dict())
        s.points[0].x = "bad"
        refused(s.validate)
        s.points = 5
        refused(s.validate)
        for bad in (dict(points=[{"x": "1"}]), dict(points=[{}]), dict(points=[], label=5), dict(points=[], extra="x"), dict(points=[], other=4),
                    dict(points=[], either=2.5), dict(points=[], named={"a": 1}), dict(points=[], raw="text"), dict(), dict(points=[], more=1)):
            refused(lambda: Shape(**bad), TypeError)
        a, b = Shape(points=[]), Shape(points=[])
        a.named["k"] = Point(x=1)
        out.append((len(b.named), Shape(points=[], label=None).label, Shape(points=[], either="s").either, Sub(x=1)))
        out.append(Point.schema())
        out.append(Shape.schema()["required"])
        out.append([Shape.schema()["properties"][k] for k in ("points", "label", "weight", "extra", "either")])
        def rejected():
            class Bad(CowboyModel):
                tags: set
        refused(rejected, TypeError)
        def rejected_too():
            class Bad(CowboyModel):
                tags: frozenset[int]
        refused(rejected_too, TypeError)
`)
	const point = "{'type': 'object', 'properties': {'x': {'type': 'integer'}, 'y': {'type': 'integer'}}, 'required': ['x']}"
	want := []string{
		"Shape(points=[Point(x=1, y=0), Point(x=2, y=3)], named={'a': Point(x=4, y=0)}, label=None, weight=2, extra=3, other=None, either=1, raw=b'')",
		"(True, True, True, 0)",
		"{'points': [{'x': 1, 'y': 0}, {'x': 2, 'y': 3}], 'named': {'a': {'x': 4, 'y': 0}}, 'label': None, 'weight': 2, 'extra': 3, 'other': None, " +
			"'either': 1, 'raw': b''}",
		"nothing raised", "('TypeError', None)",
	}
	for range 10 {
		want = append(want, "('TypeError', None)")
	}
	want = append(want, "(0, None, 's', Sub(x=1, y=0, z=9))", point, "['points']",
		"[{'type': 'array', 'items': "+point+"}, {'anyOf': [{'type': 'string'}, {'type': 'null'}]}, {'type': 'number'}, {'type': 'integer'}, "+
			"{'anyOf': [{'type': 'integer'}, {'type': 'string'}]}]",
		"('TypeError', None)", "('TypeError', None)")
	expectAll(t, got, want...)
}

// Calls in every spelling give the same; a payload map answers to attributes.
//
// Spec: sdk §7, §3.3.
func TestCallSpellings(t *testing.T) {
	got := looking(t, "from cowboy_sdk.call import call_builder\nfrom cowboy_sdk import call, call_builder as same\n", `
        assert call_builder is same
        me = self.address
        out.append([call(me, "add", [1, 2]), call(me.to_hex(), "add", {"a": 1, "b": 2}), call(bytes(me), "add", (1, 2)),
                    ActorRef(me).add(1, 2), ActorRef(me, cycles_limit=900_000).add(a=1, b=2),
                    call_builder(me).method("add").args(1, 2).cycles(900_000).execute(), call_builder(me).method("add").args(a=1, b=2).execute()])
        out.append(call(me, "whole", {"k": 1, "j": [2]}))
        refused(lambda: call_builder(me).execute(), ValueError)
        refused(lambda: ActorRef(me).add(1, b=2), TypeError)
        refused(lambda: ActorRef(me)._secret, AttributeError)
        from cowboy_sdk._mapping import Mapping
        m = Mapping(result=1)
        out.append([m.result, m.get("x"), dict(m), codec.encode(m).hex()])
        refused(lambda: m.missing, AttributeError)
`)
	expectAll(t, got, "[3, 3, 3, 3, 3, 3, 3]", "[['j', [2]], ['k', 1]]", "('ValueError', None)", "('TypeError', None)", "('AttributeError', None)",
		"[1, None, {'result': 1}, 'a166726573756c7401']", "('AttributeError', None)")
}

// Every checker, the mandated and the supplemental ones, names its kind and arguments; the builder keeps their order; unknown modes and
// numbers out of range are refused.
//
// Spec: sdk §9.3, §9.4, §9.5.
func TestVerification(t *testing.T) {
	got := looking(t, "", `
        V = Verify
        checks = [V.exact_match(), V.json_schema_valid({"type": "object"}), V.structured_match(["a"]), V.majority_vote("f"), V.supermajority_vote("f"),
                  V.numeric_tolerance("f", 1), V.numeric_range("f", 0, 9), V.set_equality("f"), V.contains_all(["x"]), V.contains_none(["y"]),
                  V.regex_match("a+"), V.length_bounds(1, 2), V.semantic_similarity("ref", 0.85), V.no_prompt_leak(), V.entropy_check(2.0),
                  V.custom("rule", k=1), V.custom_actor("11" * 20 and bytes(20), "m", [1]), V.not_empty(), V.contains("x"), V.length_limit(5),
                  V.http_status(), V.response_time(100), V.signature_valid(b"k"), V.tee_attestation(), V.deterministic_output(), V.field_exists("f"),
                  V.format_check("json")]
        out.append(V.custom(bytes(20), "m") == V.custom_actor(bytes(20), "m"))
        b = V.builder().mode("deterministic").runners(21).threshold(21)
        for c in checks:
            b = b.check(c)
        built = b.timeout_blocks(4).build()
        out.append([c["kind"] for c in built["checks"]] == [c["kind"] for c in checks] and len({c["kind"] for c in checks}))
        out.append((built["checks"][3]["threshold"], built["checks"][4]["threshold"], built["checks"][15], built["timeout_blocks"], built["mode"]))
        out.append([V.builder().mode(m).build()["mode"] for m in ("none", "consensus", "deterministic", "tee", "zk", "optimistic", "economic_bond",
                                                                    "majority_vote", "structured_match", "semantic_similarity")])
        for bad in (lambda: V.builder().mode("maybe"), lambda: V.builder().runners(0), lambda: V.builder().runners(22),
                    lambda: V.builder().runners(2).threshold(3).build(), lambda: Retry(5), lambda: Retry(0), lambda: Retry(2, backoff="wild")):
            refused(bad, ValueError)
        r = Retry(4, on_error=["timeout"])
        out.append([r.to_dict(), [(r.has_next(), r.next_delay()) for _ in range(4)], r.has_next()])
`)
	want := []string{"True", "27", "(0.5, 0.67, {'kind': 'custom', 'name': 'rule', 'arguments': {'k': 1}}, 4, 'deterministic')",
		"['none', 'majority_vote', 'deterministic', 'tee', 'zk', 'economic_bond', 'economic_bond', 'majority_vote', 'structured_match', 'semantic_similarity']"}
	for range 7 {
		want = append(want, "('ValueError', None)")
	}
	want = append(want, "[{'max_attempts': 4, 'backoff': 'exponential', 'on_error': ['timeout']}, [(True, 1), (True, 2), (True, 4), (True, 8)], False]")
	expectAll(t, got, want...)
}

// The table of errors: class, slug, host code, and that every one is a CowboyError with why and fix.
//
// Spec: sdk §18.
func TestErrorTable(t *testing.T) {
	got := looking(t, "from cowboy_sdk import errors\n", `
        rows = "DeterminismError 1101 5 CycleLimitExceeded 1201 1 LoopBoundExceeded 1201 8 RunnerTimeoutError 1201 6 CaptureTypeError 1202 2 " \
            "ContinuationLimitError 1202 8 AddressError 1202 2 ContinuationNotFoundError 1203 3 CallDepthExceeded 1205 5 ReentrancyError 1205 5 " \
            "PurityViolationError 1205 5 StateConflictError 1206 6 ContinuationCorruptedError 1206 6 ActorCallError 1206 6 " \
            "ContinuationSizeLimitError 1208 8 ContinuationCountLimitError 1208 8 CodecError 1213 2 ActorNotFoundError 1220 3 " \
            "PermissionDeniedError 1230 5 RunnerValidationError 1604 2 DeterministicValidationError 1610 2"
        words = rows.split()
        for i in range(0, len(words), 3):
            kind = getattr(errors, words[i])
            e = kind("text")
            good = (isinstance(e, CowboyError) and kind.ERROR_SLUG == e.slug == "E" + words[i + 1] and kind.HOST_ERROR_CODE == e.code == int(words[i + 2])
                    and e.why and e.fix and str(e) == "text" and e.name == words[i])
            if not good:
                out.append(words[i])
        out.append((len(words) // 3, isinstance(errors.DeterministicValidationError("x"), ValueError), issubclass(CowboyError, RuntimeError)))
`)
	expectAll(t, got, "(21, True, True)")
}

// The author's surface of tokens is there with its parameters: changes of an unknown token are refused and readings of it are None, a wrong call is a
// TypeError first, and the class Token does what the functions do.
//
// Spec: sdk §13; tokens §3, §9.
func TestTokenSurface(t *testing.T) {
	got := looking(t, "from cowboy_sdk.token import Token\n", `
        id, who = bytes(32), self.address
        for call in (lambda: runtime.token_transfer(id, who, 1), lambda: runtime.token_approve(id, who, 1),
                     lambda: runtime.token_transfer_from(id, who, who, 1),
                     lambda: runtime.token_mint(id, who, 1), lambda: runtime.token_burn(id, 1), lambda: runtime.token_increase_allowance(id, who, 1),
                     lambda: runtime.token_decrease_allowance(id, who, 1), lambda: runtime.token_permit(id, who, who, 1, 2**64 - 1, 0, bytes(65)),
                     lambda: runtime.token_transfer_batch([(id, who, 1)]), lambda: runtime.token_freeze_account(id, who),
                     lambda: runtime.token_unfreeze_account(id, who), lambda: runtime.token_set_hook(id, None),
                     lambda: runtime.token_transfer_ownership(id, who)):
            refused(call)
        assert set(out) == {("HostError", "E1401")}, out
        out = []
        out.append([runtime.token_balance_of(id, who), runtime.token_allowance(id, who, who), runtime.token_total_supply(id), runtime.token_info(id)])
        refused(lambda: runtime.token_transfer(id), TypeError)
        refused(lambda: runtime.token_balance_of(id[1:], who))
        refused(lambda: runtime.token_create(b"n", b"S", 9, -1))
        refused(lambda: runtime.token_create(b"n", b"S", 9, 2**128))
        refused(lambda: runtime.token_create(b"n", b"S", 9, True), TypeError)
        refused(lambda: runtime.token_transfer_batch([(id, who)]))
        refused(lambda: runtime.token_transfer_batch([(id, who, -1)]))
        refused(lambda: runtime.token_transfer_batch([(id, who[1:], 1)]))
        refused(lambda: runtime.token_transfer_batch(7))
        t = Token.create("Hay", "HAY", 2, 100, max_supply=2**70, metadata_uri="x:y")
        other = bytes.fromhex("11" * 20)
        out.append([t.transfer(other, 10), t.mint(who, 2**65), t.burn(2**65), t.approve(other, 5),
                    t.increase_allowance(other, 2), t.decrease_allowance(other, 1),
                    t.freeze(other), t.unfreeze("11" * 20), t.transfer_batch([(other, 1), ("0x" + "22" * 20, 2)]), t.set_hook(other), t.set_hook(None)])
        out.append([t.balance_of(who), t.balance_of(other), t.balance_of("22" * 20), t.allowance(who, other), t.total_supply()])
        info = t.info()
        out.append([info[k] for k in ("name", "symbol", "decimals", "total_supply", "max_supply", "transfer_hook", "metadata_uri")])
        out.append([info["owner"] == info["mint_authority"] == info["freeze_authority"] == who, info["token_id"] == t.token_id,
                    info["created_at"] == runtime.get_block_height()])
        out.append([t.approve(self.address, 5), t.transfer_from(who, other, 5), t.balance_of(who)])
        out.append([t.transfer_ownership(other), Token(t.token_id.hex()).info()["mint_authority"] == other])
        refused(lambda: t.mint(who, 1))
`)
	expectAll(t, got, "[None, None, None, None]", "('TypeError', None)", "('HostError', 'E1202')", "('HostError', 'E1202')", "('HostError', 'E1202')",
		"('TypeError', None)", "('HostError', 'E1202')", "('HostError', 'E1202')", "('HostError', 'E1202')", "('HostError', 'E1202')",
		"[True, True, True, True, True, True, True, True, True, True, True]", "[87, 11, 2, 6, 100]",
		"['Hay', 'HAY', 2, 100, 1180591620717411303424, None, 'x:y']", "[True, True, True]", "[True, True, 82]", "[True, True]", "('HostError', 'E1406')")
}

// What handlers give and what it stands for; which paths fit a pattern; which of the routes that fit wins, in each of the four respects.
//
// Spec: sdk §19.2, §19.3 (tie-break).
func TestRequestHelpers(t *testing.T) {
	got := looking(t, "from cowboy_sdk import http, routes\n", `
        for value in (None, "text", b"raw", {"a": 1}, [1], {"status": 403, "body": "no"}, {"status": 200, "headers": {"x": "y"}, "body": None}):
            r = http.respond(value)
            out.append((r["status"], r["body"], sorted(r["headers"].items())))
        for pattern, path in (("/", "/"), ("/a/{b}", "/a/x"), ("/a/{b}", "/a"), ("/a/{b}", "/a/x/y"), ("/a/*rest", "/a"), ("/a/*rest", "/a/x/y"),
                              ("/a/*", "/a/x"), ("/a", "/b"), ("/a", "/a/")):
            out.append(http.match(pattern, path))
        def route(path, verb="GET", priority=0, kind="method", enabled=True):
            return {"verb": verb, "path": path, "target": {"kind": kind, "name": path}, "pays": "actor", "price": 0, "priority": priority, "enabled": enabled}
        def winner(*table):
            for order in (table, table[::-1]):
                found = routes.resolve("GET", "/a/b", order)
                yield None if found is None else (found[0]["path"], found[0]["verb"], found[0]["target"]["kind"])
        out.append(list(winner(route("/a/b"), route("/*x", priority=1))))
        out.append(list(winner(route("/a/{x}"), route("/{x}/b"))))
        out.append(list(winner(route("/a/b", "ANY"), route("/a/b"))))
        out.append(list(winner(route("/a/b"), route("/a/b", kind="volume"))))
        out.append(list(winner(route("/a/b", enabled=False), route("/a/b", "POST"))))
`)
	expectAll(t, got, "(204, b'', [])", "(200, b'text', [('content-type', ['text/plain; charset=utf-8'])])", "(200, b'raw', [])",
		`(200, b'{"a":1}', [('content-type', ['application/json'])])`, "(200, b'[1]', [('content-type', ['application/json'])])",
		"(403, b'no', [('content-type', ['text/plain; charset=utf-8'])])", "(200, b'', [('x', ['y'])])",
		"{}", "{'b': 'x'}", "None", "None", "{'rest': ''}", "{'rest': 'x/y'}", "{}", "None", "{}",
		"[('/*x', 'GET', 'method'), ('/*x', 'GET', 'method')]", "[('/a/{x}', 'GET', 'method'), ('/a/{x}', 'GET', 'method')]",
		"[('/a/b', 'GET', 'method'), ('/a/b', 'GET', 'method')]", "[('/a/b', 'GET', 'method'), ('/a/b', 'GET', 'method')]", "[None, None]")
}

// HTTP helpers: the answer's shape, who may call, and paths.
//
// Spec: sdk §19.2.
func TestHTTP(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(`
from cowboy_sdk import actor, call, http, public
from cowboy_sdk.http import Response

@actor
class A:
    @http.command("/users/{id}")
    def user(self, request):
        return Response(200, {"id": request["path_params"]["id"]})
    @public
    def go(self, payload):
        out = [Response(204), Response(200, "hi", {"X": "y", "Z": ["a", "b"]}), Response(body=b"raw")]
        out.append(self._as_gateway("/users/7"))
        out.append(self._as_gateway("/users")["status"])
        out.append(self._as_gateway("/things/7")["status"])
        return repr(out).encode()
    def _as_gateway(self, path):
        return call(self.address, "user", {"request": {"method": "GET", "path": path}})
`, nil)
	const want = `[{'status': 204, 'headers': {}, 'body': b''}, ` +
		`{'status': 200, 'headers': {'X': ['y'], 'Z': ['a', 'b'], 'content-type': ['text/plain; charset=utf-8']}, 'body': b'hi'}, ` +
		`{'status': 200, 'headers': {}, 'body': b'raw'}, {'status': 200, 'headers': {'content-type': ['application/json']}, 'body': b'{"id":"7"}'}, 404, 404]`
	if got := alice.Call(a, "go", ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(sorted(want), " ", "") {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if x := alice.Try(a, "user", ""); x.Fault.Code != 1230 {
		t.Error(testkit.Describe(x))
	}
}

// sorted puts the keys of the map that came back from a call, which CBOR orders, where they are then.
func sorted(text string) string {
	return strings.Replace(text, `{'status': 200, 'headers': {'content-type': ['application/json']}, 'body': b'{"id":"7"}'}`,
		`{'body': b'{"id":"7"}', 'status': 200, 'headers': {'content-type': ['application/json']}}`, 1)
}
