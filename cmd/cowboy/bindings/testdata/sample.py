"""An actor whose handlers take and give a value of each kind; what its author wrote tries to end comments.

*/ alert(1) /* \"\"\" ' " \\ ${x}
"""

import json

from cowboy_sdk import SELF, Storage, actor, callable_by, public, pure, runtime


@actor
class Sample:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["sum"] = 0

    @public
    def add(self, payload: int) -> int:
        """Add to the sum, and give it.

        */ console.log("ended") /*
        \"\"\" + __import__("os") # \\
        //go:build ignore
        """
        self.storage["sum"] = self.storage["sum"] + int(payload)
        return self.storage["sum"]

    @public
    @pure
    def total(self) -> int:
        return self.storage["sum"]

    @public
    def big(self) -> int:
        return -(2**200)

    @public
    def echo(self, payload: bytes) -> bytes:
        return payload

    @public
    def greet(self, payload: str) -> "str":
        return "hello " + payload.decode()

    @public
    def even(self, payload: int) -> bool:
        return int(payload) % 2 == 0

    @public
    def describe(self, payload: dict) -> dict:
        given = json.loads(payload)
        return {"keys": sorted(given), "raw": payload, "none": None, "many": [1, -1, 1000, [True, False]]}

    @public
    def forget(self, payload: None) -> None:
        self.storage["sum"] = 0

    @public
    def anything(self, payload=None):
        return payload

    @public
    def lie(self) -> int:
        return "no number"

    @public
    def fail(self):
        raise ValueError("on purpose")

    @public
    @actor.handler("class")
    def klass(self, payload):
        return b"a word of every language"

    @public
    @actor.handler("sum of <all>\u202e")
    def odd(self, payload):
        return b"named oddly"

    @public
    def two(self, first, second):
        return first

    @callable_by(SELF)
    def tick(self, payload):
        pass

    def nobody(self, payload):
        pass
