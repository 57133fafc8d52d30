from cowboy_sdk import actor, public, callable_by, OWNER, SELF, deferred, runtime, call

FRIEND = "aa00000000000000000000000000000000000002"


@actor
class Guarded:
    def init(self, payload):
        runtime.transfer_ownership(runtime.get_sender())

    def nobody(self, payload):
        return b"ok"

    @public
    def anyone(self, payload):
        return b"ok"

    @callable_by(FRIEND)
    def friend(self, payload):
        return b"ok"

    @callable_by(OWNER)
    def owner(self, payload):
        return b"ok"

    @callable_by(OWNER, SELF, FRIEND)
    def several(self, payload):
        return b"ok"

    @callable_by(SELF)
    def own(self, payload):
        self.storage["own"] = self.storage["own"] and self.storage["own"] + 1 or 1
        return b"ok"

    @public
    @deferred
    def wake_me(self, payload):
        runtime.set_timer(runtime.get_block_height() + 1, "own")

    @public
    def helper(self, payload):
        return self.nobody(payload)

    def step__resume(self, payload):
        return b"never"
