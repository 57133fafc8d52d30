"""The token: transfers, allowances, and coins wrapped into it."""

from cowboy_sdk.testing import SimulatedChain, raises
from token import Token


class TestToken:
    def setUp(self):
        self.chain = SimulatedChain(Token, {"name": "Hay", "symbol": "HAY", "supply": 1000}, balance=0)
        self.alice, self.bob = self.chain.account("alice").to_hex(), self.chain.account("bob").to_hex()

    def balance(self, who):
        return int(self.chain.call("balance", {"of": who}).text())

    def test_transfer(self):
        self.chain.call("transfer", {"to": self.bob, "amount": 300})
        assert self.balance(self.bob) == 300

    def test_refuses_what_is_not_there(self):
        before = self.chain.snapshot()
        with raises(ValueError, match="too small"):
            self.chain.call("transfer", {"to": self.bob, "amount": 5000})
        assert self.chain.snapshot() == before

    def test_the_sum_stays(self):
        self.chain.call("transfer", {"to": self.bob, "amount": 10})
        self.chain.call("transfer", {"to": self.alice, "amount": 4}, sender="bob")
        assert self.balance(self.alice) + self.balance(self.bob) == 1000

    def test_allowance(self):
        self.chain.call("approve", {"spender": self.bob, "amount": 50})
        self.chain.call("transfer_from", {"owner": self.alice, "to": self.bob, "amount": 30}, sender="bob")
        with raises(ValueError, match="allowance"):
            self.chain.call("transfer_from", {"owner": self.alice, "to": self.bob, "amount": 30}, sender="bob")
        assert self.balance(self.bob) == 30

    def test_wrapping(self):
        with raises(ValueError, match="fund the token"):
            self.chain.call("wrap", sender="bob")
        self.chain.fund(7)
        assert self.chain.call("wrap", sender="bob") == b"7"
        self.chain.call("unwrap", {"amount": 7}, sender="bob")
        assert self.balance(self.bob) == 0 and self.chain.balance == 0
