"""Payments over HTTP: what requests cost an actor's clients, at the PaymentGate. Amounts are base units.

    payments.set_policy([payments.price("/reports/**", 500_000)], credit_price=400_000)

A gateway answers 402 to a request that is not paid for, and has a payment settled after the handler answered with 2xx or 3xx. What lies on the
chain can be read by everybody; what is sold is the answer of the gateway.
"""

from pvm_host import call, get_actor_address

GATE = b"\x00" * 19 + b"\x12"
CLIENT_PAID, ACTOR_FUNDED, FREE = "client_paid", "actor_funded", "free"
_CYCLES = 300_000


def price(path_pattern, amount, methods=(), model=CLIENT_PAID, asset=None):
    """A row of a policy's table: * in the pattern stands for a part of the path, ** at its end for all that follow; no methods are all methods. asset is the
    token of the registry whose units amount counts, its 32 bytes or their hexadecimal digits; None: coins."""
    row = {"path_pattern": path_pattern, "amount": amount, "methods": list(methods), "model": model}
    if asset is not None:
        row["asset"] = asset if isinstance(asset, str) else bytes(asset)
    return row


def set_policy(price_table, *, treasury=None, daily_cap=0, rate_limit_rps=0, fallback=402, credit_price=None, epoch_fee=None, epoch_blocks=86_400,
               max_epochs=12, enabled=True, auto_refill=0):
    """Replaces the actor's policy. The treasury, the actor unless told, gets what is paid, but for the protocol's 5 %. Credits and epochs are sold where
    they have a price. auto_refill coins come from the actor's balance into its budget when a request finds too little there; it needs a daily_cap."""
    policy = {"actor": _own(), "price_table": list(price_table), "enabled": enabled,
              "budget_config": {"daily_cap": daily_cap, "rate_limit_rps": rate_limit_rps, "fallback": fallback}}
    if auto_refill:
        policy["budget_config"]["auto_refill"] = auto_refill
    if treasury is not None:
        policy["treasury"] = _bytes(treasury)
    if credit_price is not None:
        policy["pass_config"] = {"price_per_credit": credit_price}
    if epoch_fee is not None:
        policy["epoch_config"] = {"fee_per_epoch": epoch_fee, "epoch_blocks": epoch_blocks, "max": max_epochs}
    call(GATE, "set_policy", policy, _CYCLES, 0)


def get_policy(actor=None):
    """The policy of an actor, this one unless told, as a dict."""
    return call(GATE, "get_policy", {"actor": _own() if actor is None else _bytes(actor)}, _CYCLES, 0)


def deposit_budget(amount):
    """Puts coins of the actor into its budget, which pays for requests whose model is ACTOR_FUNDED."""
    call(GATE, "deposit_budget", {"actor": _own()}, _CYCLES, amount)


def withdraw_budget(amount):
    """Takes coins out of the actor's budget."""
    call(GATE, "withdraw_budget", {"actor": _own(), "amount": amount}, _CYCLES, 0)


def budget_balance():
    """What is left of the actor's budget."""
    return call(GATE, "budget_balance", {"actor": _own()}, _CYCLES, 0)["balance"]


def pass_balance(holder):
    """How many requests a holder's credits still pay for."""
    return call(GATE, "pass_balance", {"actor": _own(), "holder": _bytes(holder)}, _CYCLES, 0)["credits"]


def subscribed(holder):
    """Whether a holder's subscription to the actor runs."""
    return call(GATE, "epoch_status", {"actor": _own(), "holder": _bytes(holder)}, _CYCLES, 0)["active"]


def payer(request):
    """Who paid for a request, by the word of the gateway that brought it; None for one that cost nothing, or that the actor paid for."""
    from cowboy_sdk.types import Address

    given = _header(request, "x-cowboy-payer")
    return None if given is None else Address(given)


def status(request):
    """What the chain knows of a request's payment: verified, settled or expired, and None where it knows nothing, as of one in a query."""
    who, name = _header(request, "x-cowboy-payer"), _header(request, "x-cowboy-payment")
    if who is None or name is None:
        return None
    form, nonce = name.split("/")
    asked = {"payer": _bytes(who), "form": 0 if form == "intent" else 1, "nonce": bytes.fromhex(nonce.removeprefix("0x"))}
    return call(GATE, "payment_status", asked, _CYCLES, 0)["status"]


def _header(request, name):
    values = request["headers"].get(name)
    return values[0] if values else None


def _own():
    return _bytes(get_actor_address())


def _bytes(address):
    if isinstance(address, str):
        return bytes.fromhex(address.removeprefix("0x"))
    return address.to_bytes() if hasattr(address, "to_bytes") else bytes(address)
