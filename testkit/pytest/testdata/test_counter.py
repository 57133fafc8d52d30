import json

from counter import Counter
from cowboy_sdk import CowboyError, PermissionDeniedError, actor, public
from cowboy_sdk.testing import (
    LOST,
    CallMock,
    JobFailed,
    Late,
    SimulatedChain,
    TransactionFailed,
    check_determinism,
    raises,
)


def test_calls_and_state():
    chain = SimulatedChain(Counter)
    assert chain.call("increment") == b"1"
    assert chain.call("increment", "5") == "6"
    chain.assert_state("count", b"\x06")
    chain.assert_state("count", 6)
    chain.assert_state("missing", None)
    assert chain.state["count"] == 6 and chain.state["count"] == b"\x06" and chain.state["count"] != 7
    assert chain.state.get("count") == 6 and chain.state["missing"] is None and "count" in chain.state
    assert chain.state == {"count": 6, "owner": chain.sender}
    assert sorted(chain.state.keys()) == ["count", "owner"]
    assert chain.call("read") == 6
    assert chain.query("read") == 6
    with raises(AssertionError, match="not 7"):
        chain.assert_state("count", 7)


def test_failures():
    chain = SimulatedChain(Counter)
    with raises(ValueError, match="goes up") as caught:
        chain.call("increment", b"-1")
    assert caught.value.receipt.code == 1210
    with raises(PermissionDeniedError):
        chain.call("tick")
    with raises(CowboyError):
        chain.call("nothing")
    receipt = chain.try_call("increment", b"-1")
    assert not receipt.ok and receipt.cycles > 0 and receipt.events == []
    chain.assert_state("count", 0)
    with raises(TransactionFailed, match="query"):
        chain.query("increment")


def test_events():
    chain = SimulatedChain(Counter)
    chain.call("increment", b"2")
    assert chain.events == [("counter.increment", {"count": 2})]
    assert chain.events_named("counter.increment") == [{"count": 2}]
    assert chain.last.events[0].name == "counter.increment"


def test_senders():
    chain = SimulatedChain(Counter, sender="deployer")
    owner = chain.state["owner"].value
    assert owner == chain.account("deployer")
    chain.set_sender("bob")
    with raises(PermissionDeniedError):
        chain.call("tick")
    chain.set_sender(b"\x77" * 20)
    assert chain.call("increment") == b"1"
    assert chain.sender == b"\x77" * 20


def test_timers_and_blocks():
    chain = SimulatedChain(Counter)
    chain.call("later")
    start = chain.block_height
    assert "ticked" not in chain.state
    chain.advance_block()
    chain.advance_block(2)
    assert chain.state["ticked"] == start + 3
    chain.set_block_height(start + 10)
    assert chain.block_height == start + 10
    with raises(ValueError):
        chain.set_block_height(1)


def test_snapshots():
    chain = SimulatedChain(Counter)
    chain.call("increment")
    before = chain.snapshot()
    assert before["count"] == 1
    chain.call("increment", b"9")
    chain.advance_block(3)
    chain.revert(before)
    chain.assert_state("count", 1)
    assert len(chain.events) == 1
    assert chain.call("increment") == b"2"
    chain.revert(before)
    chain.assert_state("count", 1)


def test_call_mock():
    chain = SimulatedChain(Counter)
    oracle = CallMock(price=120)
    target = chain.mock(oracle)
    assert chain.call("buy", {"oracle": target.address.to_hex()}) == 120
    assert oracle.calls == [("price", ["HAY"])] and oracle.callers == [chain.address]
    closed = CallMock().returns("price", ValueError("closed"))
    with raises(CowboyError, match="closed"):
        chain.call("buy", {"oracle": chain.mock(closed).address.to_hex()})
    assert closed.calls == []


def test_two_actors():
    chain = SimulatedChain(Counter)
    other = chain.deploy(Counter)
    chain.call("tell", {"to": other.address.to_hex()})
    assert "heard" not in other.state
    chain.advance_block()
    other.assert_state("heard", "hi")
    assert other.call("increment", sender="carol") == b"1" and chain.state["count"] == 0
    assert other.balance > 0


def test_jobs():
    def answer(job):
        prompt = job.args[0]
        if prompt == "fail":
            raise JobFailed("no model")
        if prompt == "lost":
            return LOST
        return Late(prompt.upper() + job.type, 3) if prompt == "late" else prompt.upper()

    chain = SimulatedChain(Counter, jobs=answer)
    chain.call("ask", "hello")
    chain.advance_block(2)
    chain.assert_state("answer", "HELLO")
    chain.call("ask", "late")
    chain.advance_block(2)
    chain.assert_state("answer", "HELLO")
    chain.advance_block(3)
    chain.assert_state("answer", "LATEllm")
    chain.call("ask", "fail")
    receipts = chain.advance_block(2)
    assert [r.code for r in receipts if not r.ok] == [1604]
    chain.call("ask", "lost")
    assert all([r.ok for r in chain.advance_block(5)])


def test_jobs_wait_without_runners():
    chain = SimulatedChain(Counter)
    chain.call("ask", "hello")
    assert [e.name for r in chain.advance_block(5) for e in r.events] == ["job.waiting"]
    chain.assert_state("answer", None)


def test_determinism():
    chain = SimulatedChain(Counter)
    receipt = chain.check_determinism("increment", b"3", times=3)
    assert receipt.data == b"3"
    chain.assert_state("count", 0)
    chain = check_determinism(Counter, ["increment", ("increment", b"4")])
    chain.assert_state("count", 5)


@actor
class Local:
    @public
    def init(self, payload):
        self.storage["by"] = HELLO

    @public
    def hello(self, payload):
        return _text(payload)


HELLO = "hello"


def _text(payload):
    return (HELLO + payload.decode()).encode()


class TestClass:
    def setUp(self):
        self.chain = SimulatedChain(Local)

    def test_actor_of_the_test_file(self):
        assert self.chain.call("hello", b"!") == b"hello!"
        self.chain.assert_state("by", "hello")

    async def test_async(self):
        assert self.chain.state["by"].value == "hello"


def test_coins():
    chain = SimulatedChain("from cowboy_sdk import runtime\ndef paid(payload):\n    return runtime.context()['value']\ndef no(payload):\n    raise ValueError('no')\n", balance=0)
    assert chain.call("paid") == 0
    assert chain.call("paid", value=70) == 70
    assert chain.last.value == 70 and chain.balance == 70
    assert not chain.try_call("no", value=5).ok and chain.balance == 70
    chain.send("paid", value=6)
    chain.advance_block()
    assert chain.balance == 76


def test_source_and_paths():
    by_path = SimulatedChain("counter.py")
    assert by_path.call("increment") == b"1"
    text = SimulatedChain("def main(payload):\n    return payload + b'!'\n")
    assert text.call("main", b"x") == b"x!"
    with raises(FileNotFoundError):
        SimulatedChain("missing.py")
    with raises(Exception, match="exists in test runs only"):
        SimulatedChain("import cowboy_sdk.testing\n")
    with raises(TypeError):
        SimulatedChain(5)
