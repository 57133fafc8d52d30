"""The treasury's books."""

from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from treasury import Treasury


class TestTreasury:
    def setUp(self):
        self.chain = SimulatedChain(Treasury, {"name": "Hay", "symbol": "HAY", "supply": 100, "cap": 150})
        self.bob = self.chain.account("bob").to_hex()

    def books(self):
        books = self.chain.call("books").json()
        return books["supply"], books["here"], books["cleared"]

    def test_it_makes_its_token(self):
        assert len(self.chain.call("token").text()) == 64
        assert self.books() == (100, 100, 0)
        self.chain.call("issue", b"50")
        with raises(Exception, match="maximal supply"):
            self.chain.call("issue", b"1")
        self.chain.call("retire", b"30")
        assert self.books() == (120, 120, 0)

    def test_the_owner_alone_gives(self):
        forty = {"to": self.bob, "amount": 40}
        for handler in ("grant", "allow"):
            with raises(PermissionDeniedError):
                self.chain.call(handler, forty, sender="bob")
            self.chain.call(handler, forty)
        assert self.books() == (100, 60, 1)
        with raises(Exception, match="may spend 0"):  # nobody approved the treasury
            self.chain.call("deposit", b"40", sender="bob")
        assert self.books() == (100, 60, 1)

    def test_a_hook_that_is_no_actor(self):
        self.chain.call("ask", self.bob)
        with raises(Exception, match="hook"):
            self.chain.call("grant", {"to": self.bob, "amount": 1})
        assert self.books() == (100, 100, 0)
