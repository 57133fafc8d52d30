"""One vote each, until the timer."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from poll import Poll

TEA = {"question": "tea or coffee", "choices": ["tea", "coffee"], "blocks": 6}


def test_it_closes_itself():
    chain = SimulatedChain(Poll, TEA)
    chain.call("vote", {"choice": "tea"})
    with raises(ValueError, match="has voted"):
        chain.call("vote", {"choice": "coffee"})
    with raises(PermissionDeniedError):
        chain.call("close")
    assert chain.call("result").json()["open"] is True
    chain.advance_block(6)
    assert chain.events_named("poll.closed") == [{"votes": {"coffee": 0, "tea": 1}, "winners": ["tea"]}]
    assert chain.call("result").json()["open"] is False


def test_a_poll_has_choices():
    with raises(ValueError, match="2 to 16"):
        SimulatedChain(Poll, {"question": "?", "choices": ["tea"], "blocks": 6})
