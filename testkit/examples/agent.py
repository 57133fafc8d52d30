"""An autonomous agent: it wakes itself, remembers what it did, and tells a journal.

Nobody has to call it after `init`. Each wake-up reads and writes the agent's storage, sends one message to the journal,
emits one event and schedules the next wake-up, all paid from the agent's own balance. When the balance no longer covers
a wake-up, the timer is dropped and the agent sleeps until somebody funds it and calls `wake`.
"""

import json

from cowboy_sdk import SELF, Address, Storage, actor, callable_by, deferred, public, runtime, send, set_timer

GAS_PER_WAKE = 60_000


@actor
class Agent:
    storage: Storage
    address: Address

    @deferred
    @public
    def init(self, payload):
        """payload: JSON {"journal": address, "every": blocks between two wake-ups}"""
        config = json.loads(payload or b"{}")
        self.storage["journal"] = Address.from_hex(config["journal"]).to_bytes()
        self.storage["every"] = max(1, int(config.get("every", 2)))
        self.storage["wakes"] = 0
        self._sleep()
        return b"ok"

    @deferred
    @callable_by(SELF)
    def tick(self, payload):
        wakes = self.storage["wakes"] + 1
        height = runtime.get_block_height()
        self.storage["wakes"] = wakes
        self.storage["last_height"] = height
        send(self.storage["journal"], {"handler": "record", "from": self.address.to_hex(), "wakes": wakes, "height": height})
        runtime.emit_event("agent.tick", {"wakes": wakes, "height": height})
        self._sleep()

    @deferred
    @public
    def wake(self, payload):
        """Anyone may restart an agent that ran out of money."""
        if self.storage.get("timer_height", 0) >= runtime.get_block_height():
            return b"awake"
        self._sleep()
        return b"ok"

    @public
    def status(self, payload):
        return json.dumps({"wakes": self.storage["wakes"], "last_height": self.storage.get("last_height", 0)}).encode()

    def _sleep(self):
        height = runtime.get_block_height() + self.storage["every"]
        runtime.schedule_timer_ex(
            height, json.dumps({"_handler": "tick", "_payload": {}}).encode(), gas_limit=GAS_PER_WAKE
        )
        self.storage["timer_height"] = height
