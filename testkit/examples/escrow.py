"""An escrow: a buyer's coins wait in the actor until the buyer releases them, an arbiter decides, or a deadline passes.

Fund the actor with the price, then call `open`. The coins go to the seller on release, back to the buyer on refund or
when the deadline passes with nobody deciding.
"""

import json
from enum import Enum

from cowboy_sdk import SELF, Address, Storage, actor, callable_by, deferred, public, runtime


class State(Enum):
    WAITING = "waiting"
    OPEN = "open"
    PAID = "paid"
    REFUNDED = "refunded"


@actor
class Escrow:
    storage: Storage
    address: Address

    @public
    def init(self, payload):
        """payload: JSON {"seller": address, "arbiter": address, "price": base units, "blocks": time to decide}"""
        config = json.loads(payload)
        self.storage["buyer"] = runtime.get_sender()
        self.storage["seller"] = Address.from_hex(config["seller"]).to_bytes()
        self.storage["arbiter"] = Address.from_hex(config["arbiter"]).to_bytes()
        self.storage["price"] = int(config["price"])
        self.storage["blocks"] = int(config["blocks"])
        self._become(State.WAITING)
        return b"ok"

    @deferred
    @public
    def open(self, payload):
        self._require(State.WAITING)
        if runtime.get_balance(self.address) < self.storage["price"]:
            raise ValueError("fund the escrow with its price first")
        deadline = runtime.get_block_height() + self.storage["blocks"]
        timer = runtime.schedule_timer_ex(
            deadline, json.dumps({"_handler": "expire", "_payload": {}}).encode(),
            fee_payer=runtime.get_sender(), gas_limit=60_000,
        )
        self.storage["timer"] = timer
        self._become(State.OPEN)
        return b"ok"

    @deferred
    @public
    def release(self, payload):
        self._only("buyer", "arbiter")
        self._pay("seller", State.PAID)
        return b"ok"

    @deferred
    @public
    def refund(self, payload):
        self._only("seller", "arbiter")
        self._pay("buyer", State.REFUNDED)
        return b"ok"

    @deferred
    @callable_by(SELF)
    def expire(self, payload):
        if self.storage["state"] == State.OPEN.value:
            self._pay("buyer", State.REFUNDED)

    @public
    def state(self, payload):
        return self.storage["state"].encode()

    def _pay(self, who, state):
        self._require(State.OPEN)
        self._become(state)
        runtime.cancel_timer(self.storage["timer"])
        runtime.transfer(self.storage[who], self.storage["price"])

    def _become(self, state):
        self.storage["state"] = state.value
        runtime.emit_event("escrow." + state.value, {"price": self.storage["price"]})

    def _require(self, state):
        if self.storage["state"] != state.value:
            raise ValueError("the escrow is " + self.storage["state"])

    def _only(self, *roles):
        sender = runtime.get_sender()
        if all(self.storage[role] != sender for role in roles):
            raise ValueError("only " + " or ".join(roles) + " may do that")
