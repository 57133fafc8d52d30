"""Reminders with a model that speaks, and with one that is silent."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import LOST, SimulatedChain, raises
from reminder import Reminder


def reminded(jobs):
    chain = SimulatedChain(Reminder, jobs=jobs)
    assert chain.call("remind", {"of": "the hay", "in": 2}) == b"0"
    chain.advance_block(20)
    return [reminder["text"] for reminder in chain.events_named("reminder")]


def test_a_sentence():
    assert reminded(lambda job: "Do not forget the hay.") == ["Do not forget the hay."]


def test_its_own_words():
    assert reminded(lambda job: LOST) == ["the hay"]


def test_forgetting():
    chain = SimulatedChain(Reminder, jobs=lambda job: "never")
    chain.call("remind", {"of": "the hay", "in": 2})
    with raises(ValueError, match="of yours"):
        chain.call("forget", "0", sender="bob")
    chain.call("forget", "0")
    for handler in ("due", "overdue"):
        with raises(PermissionDeniedError):
            chain.call(handler, "0")
    chain.advance_block(20)
    assert chain.events == []
