"""A journal: it keeps the last entries that other actors send it and counts them by sender."""

import json

from cowboy_sdk import Storage, actor, public, runtime

KEEP = 16


@actor
class Journal:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["count"] = 0
        return b"ok"

    @public
    def record(self, payload):
        sender = runtime.get_sender().hex()
        count = self.storage["count"] + 1
        self.storage["count"] = count
        self.storage["by:" + sender] = self.storage.get("by:" + sender, 0) + 1
        self.storage["entry:%d" % (count % KEEP)] = dict(payload)
        runtime.emit_event("journal.entry", {"n": count, "from": sender, "wakes": payload["wakes"]})

    @public
    def total(self, payload):
        return str(self.storage["count"]).encode()
