"""ActorRef: another actor's handlers as methods."""

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
