from typing import Any

def encode(value: Any) -> bytes:
    """Canonical bytes of a value; models and mapping types become maps, sets arrays in their order."""

def decode(data: bytes) -> Any:
    """The value of canonical bytes. Arrays become lists."""
