from typing import Any, Callable, Mapping

from .types import Address

GATEWAY_REGISTRY: Address
RESULT_TTL_BLOCKS: int

def Response(status: int = 200, body: Any = b"", headers: Mapping[str, str | list[str]] | None = None, private: bool = False) -> dict[str, Any]:
    """An answer as the gateway takes it."""

def respond(value: Any) -> dict[str, Any]:
    """The Response a handler's value stands for."""

def handler(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Admits the gateway, read-only requests and the actor itself, and nobody else."""

def command(path: str, result_ttl_blocks: int = 3600) -> Callable[[Callable[[Any, Any], Any]], Callable[..., Any]]:
    """A handler for one path."""

def complete(request_id: str, response: Any, ttl_blocks: int = 3600) -> None:
    """Keeps the answer of a request that was answered with 202 first."""

def match(pattern: str, path: str) -> dict[str, str] | None:
    """The parameters of a path that fits a pattern, None if it does not fit."""
