"""A coin with an owner: the owner mints, pauses and hands the coin on; everybody transfers and burns what is theirs.

Unlike token.py it has no allowances and is backed by nothing. After `renounce` nobody mints or pauses any more.
"""

import json

from cowboy_sdk import OWNER, Address, Storage, actor, callable_by, public, reentrancy_guard, runtime


@actor
class Coin:
    storage: Storage

    @public
    def init(self, payload):
        """payload: JSON {"name": text, "cap": the most there may ever be}"""
        config = json.loads(payload)
        runtime.assume_ownership_if_unowned()
        self.storage["name"] = config["name"]
        self.storage["cap"] = int(config["cap"])
        self.storage["supply"] = 0
        self.storage["paused"] = False
        return b"ok"

    @callable_by(OWNER)
    def mint(self, payload):
        """payload: JSON {"to": address, "amount": coins}"""
        to, amount = self._read(payload)
        supply = self.storage["supply"] + amount
        if supply > self.storage["cap"]:
            raise ValueError("more than the cap")
        self.storage["supply"] = supply
        self._credit(to, amount)
        runtime.emit_event("coin.mint", {"to": to.hex(), "amount": amount})
        return b"ok"

    @public
    @reentrancy_guard
    def transfer(self, payload):
        """payload: JSON {"to": address, "amount": coins}"""
        if self.storage["paused"]:
            raise ValueError("the coin is paused")
        to, amount = self._read(payload)
        self._credit(runtime.get_sender(), -amount)
        self._credit(to, amount)
        runtime.emit_event("coin.transfer", {"from": runtime.get_sender().hex(), "to": to.hex(), "amount": amount})
        return b"ok"

    @public
    def burn(self, payload):
        """payload: JSON {"amount": coins}"""
        amount = int(json.loads(payload)["amount"])
        if amount <= 0:
            raise ValueError("an amount is positive")
        self._credit(runtime.get_sender(), -amount)
        self.storage["supply"] -= amount
        runtime.emit_event("coin.burn", {"amount": amount})
        return b"ok"

    @callable_by(OWNER)
    def pause(self, payload):
        self.storage["paused"] = True
        runtime.emit_event("coin.paused")

    @callable_by(OWNER)
    def resume(self, payload):
        self.storage["paused"] = False
        runtime.emit_event("coin.resumed")

    @callable_by(OWNER)
    def hand_over(self, payload):
        """payload: the new owner's address"""
        runtime.transfer_ownership(Address.from_hex(payload.decode()))

    @callable_by(OWNER)
    def renounce(self, payload):
        runtime.renounce_ownership()

    @public
    def balance(self, payload):
        """payload: an address"""
        return str(self.storage.get("bal:" + Address.from_hex(payload.decode()).hex(), 0)).encode()

    @public
    def info(self, payload):
        owner = runtime.get_owner()
        return json.dumps({
            "name": self.storage["name"], "supply": self.storage["supply"], "cap": self.storage["cap"], "paused": self.storage["paused"],
            "owner": owner.hex() if any(owner) else None,
        }).encode()

    def _read(self, payload):
        message = json.loads(payload)
        amount = int(message["amount"])
        if amount <= 0:
            raise ValueError("an amount is positive")
        return Address.from_hex(message["to"]).to_bytes(), amount

    def _credit(self, account, amount):
        key = "bal:" + account.hex()
        left = self.storage.get(key, 0) + amount
        if left < 0:
            raise ValueError("the balance is too small")
        self.storage[key] = left
