"""ActorRef, another actor's handlers as methods, and generate_id."""

import pvm_host as _host
from cowboy_sdk.call import call


class ActorRef:
    """Another actor. ref.method(...) calls it now; await ref.async_method(...), in @actor.continuation, across blocks."""

    def __init__(self, address, cycles_limit=100_000):
        self._address = address
        self._cycles_limit = cycles_limit

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name.startswith("async_"):
            return self._asynchronous(name[6:])

        def method(*args, **kwargs):
            if args and kwargs:
                raise TypeError("a call has positional or keyword arguments, not both")
            return call(self._address, name, kwargs or list(args), cycles_limit=self._cycles_limit)

        return method

    def _asynchronous(self, name):
        from cowboy_sdk._async_call import AsyncCall

        def method(*args, timeout_blocks=None):
            return AsyncCall(self._address, name, list(args), timeout_blocks)

        return method

    def __repr__(self):
        return "ActorRef(" + repr(self._address) + ")"


class call_builder:
    """call_builder(target).method(name).args(...).cycles(n).value(n).execute(), the same as call()."""

    def __init__(self, target):
        self._target = target
        self._method = None
        self._args = None
        self._cycles = 100_000
        self._value = 0

    def method(self, name):
        """The handler to call."""
        self._method = name
        return self

    def args(self, *positions, **keywords):
        """Its arguments, by position or by keyword."""
        if positions and keywords:
            raise TypeError("a call has positional or keyword arguments, not both")
        self._args = keywords or list(positions)
        return self

    def cycles(self, limit):
        """How many cycles it may use."""
        self._cycles = limit
        return self

    def value(self, amount):
        """The coins it carries, in base units."""
        self._value = amount
        return self

    def execute(self):
        """Makes the call and gives its value."""
        if self._method is None:
            raise ValueError("name the method first")
        return call(self._target, self._method, self._args, cycles_limit=self._cycles, value=self._value)


def generate_id():
    """A hex text that no other call gives: keccak256 of transaction, message or timer, block, actor and a counter."""
    now = _host.context()
    place = now["tx_hash"] + now["msg_id"] + now["block_height"].to_bytes(8, "big") + now["actor_addr"]
    return _host.keccak256(place + _host.next_counter().to_bytes(8, "big")).hex()
