from typing import Any, Callable, Iterable

class Pays:
    """Who pays for a request."""

    ACTOR: str
    CALLER: str

VERBS: tuple[str, ...]

_Handler = Callable[[Any, Any], Any]
_Route = dict[str, Any]

def route(
    path: str, verb: str = "ANY", *, pays: str = "actor", price: int = 0, priority: int = 0, enabled: bool = True
) -> Callable[[_Handler], Callable[..., Any]]:
    """Answers requests of a verb for a path; {name} in it stands for one part, *name at its end for the rest."""

def get(path: str, *, pays: str = "actor", price: int = 0, priority: int = 0, enabled: bool = True) -> Callable[[_Handler], Callable[..., Any]]: ...
def head(path: str, *, pays: str = "actor", price: int = 0, priority: int = 0, enabled: bool = True) -> Callable[[_Handler], Callable[..., Any]]: ...
def post(path: str, *, pays: str = "actor", price: int = 0, priority: int = 0, enabled: bool = True) -> Callable[[_Handler], Callable[..., Any]]: ...
def put(path: str, *, pays: str = "actor", price: int = 0, priority: int = 0, enabled: bool = True) -> Callable[[_Handler], Callable[..., Any]]: ...
def patch(path: str, *, pays: str = "actor", price: int = 0, priority: int = 0, enabled: bool = True) -> Callable[[_Handler], Callable[..., Any]]: ...
def delete(path: str, *, pays: str = "actor", price: int = 0, priority: int = 0, enabled: bool = True) -> Callable[[_Handler], Callable[..., Any]]: ...
def mount(
    path: str, volume: str, *, prefix: str = "", fallback: str | None = None, fallback_status: int = 200, priority: int = 0, enabled: bool = True
) -> None:
    """Serves the files of a volume under a path."""

def declared() -> list[_Route]:
    """The routes this module declares."""

def table() -> list[_Route]:
    """The table gateways read now."""

def publish(routes: Iterable[_Route] | None = None) -> None:
    """Writes the table: the routes given, or those the module declares, as after an upgrade."""

def enable(path: str, verb: str = "ANY", enabled: bool = True) -> int:
    """Turns the routes of a path and verb on, or off; gives how many there are."""

def disable(path: str, verb: str = "ANY") -> int:
    """Turns the routes of a path and verb off."""

def resolve(verb: str, path: str, routes: Iterable[_Route] | None = None) -> tuple[_Route, dict[str, str]] | None:
    """The route that answers a request and its path parameters, or None."""
