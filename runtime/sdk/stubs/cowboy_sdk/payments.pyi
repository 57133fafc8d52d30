from typing import Any, Mapping, Sequence

from .types import Address

_Target = Address | bytes | str

GATE: bytes
CLIENT_PAID: str
ACTOR_FUNDED: str
FREE: str

def price(path_pattern: str, amount: int, methods: Sequence[str] = (), model: str = ..., asset: bytes | str | None = None) -> dict[str, Any]:
    """A row of a policy's table: * in the pattern stands for a part of the path, ** at its end for all that follow; no methods are all methods. asset is
    the token whose units amount counts; None: coins."""
def set_policy(
    price_table: Sequence[dict[str, Any]], *, treasury: _Target | None = None, daily_cap: int = 0, rate_limit_rps: int = 0, fallback: int = 402,
    credit_price: int | None = None, epoch_fee: int | None = None, epoch_blocks: int = 86_400, max_epochs: int = 12, enabled: bool = True, auto_refill: int = 0,
) -> None:
    """Replaces the actor's policy. The treasury, the actor unless told, gets what is paid, but for the protocol's 5 %."""
def get_policy(actor: _Target | None = None) -> dict[str, Any]: ...
def deposit_budget(amount: int) -> None: ...
def withdraw_budget(amount: int) -> None: ...
def budget_balance() -> int: ...
def pass_balance(holder: _Target) -> int: ...
def subscribed(holder: _Target) -> bool: ...
def payer(request: Mapping[str, Any]) -> Address | None:
    """Who paid for a request, by the word of the gateway that brought it; None for one that cost nothing, or that the actor paid for."""
def status(request: Mapping[str, Any]) -> str | None:
    """What the chain knows of a request's payment: verified, settled or expired."""
def call(target: Address | bytes, method: str, payload: Any = None, cycles_limit: int = 100_000, value: int = 0) -> Any: ...
def get_actor_address() -> bytes: ...
