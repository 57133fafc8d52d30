"""ActorRef, another actor's handlers as methods, and generate_id."""

import pvm_host as _host
from cowboy_sdk._calls import call


class ActorRef:
    def __init__(self, address, cycles_limit=100_000):
        self._address = address
        self._cycles_limit = cycles_limit

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def method(*args):
            return call(self._address, name, list(args), cycles_limit=self._cycles_limit)

        return method

    def __repr__(self):
        return "ActorRef(" + repr(self._address) + ")"


def generate_id():
    """A hex text that no other call gives: keccak256 of transaction, message or timer, block, actor and a counter."""
    now = _host.context()
    place = now["tx_hash"] + now["msg_id"] + now["block_height"].to_bytes(8, "big") + now["actor_addr"]
    return _host.keccak256(place + _host.next_counter().to_bytes(8, "big")).hex()
