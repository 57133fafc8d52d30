"""A counter: the smallest actor worth deploying.

    cowboy actor deploy --code actors/counter/main.py --salt 0x01
    cowboy actor execute --actor <address> --handler increment
    cowboy actor get --address <address>
"""

from cowboy_sdk import Storage, actor, public, runtime


@actor
class Counter:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["count"] = 0
        return b"ok"

    @public
    def increment(self, payload):
        count = self.storage["count"] + 1
        self.storage["count"] = count
        runtime.emit_event("counter.increment", {"count": count})
        return str(count).encode()

    @public
    def value(self, payload):
        return str(self.storage["count"]).encode()
