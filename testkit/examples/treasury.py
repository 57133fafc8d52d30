"""A treasury with a token of the registry: it makes the token itself, gives it for coins, lends it, takes it back and destroys it.

The token's supply is what people hold and what lies in the treasury; nobody but the treasury mints it.
"""

import json

from cowboy_sdk import OWNER, Address, Storage, actor, callable_by, public, reentrancy_guard, runtime


@actor
class Treasury:
    storage: Storage
    address: Address

    @public
    def init(self, payload):
        """payload: JSON {"name": text, "symbol": text, "supply": units, "cap": the most there may ever be}"""
        config = json.loads(payload)
        runtime.assume_ownership_if_unowned()
        self.storage["token"] = runtime.token_create(
            config["name"].encode(), config["symbol"].encode(), 2, int(config["supply"]), max_supply=int(config["cap"]))
        self.storage["cleared"] = 0

    @public
    def token(self, payload):
        return self.storage["token"].hex().encode()

    @callable_by(OWNER)
    def issue(self, payload):
        """Makes new units in the treasury. payload: how many"""
        runtime.token_mint(self.storage["token"], self.address, int(payload))

    @callable_by(OWNER)
    @reentrancy_guard
    def grant(self, payload):
        """payload: JSON {"to": address, "amount": units}"""
        to, amount = self._read(payload)
        runtime.token_transfer(self.storage["token"], to, amount)
        self.storage["cleared"] += 1

    @callable_by(OWNER)
    def allow(self, payload):
        """Lets somebody spend the treasury's units. payload: JSON {"to": address, "amount": units}"""
        to, amount = self._read(payload)
        runtime.token_approve(self.storage["token"], to, amount)

    @public
    @reentrancy_guard
    def deposit(self, payload):
        """Takes units of the sender, who has approved the treasury. payload: how many"""
        runtime.token_transfer_from(self.storage["token"], runtime.get_sender(), self.address, int(payload))
        self.storage["cleared"] += 1

    @callable_by(OWNER)
    def retire(self, payload):
        """Destroys units of the treasury. payload: how many"""
        runtime.token_burn(self.storage["token"], int(payload))

    @callable_by(OWNER)
    def ask(self, payload):
        """Names the actor that is asked about every transfer. payload: its address"""
        runtime.token_set_hook(self.storage["token"], Address.from_hex(payload.decode()).to_bytes())

    @public
    def books(self, payload):
        token = self.storage["token"]
        return json.dumps({
            "supply": runtime.token_total_supply(token),
            "here": runtime.token_balance_of(token, self.address),
            "cleared": self.storage["cleared"],
        }).encode()

    def _read(self, payload):
        message = json.loads(payload)
        return Address.from_hex(message["to"]).to_bytes(), int(message["amount"])
