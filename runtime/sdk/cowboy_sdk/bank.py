"""Prepaid cards at 0x13, for actors that own some, or are the agent of one. Amounts are base units of coins, which is what such a card pays in."""

import pvm_host as _host

BANK = b"\x00" * 19 + b"\x13"


def issue_card(agent, bank_id=1, expires_at=None, **policy):
    """Makes a card of this actor's that pays the fees of an agent; gives its address. policy may have per_hour_cap, per_day_cap, per_month_cap,
    allowed_receivers (addresses), allowed_kinds (names such as "send") and locked_after_transfer."""
    asked = dict(_policy(policy), agent=_bytes(agent), bank_id=bank_id)
    if expires_at is not None:
        asked["expires_at"] = expires_at
    return _ask("issue_card", asked)


def deposit(card, amount):
    """Puts coins of this actor on a card."""
    return _ask("deposit", {"card": _bytes(card)}, amount)


def withdraw(card, amount, to=None):
    """Takes coins off a card of this actor's."""
    return _ask("withdraw", {"card": _bytes(card), "to": _host.get_actor_address() if to is None else _bytes(to), "amount": amount})


def set_policy(card, **policy):
    """Gives a card of this actor's other limits: what is not named has none."""
    return _ask("set_policy", dict(_policy(policy), card=_bytes(card)))


def set_default_card(card, agent=None):
    """Makes a card the one that pays the timers of its agent, this actor unless another is named; None: none does."""
    asked = {"agent": _host.get_actor_address() if agent is None else _bytes(agent)}
    if card is not None:
        asked["card"] = _bytes(card)
    return _ask("set_default_card", asked)


def close_card(card):
    """Ends a card of this actor's for good; what is on it comes back."""
    return _ask("close_card", {"card": _bytes(card)})


def freeze(card):
    """Freezes a card of a bank that this actor operates."""
    return _ask("freeze", {"card": _bytes(card)})


def unfreeze(card):
    return _ask("unfreeze", {"card": _bytes(card)})


def get_card(card):
    """A card as a dict of bank_id, owner, agent, status, balance and spent, by hour, day and month; None where there is none."""
    return _ask("get_card", {"card": _bytes(card)})


def _policy(policy):
    known = ("per_hour_cap", "per_day_cap", "per_month_cap", "allowed_receivers", "allowed_kinds", "locked_after_transfer")
    for name in policy:
        if name not in known:
            raise TypeError("a policy has no " + name)
    given = {name: value for name, value in policy.items() if value is not None}
    if "allowed_receivers" in given:
        given["allowed_receivers"] = [_bytes(address) for address in given["allowed_receivers"]]
    return given


def _ask(handler, asked, value=0):
    return _host.call(BANK, handler, asked, 150_000, value)


def _bytes(address):
    if isinstance(address, str):
        return bytes.fromhex(address.removeprefix("0x"))
    return address.to_bytes() if hasattr(address, "to_bytes") else bytes(address)
