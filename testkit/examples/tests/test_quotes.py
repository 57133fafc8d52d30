"""Quotes from several places."""

from cowboy_sdk.testing import JobFailed, SimulatedChain, raises
from quotes import Quotes

PRICES = {"https://a/HAY": 9, "https://b/HAY": 5, "https://c/HAY": 7, "https://a/OAT": 3}


def fetch(job):
    if job.args[0] not in PRICES:
        raise JobFailed("no such symbol")
    return {"price": PRICES[job.args[0]]}


def test_the_middle():
    chain = SimulatedChain(Quotes, ["https://a", "https://b", "https://c"], jobs=fetch)
    chain.call("ask", "HAY")
    chain.call("ask", "OAT")
    chain.advance_block(3)
    assert chain.call("get", "HAY") == b"7"
    assert chain.call("get", "OAT") == b"none"
    assert chain.events_named("quotes.none") == [{"answers": 1, "symbol": "OAT"}]


def test_too_many_sources():
    with raises(ValueError, match="1 to 8"):
        SimulatedChain(Quotes, ["https://a"] * 9)
