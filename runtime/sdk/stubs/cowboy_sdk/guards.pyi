from typing import Any, Callable, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

def reentrancy_guard(method: _F) -> _F:
    """Refuses to enter the method while it runs anywhere in the current call tree."""

class GuardedValue:
    """A storage value as it was when the guard was made; reading it raises if it has changed since."""

    key: str
    fingerprint: bytes
    def __init__(self, key: str, fingerprint: bytes | None = None) -> None: ...
    @property
    def value(self) -> Any: ...
    def verify(self, fingerprint: bytes | None = None) -> None: ...

def storage_guard(key: str) -> GuardedValue: ...

class GuardSet:
    """Several guarded values that are verified together."""

    keys: tuple[str, ...]
    def __init__(self, *keys: str) -> None: ...
    def verify(self) -> None: ...
    def fingerprints(self) -> dict[str, bytes]: ...
