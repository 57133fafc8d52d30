"""A feed's rules, without the publisher's key: scenarios in Go sign."""

import json

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import CBY, SimulatedChain, raises
from cowboy_sdk.streams import (
    StreamCapError, StreamCursorError, StreamFilterError, StreamLimitError, StreamMessageError, StreamPayloadError, StreamPaymentError,
    StreamPolicyError, StreamSignatureError, check_filter, check_tags, matches, stream_id,
)
from feed import Feed


def feed(**terms):
    return SimulatedChain(Feed, init_payload=json.dumps(dict(terms, publisher_key="11" * 32)), balance=1000 * CBY)


def test_the_owner_remarks():
    chain = feed()
    assert chain.call("remark", "hay is dear") == 1
    page = chain.query("get_since", {"cursor": 0}).value
    assert [page["messages"][0][k] for k in ("sequence", "kind", "payload_inline", "signing_key_id")] == [1, "remark", b"hay is dear", 0]
    with raises(PermissionDeniedError):
        chain.call("remark", "hay is cheap", sender="bob")
    with raises(PermissionDeniedError):
        chain.call("publish_own", {"payload_inline": "0x00", "timestamp_unix_ms": 1}, sender="bob")
    with raises(PermissionDeniedError):
        chain.call("open_stream", {}, sender="bob")
    head = chain.query("get_head").value
    assert head["stream_id"] == stream_id(chain.address, "prices")


def test_strangers_publish_nothing():
    chain = feed()
    message = {"timestamp_unix_ms": 5, "payload_inline": "0x31", "signing_key_id": 1, "publisher_sig": "0x" + "00" * 64}
    with raises(StreamSignatureError):
        chain.call("publish", message)
    with raises(StreamSignatureError, match="not the active one"):
        chain.call("publish", dict(message, signing_key_id=2))
    with raises(StreamMessageError, match="next sequence is 1"):
        chain.call("publish", dict(message, sequence=2))
    with raises(StreamMessageError, match="ciphertext"):
        chain.call("publish", dict(message, payload_format="SECRET"))
    with raises(StreamMessageError, match="no key epoch"):
        chain.call("publish", dict(message, key_epoch=1))
    with raises(StreamLimitError):
        chain.call("publish", dict(message, timestamp_unix_ms=2**64))
    with raises(StreamMessageError):
        chain.call("publish", b"nothing")


def test_payloads_have_a_limit():
    chain = feed()
    for size in (16_383, 16_384):
        chain.call("remark", b"x" * size)
    with raises(StreamPayloadError):
        chain.call("remark", b"x" * 16_385)


def test_the_ring_keeps_the_newest():
    chain = feed(ring_buffer_capacity=2)
    for line in "abc":
        chain.call("remark", line)
    head = chain.query("get_head").value
    assert [head["floor"], head["head"]] == [2, 3]
    with raises(StreamCursorError):
        chain.query("get_since", {"cursor": 0})
    assert [m["payload_inline"] for m in chain.query("get_since", {"cursor": 1}).value["messages"]] == [b"b", b"c"]
    for limit in (0, 501):
        with raises(StreamLimitError):
            chain.query("get_since", {"cursor": 1, "limit": limit})
    for limit in (1, 500):
        assert len(chain.query("get_since", {"cursor": 1, "limit": limit}).value["messages"]) == min(limit, 2)


def test_subscribers_have_a_limit_and_a_list():
    chain = feed(max_subscribers=2)
    for name in ("bob", "carol", "bob"):
        chain.call("subscribe", {"mode": "PULL"}, sender=name)
    with raises(StreamCapError):
        chain.call("subscribe", {}, sender="dave")
    chain.call("unsubscribe", sender="carol")
    chain.call("set_subscription_policy", {"subscription_policy": "PRIVATE_ALLOWLIST"})
    with raises(StreamPolicyError):
        chain.call("subscribe", {}, sender="dave")
    dave = chain.account("dave").to_hex()
    chain.call("allowlist_add", {"account": dave})
    assert chain.call("subscribe", {"status": "PAUSED"}, sender="dave").value["status"] == "PAUSED"
    chain.call("allowlist_remove", {"account": dave})
    assert chain.query("get_subscription", {"account": dave}) == None
    for handler in ("set_subscription_policy", "allowlist_add", "allowlist_remove", "rotate_publisher_key", "register_content_keys"):
        with raises(PermissionDeniedError):
            chain.call(handler, {}, sender="bob")


