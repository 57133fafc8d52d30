"""The examples, tested as their authors would: `cowboy test` runs this file."""

from auction import Auction
from chat import Chat
from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, check_determinism, raises
from journal import Journal
from poll import Poll
from token import Token


class TestToken:
    def setUp(self):
        self.chain = SimulatedChain(Token, {"name": "Hay", "symbol": "HAY", "supply": 1000})
        self.bob = self.chain.account("bob").to_hex()

    def test_transfer(self):
        self.chain.call("transfer", {"to": self.bob, "amount": 300})
        assert self.chain.call("balance", {"of": self.bob}) == b"300"

    def test_refuses_what_is_not_there(self):
        before = self.chain.snapshot()
        with raises(ValueError, match="too small"):
            self.chain.call("transfer", {"to": self.bob, "amount": 5000})
        assert self.chain.snapshot() == before

    def test_the_sum_stays(self):
        self.chain.call("transfer", {"to": self.bob, "amount": 10})
        self.chain.set_sender("bob")
        self.chain.call("transfer", {"to": self.chain.account("alice").to_hex(), "amount": 4})
        total = 0
        for name in ("alice", "bob"):
            total += int(self.chain.call("balance", {"of": self.chain.account(name).to_hex()}).text())
        assert total == 1000


def test_poll_closes_itself():
    chain = SimulatedChain(Poll, {"question": "tea or coffee", "choices": ["tea", "coffee"], "blocks": 6})
    chain.call("vote", {"choice": "tea"})
    with raises(ValueError, match="has voted"):
        chain.call("vote", {"choice": "coffee"})
    with raises(PermissionDeniedError):
        chain.call("close")
    chain.advance_block(6)
    assert chain.events_named("poll.closed") == [{"votes": {"coffee": 0, "tea": 1}, "winners": ["tea"]}]


def test_chat_with_a_scripted_model():
    chain = SimulatedChain(Chat, jobs=lambda job: "you said: " + job.args[0])
    chain.call("say", {"text": "hello"})
    chain.advance_block(2)
    assert chain.call("history").json() == [{"a": "you said: user: hello", "q": "hello"}]


def test_auction_takes_the_middle_price():
    prices = {"appraiser-0": 9, "appraiser-1": 1, "appraiser-2": 5}
    chain = SimulatedChain(Auction, {"item": "a saddle", "blocks": 9}, balance=0, jobs=lambda job: {"price": prices[job.options["model"]]})
    chain.call("appraise")
    chain.advance_block(2)
    chain.assert_state("reserve", 5)
    assert chain.events[0].name == "auction.open"


def test_journal_is_deterministic():
    chain = SimulatedChain(Journal)
    chain.deploy("from cowboy_sdk import send\ndef tell(payload):\n    send(payload.decode(), {'handler': 'record', 'wakes': 3})\n").call(
        "tell", chain.address.to_hex()
    )
    chain.advance_block()
    assert chain.call("total") == b"1"
    check_determinism(Journal, ["total"])
