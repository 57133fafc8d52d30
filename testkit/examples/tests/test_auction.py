"""The auction, from appraisal to payment."""

from auction import Auction
from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises

PRICES = {"appraiser-0": 9, "appraiser-1": 1, "appraiser-2": 5}


def opened(blocks=9):
    chain = SimulatedChain(Auction, {"item": "a saddle", "blocks": blocks}, balance=0, jobs=lambda job: {"price": PRICES[job.options["model"]]})
    chain.call("describe", "a fine saddle")
    chain.call("appraise")
    chain.advance_block(2)
    return chain


def test_the_middle_price_is_the_reserve():
    chain = opened()
    chain.assert_state("reserve", 5)
    assert chain.events[0].name == "auction.open"
    with raises(PermissionDeniedError):
        chain.call("appraise", sender="bob")


def test_the_highest_bid_wins_and_the_others_go_home():
    chain = opened(blocks=12)
    for name, amount in (("bob", 100), ("eve", 200)):
        chain.fund(amount)
        assert chain.call("deposit", sender=name) == str(amount).encode()
    chain.call("bid", "6", sender="bob")
    with raises(ValueError, match="bid more"):
        chain.call("bid", "6", sender="eve")
    chain.call("bid", "7", sender="eve")
    with raises(ValueError, match="until block"):
        chain.call("close")
    chain.advance_block(12)
    before = chain.balance_of("alice")
    chain.call("close", sender="bob")
    assert chain.balance_of("alice") == before + 7
    assert chain.call("withdraw", sender="bob") == b"100"
    assert chain.call("withdraw", sender="eve") == b"193"
    assert chain.call("status").json()["state"] == "sold"