def test_keys_rotate():
    chain = feed()
    chain.call("remark", "one")
    assert chain.call("rotate_publisher_key", {"public_key": "0x" + "22" * 32}) == 2
    assert chain.call("rotate_publisher_key", {"public_key": "0x" + "33" * 32}) == 3
    chain.call("remark", "two")
    assert chain.call("rotate_publisher_key", {"public_key": "0x" + "44" * 32}) == 4
    at = [chain.query("get_key_at_sequence", {"sequence": n}).value["signing_key_id"] for n in (1, 2, 3, 4)]
    assert at == [1, 3, 4, 4]
    history = chain.query("get_key_history", {"after": 1, "limit": 2}).value
    assert [(k["signing_key_id"], k["effective_sequence"]) for k in history] == [(2, 2), (3, 2)]
    with raises(StreamSignatureError):
        chain.call("rotate_publisher_key", {"public_key": "0x22"})


def test_managed_streams_carry_ciphertext():
    chain = feed(paid={"fee_per_key_epoch_cby": 10, "protocol_fee_bps": 0, "key_epoch_blocks": 5})
    with raises(StreamMessageError, match="names its key epoch"):
        chain.call("remark", "plain")
    epoch = (chain.block_height + 1) // 5
    assert chain.call("announce_key_epoch") == epoch
    chain.set_block_height((epoch + 1) * 5)
    chain.call("announce_key_epoch")
    chain.call("announce_key_epoch")
    assert [e["key_epoch"] for e in chain.events_named("KeyEpochRotated")] == [epoch, epoch + 1]
    chain.call("register_content_keys", {"keys": [[epoch, "0x0102"], [epoch + 1, "0x0304"]]})
    bought = chain.call("renew_subscription", {"target_key_epoch": epoch + 2}, sender="bob", value=100).value
    assert [bought["epochs_charged"], bought["total"]] == [epoch + 3 - (chain.block_height // 5), 10 * (epoch + 3 - (chain.block_height // 5))]
    with raises(StreamPaymentError, match="PAYMENT_REQUIRED"):
        chain.call("renew_subscription", {"target_key_epoch": epoch + 3}, sender="bob", value=9)
    assert chain.balance == 1000 * CBY
    assert chain.query("get_config").value["access_mode"] == "PLATFORM_MANAGED"


def test_open_streams_have_no_epochs():
    chain = feed()
    with raises(StreamMessageError):
        chain.call("announce_key_epoch")
    with raises(StreamMessageError):
        chain.call("renew_subscription", {"target_key_epoch": 1}, value=5)


def test_pushing_goes_round_within_the_limits_of_a_block():
    chain = feed(max_push_deliveries_per_block=2)
    ears = [chain.deploy(EAR % n) for n in range(5)]
    for ear in ears:
        ear.call("follow", chain.address.to_hex())
    chain.call("remark", "one")
    chain.call("remark", "two")
    chain.advance_block(12)
    assert [ear.state.get("heard") for ear in ears] == [[1, 2]] * 5
    sent = [len([r for r in chain.advance_block(1)]) for _ in range(3)]
    assert sent == [0, 0, 0]


def test_nobody_is_passed_over_when_another_leaves():
    chain = feed(max_push_deliveries_per_block=1)
    ears = [chain.deploy(EAR % n) for n in range(6)]
    for ear in ears:
        ear.call("follow", chain.address.to_hex())
    chain.call("remark", "one")
    for leaver in (0, 3):
        chain.advance_block(1)
        ears[leaver].call("leave", chain.address.to_hex())
    chain.call("remark", "two")
    chain.advance_block(30)
    assert [ear.state.get("heard") for n, ear in enumerate(ears) if n not in (0, 3)] == [[1, 2]] * 4
    head = chain.query("get_head").value
    assert head["subscribers"] == 4


def test_hooks_of_a_stream_may_call_it():
    chain = feed()
    ear = chain.deploy(EAR % 9)
    ear.call("hook", chain.address.to_hex())
    chain.call("remark", "one")
    assert ear.call("hooked") == 1
    assert chain.query("get_head").value["subscribers"] == 1
    chain.call("remark", "two")
    chain.advance_block(3)
    assert ear.state.get("heard") == [2]
    assert chain.query("get_head").value["head"] == 2


def test_anybody_drives_a_poor_feed_on():
    chain = SimulatedChain(Feed, init_payload=json.dumps({"publisher_key": "11" * 32, "max_push_deliveries_per_block": 1}), balance=0)
    ears = [chain.deploy(EAR % n) for n in range(3)]
    for ear in ears:
        ear.call("follow", chain.address.to_hex())
    chain.call("remark", "one")
    chain.advance_block(9)
    assert [ear.state.get("heard") for ear in ears] == [[1], [], []]
    chain.call("deliver", sender="bob")
    chain.call("deliver", sender="bob")
    chain.advance_block(2)
    assert [ear.state.get("heard") for ear in ears] == [[1]] * 3


EAR = """
NUMBER = %d
from cowboy_sdk import actor, call, public
from cowboy_sdk.events import subscribe_event

@actor
class Ear:
    @public
    def init(self, payload):
        self.storage["heard"] = []

    @public
    def follow(self, payload):
        call(payload.decode(), "subscribe", [{"mode": "PUSH"}])

    @public
    def leave(self, payload):
        call(payload.decode(), "unsubscribe", [{}])

    @public
    def hook(self, payload):
        subscribe_event(payload.decode(), "StreamMessagePublished", "on_event", 3_000_000)

    @public
    def on_event(self, emitter, topic, payload):
        call(emitter, "subscribe", [{"mode": "PUSH"}], 500_000)
        self.storage["hooked"] = 1

    @public
    def hooked(self, payload):
        return self.storage["hooked"]

    @public
    def on_stream_message(self, payload):
        self.storage["heard"] = self.storage["heard"] + [payload["message"]["sequence"]]
"""


def test_filters():
    message = {"kind": "tick", "sequence": 7, "timestamp_unix_ms": 1000, "tags": {"pair": "HAY/OAT", "lots": 12, "firm": True}}
    truths = [
        (("kind", "eq", "tick"), True), (("kind", "ne", "tick"), False), (("sequence", "gte", 7), True), (("sequence", "lte", 6), False),
        (("timestamp", "gte", 1001), False), (("tags.pair", "in", ["HAY/OAT", "x"]), True), (("tags.pair", "nin", ["x"]), True),
        (("tags.none", "exists", False), True), (("tags.firm", "exists", True), True), (("tags.firm", "eq", 1), False),
        (("tags.firm", "eq", True), True), (("tags.lots", "gte", 12), True), (("tags.pair", "gte", 1), False), (("tags.none", "gte", 0), False),
        (("tags.none", "ne", 1), True), (("tags.none", "eq", 1), False),
    ]
    for (field, op, value), want in truths:
        one = {"field": field, "op": op, "value": value}
        check_filter(one)
        assert matches(one, message) == want
        assert matches({"not": one}, message) == (not want)
        assert matches({"all": [one, one]}, message) == want
        assert matches({"any": [one, {"not": one}]}, message) == True
    assert matches(None, message)


def test_filters_have_limits():
    one = {"field": "kind", "op": "eq", "value": "x"}
    for n in (15, 16):
        check_filter({"any": [one] * n})
    check_filter({"not": {"not": {"not": one}}})
    bad = [
        {"any": [one] * 17}, {"not": {"not": {"not": {"not": one}}}}, {"all": []}, {"any": "x"}, [], "x", {}, {"field": "kind"},
        {"field": "owner", "op": "eq", "value": 1}, {"field": "tags.", "op": "eq", "value": 1}, {"field": "kind", "op": "like", "value": "x"},
        {"field": "kind", "op": "gte", "value": "x"}, {"field": "kind", "op": "gte", "value": True}, {"field": "kind", "op": "in", "value": "x"},
        {"field": "kind", "op": "exists", "value": 1}, {"field": "kind", "op": "eq", "value": 1.5}, {"field": "kind", "op": "eq", "value": "x" * 2048},
        {"field": 5, "op": "eq", "value": 1}, {"field": "kind", "op": None, "value": 1},
    ]
    for tree in bad:
        with raises(StreamFilterError):
            check_filter(tree)


def test_tags_have_no_floats():
    check_tags({"a": "1.5", "b": 2, "c": True})
    cases: list = [{"a": 1.5}, {"": 1}, {"a": None}, {"a": [1]}, {1: 1}, {"a": "x" * 2048}, {"a": 2**64}, []]
    for bad in cases:
        with raises(StreamMessageError):
            check_tags(bad)
