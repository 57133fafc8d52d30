import json

from cowboy_sdk import SELF, actor, callable_by, deferred, public, runtime, send


@actor
class Load:
    @deferred
    @public
    def init(self, payload):
        self.storage["pokes"] = 0
        self.storage["echoes"] = 0
        self.storage["ticks"] = 0
        self._sleep()

    @deferred
    @public
    def poke(self, payload):
        self.storage["pokes"] += 1
        send(self.address, {"handler": "echo", "from": payload.decode()})
        runtime.emit_event("poke", {"n": self.storage["pokes"]})

    @public
    def echo(self, payload):
        self.storage["echoes"] += 1
        runtime.emit_event("echo", {"n": self.storage["echoes"]})

    @deferred
    @callable_by(SELF)
    def tick(self, payload):
        self.storage["ticks"] += 1
        runtime.emit_event("tick", {"n": self.storage["ticks"]})
        self._sleep()

    def _sleep(self):
        runtime.schedule_timer_ex(
            runtime.get_block_height() + 1, json.dumps({"_handler": "tick", "_payload": {}}).encode(), gas_limit=100_000
        )
