"""A counter: what the tests of the test runner test."""

import json

from cowboy_sdk import SELF, actor, call, callable_by, deferred, public, runner, runtime, send

STEP = 1


@actor
class Counter:
    @public
    def init(self, payload):
        self.storage["count"] = 0
        self.storage["owner"] = runtime.get_sender()

    @public
    def increment(self, payload):
        by = int(payload) if payload else STEP
        if by < 0:
            raise ValueError("a counter goes up")
        self.storage["count"] += by
        runtime.emit_event("counter.increment", {"count": self.storage["count"]})
        return str(self.storage["count"]).encode()

    @public
    def read(self, payload):
        return self.storage["count"]

    @deferred
    @public
    def later(self, payload):
        runtime.schedule_timer_ex(
            runtime.get_block_height() + 3, json.dumps({"_handler": "tick", "_payload": {}}).encode(), gas_limit=200_000
        )

    @callable_by(SELF)
    def tick(self, payload):
        self.storage["ticked"] = runtime.get_block_height()

    @public
    def buy(self, payload):
        oracle = json.loads(payload)["oracle"]
        self.storage["price"] = call(oracle, "price", ["HAY"])
        return self.storage["price"]

    @deferred
    @public
    def tell(self, payload):
        send(json.loads(payload)["to"], {"handler": "hear", "text": "hi"})

    @public
    def hear(self, payload):
        self.storage["heard"] = payload["text"]

    @public
    @runner.continuation(timeout_blocks=20)
    async def ask(self, payload):
        self.storage["answer"] = await runner.llm(payload.decode())
