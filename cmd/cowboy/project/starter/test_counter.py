"""Tests of the counter. `cowboy test` runs them on the chain's own machine, meter and scheduler."""

from cowboy_sdk import CowboyError
from cowboy_sdk.testing import SimulatedChain, check_determinism, raises
from main import Counter


def test_counts():
    chain = SimulatedChain(Counter)
    assert chain.call("increment") == b"1"
    assert chain.call("increment") == b"2"
    assert chain.query("value") == b"2"
    chain.assert_state("count", 2)
    assert chain.events_named("counter.increment") == [{"count": 1}, {"count": 2}]


def test_refuses_what_nobody_declared():
    chain = SimulatedChain(Counter)
    with raises(CowboyError):
        chain.call("reset")
    chain.assert_state("count", 0)


def test_is_the_same_every_time():
    check_determinism(Counter, [("increment", b""), ("increment", b"")])


class FuzzCounter:
    """What holds whatever is called. `cowboy test --fuzz` looks longer for calls that break it."""

    def setUp(self):
        self.chain = SimulatedChain(Counter)

    def invariant_counts_what_it_announced(self):
        announced = self.chain.events_named("counter.increment")
        assert self.chain.state.get("count") == len(announced)
