from cowboy_sdk.testing import SimulatedChain
from vault import Vault


class FuzzVault:
    senders = ["alice", "bob", "carol"]

    def setUp(self):
        self.chain = SimulatedChain(Vault)
        self.chain.call("put", {"amount": 5})

    def invariant_nobody_owes(self):
        assert all([v.value >= 0 for k, v in self.chain.state.items() if isinstance(k, str) and k.startswith("of:")])

    def invariant_points_add_up(self):
        assert self.chain.query("check") == "0"


class FuzzPut(FuzzVault):
    handlers = {"put": {"amount": "$number"}}


class FuzzNothing:
    """No invariant: no test."""

    def setUp(self):
        raise RuntimeError("never called")
