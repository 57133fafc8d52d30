"""The journal counts what it is told."""

from cowboy_sdk.testing import SimulatedChain, check_determinism, raises
from journal import Journal

TELLER = "from cowboy_sdk import send\ndef tell(payload):\n    send(payload.decode(), {'handler': 'record', 'wakes': 3})\n"


def test_record():
    chain = SimulatedChain(Journal)
    teller = chain.deploy(TELLER)
    for _ in range(2):
        teller.call("tell", chain.address.to_hex())
    chain.advance_block()
    assert chain.call("total") == b"2"
    assert [entry["wakes"] for entry in chain.events_named("journal.entry")] == [3, 3]


def test_what_is_no_entry():
    chain = SimulatedChain(Journal)
    with raises(TypeError):
        chain.call("record", b"not a map")
    assert chain.call("total") == b"0"


def test_is_deterministic():
    check_determinism(Journal, ["total"])
