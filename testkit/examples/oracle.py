"""A price oracle: runners fetch a price, several of them have to agree, and a failed round is tried again by a timer.

Anyone reads `price`. The owner chooses the source and starts the first round; after that the oracle refreshes itself every `every` blocks for as
long as it can pay.
"""

import json

from cowboy_sdk import (
    OWNER, SELF, CowboyModel, Retry, RunnerTimeoutError, RunnerValidationError, Storage, Verify, actor, callable_by, deferred,
    public, runner, runtime, set_timer,
)

TIMEOUT = 20  # blocks to wait for the runners


class Quote(CowboyModel):
    price: int
    source: str = ""


@actor
class Oracle:
    storage: Storage

    @public
    def init(self, payload):
        """payload: JSON {"url": where the price is, "every": blocks between rounds}"""
        config = json.loads(payload)
        runtime.assume_ownership_if_unowned()
        self.storage["url"] = config["url"]
        self.storage["every"] = max(1, int(config["every"]))
        self.storage["failures"] = 0
        return b"ok"

    @callable_by(OWNER, SELF)
    @runner.continuation(timeout_blocks=TIMEOUT)
    async def refresh(self, payload):
        checks = (
            Verify.builder().mode("majority_vote").runners(5).threshold(3)
            .check(Verify.json_schema_valid(Quote.schema())).check(Verify.numeric_range("price", 1, 10**15)).build()
        )
        try:
            quote = await runner.http(
                self.storage["url"], response_model=Quote, verification=checks, retry_policy=Retry(max_attempts=3, on_error=True),
            )
        except (RunnerTimeoutError, RunnerValidationError) as e:
            self._failed(type(e).__name__)
            return
        self.storage["quote"] = {"price": quote.price, "source": quote.source, "at": runtime.get_block_height()}
        self.storage["failures"] = 0
        runtime.emit_event("oracle.price", {"price": quote.price})
        self._again(self.storage["every"])

    @public
    def price(self, payload):
        """The last price as JSON; raises while there is none."""
        quote = self.storage["quote"]
        if quote is None:
            raise ValueError("no price yet")
        return json.dumps(quote).encode()

    @deferred
    @callable_by(OWNER)
    def configure(self, payload):
        """payload: JSON with a new "url", a new "every", or both"""
        config = json.loads(payload)
        self.storage["url"] = config.get("url", self.storage["url"])
        self.storage["every"] = max(1, int(config.get("every", self.storage["every"])))
        return b"ok"

    def _failed(self, reason):
        failures = self.storage["failures"] + 1
        self.storage["failures"] = failures
        runtime.emit_event("oracle.failed", {"failures": failures, "reason": reason})
        self._again(min(self.storage["every"], 1 << failures))

    def _again(self, blocks):
        set_timer(runtime.get_block_height() + blocks, "refresh", b"")
