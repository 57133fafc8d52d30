"""cowboy_sdk.mock_host: methods called directly."""

from asking import Asking
from cowboy_sdk import (
    OWNER, ActorCallError, ActorNotFoundError, PermissionDeniedError, PurityViolationError, actor, call, callable_by, deferred, mock_host, public, runtime, send,
    set_timer,
)
from cowboy_sdk.testing import raises

ALICE = "0x" + "11" * 20
ORACLE = "0x" + "22" * 20


@actor
class Shop:
    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()

    @public
    def sell(self, payload):
        self.storage["sold"] = self.storage.get("sold", 0) + 1
        runtime.emit_event("shop.sold", {"to": runtime.get_sender().hex(), "at": runtime.get_block_height()})
        return b"ok"

    @callable_by(OWNER)
    def close(self, payload):
        self.storage["closed"] = True

    @deferred
    @public
    def tell(self, payload):
        send(ORACLE, {"handler": "hear", "n": 1})
        set_timer(runtime.get_block_height() + 5, "sell", {"n": 2})

    @public
    def buy(self, payload):
        if runtime.context()["value"] < 3:
            raise ValueError("3 at least")
        send(ORACLE, {"handler": "hear"}, value=2)
        return call(ORACLE, "price", [], value=1)

    @public
    def price(self, payload):
        return call(ORACLE, "price", ["HAY"])


def test_state_and_events():
    mock_host.reset()
    mock_host.configure(sender=ALICE, block_height=7)
    assert Shop().sell(b"") == b"ok"
    assert mock_host.get_state() == {"sold": 1}
    assert mock_host.get_captured_events() == [("shop.sold", {"at": 7, "to": "11" * 20})]
    mock_host.reset()
    assert mock_host.get_state() == {} and mock_host.get_captured_events() == []


def test_the_caller_is_the_actor_itself_at_first():
    mock_host.reset()
    shop = Shop()
    shop.init(b"")
    shop.close(b"")
    mock_host.set_sender(ALICE)
    with raises(PermissionDeniedError):
        shop.close(b"")
    assert runtime.get_owner() == mock_host.self_address()


def test_messages_and_timers():
    mock_host.reset()
    with raises(ActorNotFoundError):
        Shop().tell(b"")
    mock_host.add_actor(ORACLE)
    mock_host.set_block_height(3)
    Shop().tell(b"")
    assert [(target.to_hex(), payload) for target, payload in mock_host.get_captured_messages()] == [(ORACLE, {"handler": "hear", "n": 1})]
    assert mock_host.get_captured_timers() == [(8, "sell", {"n": 2})]
    mock_host.configure(mode="pure")
    with raises(PurityViolationError):
        Shop().tell(b"")
    mock_host.configure(mode="deferred")


def test_coins():
    mock_host.reset()
    mock_host.add_actor(ORACLE, price=7)
    with raises(ValueError):
        Shop().buy(b"")
    mock_host.configure(value=3, balance=3)
    assert Shop().buy(b"") == 7
    assert mock_host.get_captured_values() == [2]
    assert runtime.get_balance() == 0 and runtime.get_balance(ORACLE) == 1
    mock_host.add_actor(ORACLE, price=ValueError("closed"))
    mock_host.configure(balance=3)
    with raises(ActorCallError):
        Shop().buy(b"")
    assert runtime.get_balance() == 1
    mock_host.reset()
    assert runtime.context()["value"] == 0


def test_calls_and_jobs():
    mock_host.reset()
    mock_host.add_actor(ORACLE, price=lambda symbol: {"HAY": 12}[symbol])
    assert Shop().price(b"") == 12
    Asking().ask(b"")
    jobs = mock_host.get_captured_jobs()
    assert [job["job_type"] for job in jobs] == ["llm"] and jobs[0]["payload"]["args"] == ["how much?"]
