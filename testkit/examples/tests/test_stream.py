"""Coins flow by the block."""

from cowboy_sdk.testing import SimulatedChain, raises
from stream import Stream


def test_flow():
    chain = SimulatedChain(Stream, balance=0)
    terms = {"to": chain.account("bob").to_hex(), "rate": 10, "blocks": 30}
    with raises(ValueError, match="fund the actor"):
        chain.call("open", terms)
    chain.fund(300)
    number = chain.call("open", terms).text()
    start = chain.block_height
    chain.advance_block(4)
    before = chain.balance_of("bob")
    paid = int(chain.call("take", number, sender="eve").text())
    assert paid == 10 * (chain.block_height - start)
    assert chain.balance_of("bob") == before + paid
    assert chain.call("show", number).json()["taken"] == paid
    with raises(ValueError, match="payer or payee"):
        chain.call("stop", number, sender="eve")
    returned = int(chain.call("stop", number).text())
    assert returned == 300 - 10 * (chain.block_height - start) and chain.balance == 0
