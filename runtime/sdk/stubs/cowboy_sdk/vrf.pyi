from typing import Sequence, TypeVar

_T = TypeVar("_T")

def randomness(domain: bytes | str) -> bytes:
    """32 bytes; the same domain in the same block gives the same bytes to everybody."""

def randint(domain: bytes | str, low: int, high: int) -> int:
    """An integer from low to high, both included, without bias."""

def choice(domain: bytes | str, items: Sequence[_T]) -> _T:
    """One element of a sequence."""
