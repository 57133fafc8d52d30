"""An auction of one thing, whose reserve price three appraisers name off chain.

`appraise` asks a language model three times at once and takes the middle answer as the reserve; then the auction is open for
bids. Bidders deposit coins first: fund the actor, then call `deposit`. The highest bidder's coins are held, an outbid bidder's are
free again. After the last block for bids anyone may close the auction, which pays the seller.
"""

import json

from cowboy_sdk import (
    OWNER, Address, CowboyModel, Storage, TaskGroup, Verify, actor, callable_by, public, runner, runtime,
)

APPRAISERS = 3


class Appraisal(CowboyModel):
    price: int
    reason: str = ""


@actor
class Auction:
    storage: Storage
    address: Address

    @public
    def init(self, payload):
        """payload: JSON {"item": description, "blocks": how long bids are taken}"""
        config = json.loads(payload)
        runtime.assume_ownership_if_unowned()
        self.storage["item"] = config["item"]
        self.storage["blocks"] = int(config["blocks"])
        self.storage["deposits"] = 0
        self.storage["state"] = "new"
        return b"ok"

    @callable_by(OWNER)
    def describe(self, payload):
        """Changes the description; what is being appraised then has to be appraised again."""
        self.storage["item"] = payload.decode()

    @callable_by(OWNER)
    @runner.continuation(timeout_blocks=60, guard_unchanged=["item", "state"])
    async def appraise(self, payload):
        self._require("new")
        checks = Verify.builder().mode("majority_vote").runners(3).threshold(2).check(Verify.numeric_range("price", 1, 10**12)).build()
        question = "Name a fair price in base units for: " + self.storage["item"]
        async with TaskGroup() as group:
            opinions = [
                group.create_task(runner.llm(question, model="appraiser-%d" % n, response_model=Appraisal, verification=checks))
                for n in range(APPRAISERS)
            ]
        prices = sorted([opinion.result().price for opinion in opinions])
        self.storage["reserve"] = prices[APPRAISERS // 2]
        self.storage["bid"] = None
        self.storage["state"] = "open"
        end = runtime.get_block_height() + self.storage["blocks"]
        self.storage["end"] = end
        runtime.emit_event("auction.open", {"reserve": self.storage["reserve"], "until": end})

    @public
    def deposit(self, payload):
        """Credits the sender with the coins the actor holds beyond all deposits."""
        amount = runtime.get_balance(self.address) - self.storage["deposits"]
        if amount <= 0:
            raise ValueError("fund the auction first")
        self._credit(runtime.get_sender().hex(), amount)
        self.storage["deposits"] += amount
        return str(amount).encode()

    @public
    def bid(self, payload):
        """payload: the amount in base units"""
        amount, bidder, best = int(payload), runtime.get_sender().hex(), self.storage["bid"]
        self._require("open")
        if runtime.get_block_height() > self.storage["end"]:
            raise ValueError("bids are closed")
        if amount < self.storage["reserve"] or best is not None and amount <= best["amount"]:
            raise ValueError("bid more")
        if best is not None:
            self._credit(best["by"], best["amount"])
        self._credit(bidder, -amount)
        self.storage["bid"] = {"by": bidder, "amount": amount}
        runtime.emit_event("auction.bid", {"by": bidder, "amount": amount})

    @public
    def close(self, payload):
        self._require("open")
        if runtime.get_block_height() <= self.storage["end"]:
            raise ValueError("bids are taken until block %d" % self.storage["end"])
        best = self.storage["bid"]
        self.storage["state"] = "unsold" if best is None else "sold"
        if best is not None:
            self.storage["deposits"] -= best["amount"]
            runtime.transfer(runtime.get_owner(), best["amount"])
        runtime.emit_event("auction." + self.storage["state"], best or {})

    @public
    def withdraw(self, payload):
        """Pays back what the sender has free."""
        who = runtime.get_sender().hex()
        amount = self.storage.get("free:" + who, 0)
        self._credit(who, -amount)
        self.storage["deposits"] -= amount
        runtime.transfer(bytes.fromhex(who), amount)
        return str(amount).encode()

    @public
    def status(self, payload):
        return json.dumps({name: self.storage[name] for name in ("state", "reserve", "bid", "deposits")}).encode()

    def _require(self, state):
        if self.storage["state"] != state:
            raise ValueError("the auction is " + self.storage["state"])

    def _credit(self, who, amount):
        free = self.storage.get("free:" + who, 0) + amount
        if free < 0:
            raise ValueError("deposit more")
        self.storage["free:" + who] = free
