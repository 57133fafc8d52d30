"""A guardian: gives agents cards that pay their fees within a cap, and takes them back. Its own timer is paid by a card too."""

import json

from cowboy_sdk import OWNER, Address, Storage, actor, callable_by, deferred, public, runtime, set_timer
from cowboy_sdk import bank


@actor
class Guardian:
    storage: Storage

    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        self.storage["woken"] = 0

    @callable_by(OWNER)
    def employ(self, payload):
        """payload: JSON {"agent": address, "coins": base units on its card, "hour": the cap of an hour}; gives the card"""
        terms = json.loads(payload)
        card = bank.issue_card(terms["agent"], per_hour_cap=terms["hour"], allowed_kinds=["send"])
        bank.deposit(card, terms["coins"])
        self.storage["card:" + terms["agent"]] = card
        return card

    @callable_by(OWNER)
    def dismiss(self, payload):
        """payload: the agent's address; what is on its card comes back"""
        return bank.close_card(self.storage["card:" + payload.decode()])

    @public
    def report(self, payload):
        """payload: the agent's address; the card's status, balance and what it paid this hour"""
        card = bank.get_card(self.storage["card:" + payload.decode()])
        if card is None:
            raise ValueError("there is no such card")
        return json.dumps({"status": card["status"], "balance": card["balance"], "hour": card["spent"]["hour"]}).encode()

    @deferred
    @callable_by(OWNER)
    def snooze(self, payload):
        """payload: blocks until it is woken, at the expense of a card of its own"""
        me = runtime.get_actor_address()
        card = bank.issue_card(me)
        bank.deposit(card, 20_000_000_000)
        bank.set_default_card(card)
        self.storage["card:" + Address(me).to_hex()] = card
        set_timer(runtime.get_block_height() + int(payload), "wake")

    @public
    def wake(self, payload):
        self.storage["woken"] += 1
