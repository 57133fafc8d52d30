"""A counter: the smallest actor worth deploying.

    cowboy deploy
    cowboy actor execute --actor counter --handler increment
    cowboy actor query --actor counter --handler value
"""

from cowboy_sdk import Storage, actor, public, pure, runtime


@actor
class Counter:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["count"] = 0
        return b"ok"

    @public
    def increment(self, payload) -> bytes:
        """Count one more, say so in an event, and give the new count in digits."""
        count = self.storage["count"] + 1
        self.storage["count"] = count
        runtime.emit_event("counter.increment", {"count": count})
        return str(count).encode()

    @public
    @pure
    def value(self, payload) -> bytes:
        """The count in digits. A query of it costs nothing."""
        return str(self.storage["count"]).encode()
