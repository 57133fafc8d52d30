"""What a follower of a feed sees."""

import json

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import CBY, SimulatedChain, raises
from feed import Feed
from follower import Follower

KEY = json.dumps({"publisher_key": "11" * 32})


def pair(terms=KEY):
    chain = SimulatedChain(Feed, init_payload=terms, balance=1000 * CBY)
    return chain, chain.deploy(Follower, chain.address.to_hex().encode())


def test_it_is_pushed_what_is_new():
    chain, follower = pair()
    chain.call("remark", "before")
    follower.call("follow", json.dumps({"mode": "PUSH"}))
    chain.call("remark", "one")
    chain.call("remark", "two")
    chain.advance_block(2)
    assert follower.state.get("seen") == [2, 3]
    assert follower.call("leave") == True
    assert follower.call("leave") == False
    chain.call("remark", "after")
    chain.advance_block(2)
    assert follower.state.get("seen") == [2, 3]


def test_it_pulls_what_it_missed():
    chain, follower = pair()
    for line in ("a", "b", "c"):
        chain.call("remark", line)
    assert follower.call("pull", "1") == [b"b", b"c"]
    follower.call("follow", json.dumps({"mode": "PUSH_WITH_PULL_FALLBACK", "start_cursor": 0}))
    chain.call("remark", "d")
    chain.advance_block(2)
    assert follower.state.get("missed") == [[1, 3]]
    assert follower.state.get("seen") == [4]


def test_only_the_feed_tells_it():
    chain, follower = pair()
    for handler, told in (("on_stream_message", {"message": {"sequence": 9}}), ("on_stream_behind", {"first": 1, "last": 2})):
        with raises(ValueError, match="not from the feed"):
            follower.call(handler, told)
    with raises(PermissionDeniedError):
        follower.call("follow", "{}", sender="bob")


def test_it_buys_epochs():
    terms = {"publisher_key": "11" * 32, "paid": {"fee_per_key_epoch_cby": 1000, "protocol_fee_bps": 250, "key_epoch_blocks": 10}}
    chain, follower = pair(json.dumps(terms))
    stream = chain.call("get_head").value["stream_id"]
    assert follower.call("give_key", "22" * 32) == 1
    now = (chain.block_height + 1) // 10
    before = chain.balance_of("alice")
    # three epochs of 1,000, and 250 basis points of 3,000 for the protocol: 75
    assert follower.call("buy", {"stream": stream.hex(), "epoch": now + 2}) == [3075, now + 2]
    assert follower.balance == 100 * CBY - 3075
