from cowboy_sdk import actor, send, runtime


@actor
class Messenger:
    def go(self, payload):
        send(payload, {"handler": "named", "n": 7})
        send(payload, {"method": "pair", "a": 1, "b": 2})
        send(payload, {"hello": "world"})
        send(payload, b"raw", raw=True)
        send(payload, {"handler": "absent"})
        runtime.create_deferred_tx("later", b"soon")

    def named(self, msg):
        self.storage["named"] = msg["n"]

    def pair(self, a, b):
        self.storage["pair"] = a + b

    def on_message(self, payload):
        key = "raw" if isinstance(payload, bytes) else "map"
        self.storage[key] = payload if key == "raw" else payload["hello"]

    def later(self, payload):
        self.storage["later"] = payload
        assert runtime.get_sender() == runtime.get_actor_address()

    def raise_after(self, payload):
        send(payload, b"lost", raw=True)
        raise RuntimeError("after the send")
