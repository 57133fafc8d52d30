"""The ledger moves house."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from ledger import Ledger


def test_moving():
    chain = SimulatedChain(Ledger)
    successor = chain.deploy(Ledger)
    for i in range(20):
        chain.call("put", {"key": "k%d" % i, "value": i})
    for handler in ("adopt", "move", "go_on"):
        with raises(PermissionDeniedError):
            chain.call(handler, successor.address.to_hex(), sender="eve")
    with raises(ValueError, match="from the predecessor"):
        successor.call("receive", {"entries": []})
    successor.call("adopt", chain.address.to_hex())
    chain.call("move", successor.address.to_hex())
    chain.advance_block(5)
    assert chain.events_named("ledger.moved") == [""]
    assert [event["entries"] for event in successor.events_named("ledger.received")] == [16, 4]
    assert chain.call("get", "k19") == successor.call("get", "k19") == 19
    with raises(ValueError, match="has moved"):
        chain.call("put", {"key": "late", "value": 1})
