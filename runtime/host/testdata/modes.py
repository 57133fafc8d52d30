from cowboy_sdk import actor, pure, deferred, send, call, runtime
from cowboy_sdk.errors import PurityViolationError


@actor
class Moded:
    def plain_send(self, payload):
        send(payload, {"x": 1})

    @pure
    def pure_timer(self, payload):
        runtime.schedule_timer(runtime.get_block_height() + 1, b"")

    @deferred
    def deferred_send(self, payload):
        send(payload, {"x": 1})
        return b"sent"

    def write(self, payload):
        self.storage["w"] = payload
        runtime.emit_event("wrote", payload)
        return b"ok"

    def through_call(self, payload):
        return call(payload, "deferred_send", [payload])

    def caught(self, payload):
        try:
            send(payload, {})
        except PurityViolationError as e:
            return (e.slug + " " + type(e).__name__).encode()

    def no_starter(self, payload):
        send(payload, {"x": 1})

    no_starter.__cowboy_continuation__ = False

    def starter(self, payload):
        send(payload, {"x": 1})
        return b"sent"

    starter.__cowboy_continuation__ = True

    def nearly(self, payload):
        send(payload, {"x": 1})

    nearly.__cowboy_continuation__ = 1
