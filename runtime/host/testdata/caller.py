from cowboy_sdk import actor, call, send, runtime, ActorRef
from cowboy_sdk.errors import ActorCallError, ActorNotFoundError, CallDepthExceeded, CycleLimitExceeded


@actor
class Caller:
    def add(self, a, b):
        return a + b

    def takes_map(self, msg):
        return sorted(msg.keys())

    def boom(self, payload):
        self.storage["x"] = "callee"
        runtime.emit_event("callee", b"")
        raise ValueError("boom")

    def who(self, payload):
        return runtime.get_sender()

    def start(self, payload):
        other = payload
        self.storage["x"] = "caller"
        results = [
            call(other, "add", [2, 3]),
            call(other, "add", {"a": 5, "b": 6}),
            call(other, "takes_map", {"z": 1, "a": 2}),
            ActorRef(other).add(1, 1),
            call(other, "who", [b""]) == runtime.get_actor_address(),
        ]
        try:
            call(other, "boom", [b""])
        except ActorCallError as e:
            results.append(str(e))
        try:
            call(other, "nothing", [])
        except ActorCallError:
            results.append("no handler")
        try:
            call("0x" + "99" * 20, "x", [])
        except ActorNotFoundError:
            results.append("no actor")
        try:
            call(other, "spin", [b""], cycles_limit=2000)
        except CycleLimitExceeded as e:
            results.append("out of cycles" in str(e) and e.ERROR_SLUG == "E1201")
        return results

    def exhaust(self, payload):
        self.storage["y"] = "lost"
        call(payload, "spin", [b""], cycles_limit=2000)

    def relay(self, payload):
        call(payload[:20], "exhaust", [payload[20:]], cycles_limit=500000)

    def later(self, payload):
        runtime.set_timer(runtime.get_block_height() + 1, "exhaust", payload)

    def post(self, payload):
        send(payload[:20], {"handler": "answer", "callee": payload[20:]})

    def answer(self, payload):
        self.exhaust(payload["callee"])

    def spin(self, payload):
        while True:
            pass

    def uncaught(self, payload):
        self.storage["y"] = "lost"
        call(payload, "boom", [b""])

    def dive(self, payload):
        depth = int(payload)
        if depth == 0:
            return b"bottom"
        return runtime.call_actor(runtime.get_actor_address(), "dive", str(depth - 1).encode(), 10_000_000)

    def stored(self, payload):
        return self.storage["x"]
