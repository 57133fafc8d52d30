"""Who may do what with the coin."""

from coin import Coin
from cowboy_sdk import PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, check_determinism, raises


class TestCoin:
    def setUp(self):
        self.chain = SimulatedChain(Coin, {"name": "Hay", "cap": 100})
        self.alice = self.chain.account("alice").to_hex()
        self.bob = self.chain.account("bob").to_hex()
        self.chain.call("mint", {"to": self.alice, "amount": 60})

    def balances(self):
        return [int(self.chain.call("balance", who).text()) for who in (self.alice, self.bob)]

    def test_moves_and_burns(self):
        self.chain.call("transfer", {"to": self.bob, "amount": 20})
        self.chain.call("burn", {"amount": 5}, sender="bob")
        assert self.balances() == [40, 15]
        assert self.chain.call("info").json()["supply"] == 55

    def test_the_owner_alone(self):
        for handler, payload in (("mint", {"to": self.bob, "amount": 1}), ("pause", b""), ("resume", b""), ("hand_over", self.bob), ("renounce", b"")):
            with raises(PermissionDeniedError):
                self.chain.call(handler, payload, sender="bob")

    def test_pause(self):
        self.chain.call("pause")
        before = self.chain.snapshot()
        with raises(ValueError, match="paused"):
            self.chain.call("transfer", {"to": self.bob, "amount": 1})
        assert self.chain.snapshot() == before
        self.chain.call("resume")
        self.chain.call("transfer", {"to": self.bob, "amount": 1})

    def test_changes_hands(self):
        self.chain.call("hand_over", self.bob)
        with raises(PermissionDeniedError):
            self.chain.call("mint", {"to": self.alice, "amount": 1})
        self.chain.call("mint", {"to": self.alice, "amount": 1}, sender="bob")
        self.chain.call("renounce", sender="bob")
        assert self.chain.call("info").json()["owner"] is None

    def test_is_deterministic(self):
        check_determinism(Coin, [("mint", {"to": self.alice, "amount": 1}), "info"], init_payload={"name": "Hay", "cap": 5})
