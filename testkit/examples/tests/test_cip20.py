"""The convention of tokens that actors keep: its handlers, its events, its refusals."""

from cip20 import ICIP20Actor
from cowboy_sdk.testing import SimulatedChain, raises


class TestICIP20Actor:
    def setUp(self):
        self.chain = SimulatedChain(ICIP20Actor, {"name": "Hay", "symbol": "HAY", "decimals": 2, "supply": 1000}, balance=0)
        self.alice, self.bob = self.chain.account("alice").to_hex(), self.chain.account("bob").to_hex()

    def balance(self, who):
        return int(self.chain.call("balance_of", {"account": who}).text())

    def test_what_it_is(self):
        assert [self.chain.call(h).text() for h in ("name", "symbol", "decimals", "total_supply")] == ["Hay", "HAY", "2", "1000"]

    def test_transfer(self):
        self.chain.call("transfer", {"to": self.bob, "amount": 1000})
        assert (self.balance(self.alice), self.balance(self.bob)) == (0, 1000)

    def test_one_too_many(self):
        before = self.chain.snapshot()
        with raises(ValueError, match="balance is too small"):
            self.chain.call("transfer", {"to": self.bob, "amount": 1001})
        assert self.chain.snapshot() == before

    def test_allowance(self):
        self.chain.call("approve", {"spender": self.bob, "amount": 50})
        self.chain.call("transfer_from", {"from": self.alice, "to": self.bob, "amount": 30}, sender="bob")
        with raises(ValueError, match="allowance"):
            self.chain.call("transfer_from", {"from": self.alice, "to": self.bob, "amount": 21}, sender="bob")
        assert self.chain.call("allowance", {"owner": self.alice, "spender": self.bob}).text() == "20"
        assert self.balance(self.bob) == 30
