"""ICIP20Actor: a token of an actor's own, with the handlers and events that wallets and other actors expect of one.

It is a convention and no token of the registry: what moves is entries of this actor's storage. A message may be JSON, or a dict from another actor.
"""

import json

from cowboy_sdk import Address, Storage, actor, public, runtime


@actor
class ICIP20Actor:
    storage: Storage

    @public
    def init(self, payload):
        """payload: JSON {"name": text, "symbol": text, "decimals": 0 to 18, "supply": tokens for the creator}"""
        config = self._read(payload)
        supply, decimals = int(config["supply"]), int(config.get("decimals", 18))
        if not 0 <= supply < 2**128 or not 0 <= decimals <= 18:
            raise ValueError("a supply has 128 bits, and there are at most 18 decimals")
        for key, value in (("name", config["name"]), ("symbol", config["symbol"]), ("decimals", decimals), ("supply", supply)):
            self.storage[key] = value
        creator = runtime.get_sender()
        self.storage["bal:" + creator.hex()] = supply
        runtime.emit_event("Transfer", {"from": Address.ZERO.hex(), "to": creator.hex(), "amount": supply})

    @public
    def name(self, payload):
        return self.storage["name"].encode()

    @public
    def symbol(self, payload):
        return self.storage["symbol"].encode()

    @public
    def decimals(self, payload):
        return str(self.storage["decimals"]).encode()

    @public
    def total_supply(self, payload):
        return str(self.storage["supply"]).encode()

    @public
    def balance_of(self, payload):
        """payload: {"account": address}"""
        return str(self.storage.get("bal:" + self._who(payload, "account"), 0)).encode()

    @public
    def allowance(self, payload):
        """payload: {"owner": address, "spender": address}"""
        return str(self.storage.get(self._allowed(self._who(payload, "owner"), self._who(payload, "spender")), 0)).encode()

    @public
    def transfer(self, payload):
        """payload: {"to": address, "amount": tokens}"""
        self._move(runtime.get_sender().hex(), payload)
        return b"ok"

    @public
    def approve(self, payload):
        """payload: {"spender": address, "amount": tokens}"""
        owner, spender, amount = runtime.get_sender().hex(), self._who(payload, "spender"), self._amount(payload)
        self.storage[self._allowed(owner, spender)] = amount
        runtime.emit_event("Approval", {"owner": owner, "spender": spender, "amount": amount})
        return b"ok"

    @public
    def transfer_from(self, payload):
        """payload: {"from": address, "to": address, "amount": tokens}"""
        owner = self._who(payload, "from")
        key = self._allowed(owner, runtime.get_sender().hex())
        left = self.storage.get(key, 0) - self._amount(payload)
        if left < 0:
            raise ValueError("the allowance is too small")
        self.storage[key] = left
        self._move(owner, payload)
        return b"ok"

    def _read(self, payload):
        return payload if isinstance(payload, dict) else json.loads(payload)

    def _who(self, payload, key):
        who = self._read(payload)[key]
        return (Address(who) if isinstance(who, bytes) else Address.from_hex(who)).hex()

    def _amount(self, payload):
        amount = int(self._read(payload)["amount"])
        if not 0 <= amount < 2**128:
            raise ValueError("an amount has 128 bits and no sign")
        return amount

    def _allowed(self, owner, spender):
        return "allow:" + owner + ":" + spender

    def _move(self, source, payload):
        target, amount = self._who(payload, "to"), self._amount(payload)
        if target == Address.ZERO.hex():
            raise ValueError("the zero address receives nothing")
        left = self.storage.get("bal:" + source, 0) - amount
        if left < 0:
            raise ValueError("the balance is too small")
        self.storage["bal:" + source] = left
        self.storage["bal:" + target] = self.storage.get("bal:" + target, 0) + amount
        runtime.emit_event("Transfer", {"from": source, "to": target, "amount": amount})
