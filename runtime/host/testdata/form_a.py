from cowboy_sdk import actor, runtime


@actor
class Counter:
    def init(self, payload):
        self.storage["n"] = 10
        return payload

    def increment(self, payload):
        self.storage["n"] = self.storage["n"] + 1
        runtime.emit_event("incremented", {"n": self.storage["n"]})
        return str(self.storage["n"]).encode()

    def read(self):
        return self.storage["n"]

    def _secret(self):
        return b"no"
