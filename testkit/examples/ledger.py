"""A ledger that moves house: code cannot change, so a new version is a new actor, and the old one hands its entries over and forwards.

Deploy the successor, call `adopt` on it with the predecessor's address, then `move` on the predecessor: entries go over in batches, one message a
block, and from the first one on the old address forwards what it is asked.
"""

import json

from cowboy_sdk import OWNER, SELF, Address, Storage, actor, call, callable_by, deferred, public, runtime, send

BATCH = 16
PREFIX = b"e:"


@actor
class Ledger:
    storage: Storage

    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        self.storage["successor"] = None
        self.storage["predecessor"] = None

    @public
    def put(self, payload):
        """payload: JSON {"key": text of at most 30 bytes, "value": anything}"""
        if self.storage["successor"] is not None:
            raise ValueError("the ledger has moved; write to " + self.storage["successor"].hex())
        message = json.loads(payload)
        key = "e:" + message["key"]
        if len(key.encode()) > 32:
            raise ValueError("a key has at most 30 bytes")
        self.storage[key] = message["value"]
        return b"ok"

    @public
    def get(self, key):
        """Also asked by the predecessor, whose callers do not know yet."""
        if isinstance(key, bytes):
            key = key.decode()
        successor = self.storage["successor"]
        if successor is not None:
            return call(successor, "get", {"key": key}, cycles_limit=runtime.gas_left() // 2)
        return self.storage.get("e:" + key)

    @callable_by(OWNER)
    def adopt(self, payload):
        """payload: the predecessor's address"""
        self.storage["predecessor"] = Address.from_hex(payload.decode()).to_bytes()

    @deferred
    @callable_by(OWNER)
    def move(self, payload):
        """payload: the successor's address"""
        self.storage["successor"] = Address.from_hex(payload.decode()).to_bytes()
        runtime.emit_event("ledger.moving", {"to": self.storage["successor"].hex()})
        self._batch()

    @deferred
    @callable_by(SELF)
    def go_on(self, payload):
        self._batch()

    @public
    def receive(self, msg):
        """A batch of entries, from the predecessor alone."""
        if runtime.get_sender() != self.storage["predecessor"]:
            raise ValueError("entries come from the predecessor")
        for key, value in msg["entries"]:
            if key not in self.storage:
                self.storage[key] = value
        runtime.emit_event("ledger.received", {"entries": len(msg["entries"])})

    def _batch(self):
        found = runtime.scan_state_prefix(PREFIX, BATCH)
        if not found:
            runtime.emit_event("ledger.moved")
            return
        entries = []
        for key, _ in found:
            name = key.decode()
            entries.append([name, self.storage[name]])
            del self.storage[name]
        send(self.storage["successor"], {"handler": "receive", "entries": entries})
        runtime.create_deferred_tx("go_on", b"")
