from typing import Any, Callable, Iterable, Iterator, Mapping, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

CONTINUATION_MAX_SIZE: int
CONTINUATION_MAX_COUNT: int

class Capture:
    """Attributes set on it survive an await."""

    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

def capture() -> Capture: ...
def bounded_loop(function: _F | None = None, *, max_iterations: int) -> Callable[[_F], _F]:
    """Bounds the loops of an async function inside a continuation, or the BoundedRange of a plain function."""

class BoundedRange:
    """range(...), or the elements of one iterable, that refuses to have more than max_iterations elements."""

    def __init__(self, *args: Any, max_iterations: int | None = None) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...

def check_iteration(count: int, max_iterations: int) -> int: ...

class Continuation:
    """A saved record."""

    state: int
    ctx: Capture
    handler: str
    created_block: int
    timeout_block: int
    guards: dict[str, bytes]

def new_cid(actor: Any, name: str) -> str: ...
def save_cont(
    cid: str,
    state: int,
    ctx: Capture | Mapping[str, Any],
    handler: str,
    timeout_blocks: int = 0,
    guard_keys: Iterable[str] | None = None,
) -> None: ...
def load_cont(cid: str) -> Continuation: ...
def delete_cont(cid: str) -> None: ...
