from typing import TypedDict

from .types import Address

class Status(TypedDict):
    paid_through_epoch: int
    balance_epochs: int | None
    state: str
    epoch: int
    epoch_rent: int
    owed: int
    reserve: int

def prepay(epochs: int) -> None: ...
def status() -> Status: ...
def sponsor(actor_address: Address | bytes | str, epochs: int) -> None: ...
def set_quota(quota_bytes: int) -> None: ...
