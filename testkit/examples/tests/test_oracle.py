"""The oracle with runners that agree, and with some that do not."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import JobFailed, SimulatedChain, raises
from oracle import Oracle

CONFIG = {"url": "https://prices.org/hay", "every": 10}


def test_a_price():
    chain = SimulatedChain(Oracle, CONFIG, jobs=lambda job: {"price": 7, "source": job.args[0]})
    with raises(ValueError, match="no price yet"):
        chain.call("price")
    with raises(PermissionDeniedError):
        chain.call("refresh", sender="bob")
    chain.call("refresh")
    chain.advance_block(2)
    quote = chain.call("price").json()
    assert (quote["price"], quote["source"]) == (7, "https://prices.org/hay")
    chain.advance_block(14)
    assert len(chain.events_named("oracle.price")) == 2


def test_runners_that_disagree():
    def disagree(job):
        raise JobFailed("three different prices", "deterministic")

    def absurd(job):
        return {"price": "high"}

    for answer, reason in ((disagree, None), (absurd, "RunnerValidationError")):
        chain = SimulatedChain(Oracle, CONFIG, jobs=answer)
        chain.call("refresh")
        chain.advance_block(2)
        if reason is not None:
            assert chain.events_named("oracle.failed") == [{"failures": 1, "reason": reason}]
        assert chain.events_named("oracle.price") == []


def test_configure():
    chain = SimulatedChain(Oracle, CONFIG, jobs=lambda job: {"price": 7, "source": job.args[0]})
    chain.call("configure", {"url": "https://other.org"})
    chain.call("refresh")
    chain.advance_block(2)
    assert chain.call("price").json()["source"] == "https://other.org"
