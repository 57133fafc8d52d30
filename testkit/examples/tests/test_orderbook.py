"""Orders meet by price, then by time."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from orderbook import OrderBook


class TestOrderBook:
    def setUp(self):
        self.chain = SimulatedChain(OrderBook)
        self.alice, self.bob = self.chain.account("alice").to_hex(), self.chain.account("bob").to_hex()
        self.chain.call("credit", {"account": self.alice, "unit": "base", "amount": 100})
        self.chain.call("credit", {"account": self.bob, "unit": "quote", "amount": 1000})

    def balances(self, who):
        return self.chain.call("balances", {"account": who}).json()

    def test_match(self):
        self.chain.call("place", {"side": "sell", "price": 11, "amount": 10})
        self.chain.call("place", {"side": "sell", "price": 10, "amount": 10})
        self.chain.call("place", {"side": "buy", "price": 12, "amount": 15}, sender="bob")
        assert [trade["price"] for trade in self.chain.events_named("book.trade")] == [10, 11]
        assert self.balances(self.bob) == {"base": 15, "quote": 1000 - 100 - 55}

    def test_cancel(self):
        order = self.chain.call("place", {"side": "sell", "price": 11, "amount": 10}).text()
        assert self.balances(self.alice)["base"] == 90
        with raises(ValueError, match="no such order"):
            self.chain.call("cancel", {"id": int(order)}, sender="bob")
        self.chain.call("cancel", {"id": int(order)})
        assert self.balances(self.alice)["base"] == 100

    def test_the_book_is_public_and_credit_is_not(self):
        self.chain.call("place", {"side": "sell", "price": 11, "amount": 10})
        assert "11" in self.chain.call("book", sender="bob").text()
        with raises(PermissionDeniedError):
            self.chain.call("credit", {"account": self.bob, "unit": "base", "amount": 1}, sender="bob")
