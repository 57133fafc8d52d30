from typing import Any, Callable, Mapping

from .types import Address

GATEWAY_REGISTRY: Address

def Response(status: int = 200, body: Any = b"", headers: Mapping[str, str | list[str]] | None = None) -> dict[str, Any]:
    """An answer as the gateway takes it."""

def handler(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Admits the gateway and read-only requests, and nobody else."""

def command(path: str) -> Callable[[Callable[[Any, Any], Any]], Callable[[Any, Any], Any]]:
    """A handler for one path."""
