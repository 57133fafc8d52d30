from typing import Any, TypeVar, overload

_T = TypeVar("_T")

def encode(value: Any) -> bytes:
    """Canonical bytes of a value; models and mapping types become maps, sets arrays in their order."""

@overload
def decode(data: bytes, kind: None = None) -> Any:
    """The value of canonical bytes. Arrays become lists."""
@overload
def decode(data: bytes, kind: type[_T]) -> _T:
    """What a class makes of the value of canonical bytes, by __cowboy_deserialize__ or as a model."""
