"""The agent wakes itself, tells its journal, and can be woken again."""

from agent import Agent
from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import CBY, SimulatedChain, raises
from journal import Journal


def started(every):
    chain = SimulatedChain(Agent, init=False)
    journal = chain.deploy(Journal)
    chain.call("init", {"journal": journal.address.to_hex(), "every": every})
    return chain, journal


def test_it_lives_alone():
    chain, journal = started(every=2)
    chain.advance_block(7)
    assert [tick["wakes"] for tick in chain.events_named("agent.tick")] == [1, 2, 3]
    assert journal.call("total") == b"3"
    assert chain.call("status").json()["wakes"] >= 3


def test_nobody_else_wakes_it_early():
    chain, journal = started(every=50)
    with raises(PermissionDeniedError):
        chain.call("tick", {})
    assert chain.call("wake") == b"awake"


def test_a_poor_agent_sleeps_until_it_is_funded():
    chain = SimulatedChain(Agent, init=False, balance=CBY)
    journal = chain.deploy(Journal)
    chain.call("init", {"journal": journal.address.to_hex(), "every": 1})
    chain.advance_block(3)
    assert chain.events_named("agent.tick") == []
    chain.fund(20 * CBY)
    assert chain.call("wake") == b"ok"
    chain.advance_block(2)
    assert chain.events_named("agent.tick") != []
