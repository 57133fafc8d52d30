"""A fungible token kept in one actor's storage: fixed supply, transfers, allowances.

`wrap` turns the token into a claim on the actor's own CBY: whoever funds the actor first and then calls `wrap` gets one
token for each base unit that arrived; `unwrap` burns tokens and pays the coins out.
"""

import json

from cowboy_sdk import Address, Storage, actor, public, runtime


@actor
class Token:
    storage: Storage
    address: Address

    @public
    def init(self, payload):
        """payload: JSON {"name": text, "symbol": text, "supply": tokens for the creator}"""
        config = json.loads(payload)
        supply = int(config.get("supply", 0))
        if supply < 0:
            raise ValueError("a supply is not negative")
        self.storage["name"] = config["name"]
        self.storage["symbol"] = config["symbol"]
        self.storage["supply"] = supply
        self.storage["backing"] = 0
        self._credit(runtime.get_sender(), supply)
        return b"ok"

    @public
    def transfer(self, payload):
        """payload: JSON {"to": address, "amount": tokens}"""
        message = self._read(payload)
        self._move(runtime.get_sender(), message["to"], message["amount"])
        return b"ok"

    @public
    def approve(self, payload):
        """payload: JSON {"spender": address, "amount": tokens}"""
        message = json.loads(payload)
        spender = Address.from_hex(message["spender"]).to_bytes()
        self.storage[self._allowance(runtime.get_sender(), spender)] = int(message["amount"])
        return b"ok"

    @public
    def transfer_from(self, payload):
        """payload: JSON {"owner": address, "to": address, "amount": tokens}"""
        message = self._read(payload)
        owner = Address.from_hex(message["owner"]).to_bytes()
        key = self._allowance(owner, runtime.get_sender())
        left = self.storage.get(key, 0) - message["amount"]
        if left < 0:
            raise ValueError("the allowance is too small")
        self.storage[key] = left
        self._move(owner, message["to"], message["amount"])
        return b"ok"

    @public
    def wrap(self, payload):
        arrived = runtime.get_balance(self.address) - self.storage["backing"]
        if arrived <= 0:
            raise ValueError("fund the token's address first")
        self.storage["backing"] += arrived
        self.storage["supply"] += arrived
        self._credit(runtime.get_sender(), arrived)
        runtime.emit_event("token.wrap", {"amount": arrived})
        return str(arrived).encode()

    @public
    def unwrap(self, payload):
        """payload: JSON {"amount": tokens}"""
        amount = self._read(payload)["amount"]
        sender = runtime.get_sender()
        self._credit(sender, -amount)
        if amount > self.storage["backing"]:
            raise ValueError("fewer coins are wrapped than that")
        self.storage["backing"] -= amount
        self.storage["supply"] -= amount
        runtime.transfer(sender, amount)
        runtime.emit_event("token.unwrap", {"amount": amount})
        return b"ok"

    @public
    def balance(self, payload):
        """payload: JSON {"of": address}"""
        of = Address.from_hex(json.loads(payload)["of"]).to_bytes()
        return str(self.storage.get("bal:" + of.hex(), 0)).encode()

    def _read(self, payload):
        message = json.loads(payload)
        message["amount"] = int(message["amount"])
        if message["amount"] <= 0:
            raise ValueError("an amount is positive")
        if "to" in message:
            message["to"] = Address.from_hex(message["to"]).to_bytes()
        return message

    def _allowance(self, owner, spender):
        return "allow:" + owner.hex() + ":" + spender.hex()

    def _credit(self, account, amount):
        key = "bal:" + account.hex()
        left = self.storage.get(key, 0) + amount
        if left < 0:
            raise ValueError("the balance is too small")
        self.storage[key] = left

    def _move(self, source, target, amount):
        self._credit(source, -amount)
        self._credit(target, amount)
        runtime.emit_event("token.transfer", {"from": source.hex(), "to": target.hex(), "amount": amount})
