"""The escrow's three ways out."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from escrow import Escrow


def deal(price=500, blocks=4):
    names = SimulatedChain(Escrow, init=False, balance=0)
    terms = {"seller": names.account("seller").to_hex(), "arbiter": names.account("arbiter").to_hex(), "price": price, "blocks": blocks}
    chain = SimulatedChain(Escrow, terms, balance=0, sender="buyer")
    for name in ("seller", "arbiter"):
        chain.account(name)
    with raises(ValueError, match="fund the escrow"):
        chain.call("open")
    chain.fund(price)
    chain.call("open")
    return chain


def test_release_pays_the_seller():
    chain = deal()
    before = chain.balance_of("seller")
    with raises(ValueError, match="only buyer or arbiter"):
        chain.call("release", sender="eve")
    chain.call("release", sender="arbiter")
    assert chain.balance_of("seller") == before + 500
    assert chain.call("state") == b"paid"


def test_refund_by_the_arbiter():
    chain = deal()
    chain.call("refund", sender="arbiter")
    assert chain.call("state") == b"refunded" and chain.balance == 0
    with raises(ValueError, match="refunded"):
        chain.call("release", sender="arbiter")


def test_the_deadline_refunds():
    chain = deal(blocks=3)
    with raises(PermissionDeniedError):
        chain.call("expire")
    chain.advance_block(4)
    assert chain.call("state") == b"refunded"
