from typing import Any

from .types import Address

_Target = Address | bytes | str

def reset() -> None:
    """Forgets everything: storage, captured effects, other actors, settings."""

def configure(
    sender: _Target | None = ...,
    block_height: int | None = None,
    timestamp_ms: int | None = None,
    chain_id: int | None = None,
    balance: int | None = None,
    mode: str | None = None,
    open_handlers: bool | None = None,
    value: int | None = None,
) -> None:
    """Says where the actor is: who calls, the block, its own coins, the mode, whether handlers without a permission are open, the coins that come with the
    calls."""

def self_address() -> Address: ...
def set_sender(who: _Target | None) -> None: ...
def set_block_height(height: int) -> None: ...
def set_balance(address: _Target, amount: int) -> None: ...
def add_actor(address: _Target, **returns: Any) -> Address:
    """Makes an address an actor whose handlers give these values; an exception is raised, a function is called."""

def get_state() -> dict[str | bytes, Any]: ...
def get_captured_events() -> list[tuple[str, Any]]: ...
def get_captured_messages() -> list[tuple[Address, Any]]: ...
def get_captured_values() -> list[int]: ...
def get_captured_jobs() -> list[Any]: ...
def get_captured_timers() -> list[tuple[int, str, Any]]: ...
