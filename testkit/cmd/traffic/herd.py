"""One animal of a herd: it wakes itself, calls to its neighbours, and passes on what it hears until the call has gone far enough."""

import json

from cowboy_sdk import SELF, Address, Storage, actor, callable_by, deferred, public, runtime, send

GAS_PER_WAKE = 400_000


@actor
class Animal:
    storage: Storage

    @deferred
    @public
    def init(self, payload):
        """payload: JSON {"near": addresses of the neighbours, "every": blocks between two calls, "far": how far a call goes}"""
        config = json.loads(payload)
        self.storage["near"] = [Address.from_hex(one).to_bytes() for one in config["near"]]
        self.storage["every"] = int(config["every"])
        self.storage["far"] = int(config["far"])
        self.storage["heard"] = 0
        self._sleep()

    @deferred
    @callable_by(SELF)
    def tick(self, payload):
        """Calls to the neighbours and sleeps again."""
        self._call(self.storage["far"])
        self._sleep()

    @deferred
    @public
    def hear(self, payload):
        """Hears a call, and passes it on while it has far to go. In some blocks it is too loud."""
        heard = self.storage["heard"] + 1
        self.storage["heard"] = heard
        if (runtime.get_block_height() + heard) % 23 == 0:
            raise ValueError("too loud")
        far = int(payload["far"])
        if far > 0:
            self._call(far)
        else:
            runtime.emit_event("herd.end", {"heard": heard})

    @deferred
    @public
    def shout(self, payload):
        """payload: JSON {"far": how far the call goes}; anyone may have an animal call"""
        self._call(int(json.loads(payload)["far"]))
        return b"ok"

    @public
    def count(self, payload):
        """How many calls it heard."""
        return str(self.storage["heard"]).encode()

    def _call(self, far):
        for one in self.storage["near"]:
            send(one, {"handler": "hear", "far": far - 1})

    def _sleep(self):
        timer = json.dumps({"_handler": "tick", "_payload": {}}).encode()
        runtime.schedule_timer_ex(runtime.get_block_height() + self.storage["every"], timer, gas_limit=GAS_PER_WAKE)
