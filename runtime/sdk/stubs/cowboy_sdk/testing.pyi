from types import ModuleType, TracebackType
from typing import Any, Callable, Generic, Iterable, Iterator, Literal, Mapping, Sequence, TypeVar

from .errors import DeterminismError as DeterminismError
from .types import Address

_E = TypeVar("_E", bound=BaseException)
_Who = str | Address | bytes
_Payload = bytes | bytearray | str | dict[str, Any] | list[Any] | int | float | bool | None
_Source = type | ModuleType | str
_Manifest = str | bytes | list[dict[str, Any]] | None

CBY: int
LOST: object

class TransactionFailed(Exception):
    """A handler failed with what no exception class of this test stands for."""

    receipt: Receipt
    code: int
    text: str

class Value(bytes):
    """Bytes of the chain: equal to the same bytes, to the text they are in UTF-8, and to the value whose canonical CBOR they are."""

    @property
    def value(self) -> Any: ...
    def text(self) -> str: ...
    def json(self) -> Any: ...

class Event:
    """An event an actor emitted."""

    actor: Address
    name: str
    data: bytes
    height: int
    payload: Any
    def __iter__(self) -> Iterator[Any]: ...

class Receipt:
    """What became of a transaction, message, timer or deferred call. traceback says where a failed one failed, in actors it called too."""

    kind: str
    ok: bool
    data: Value
    code: int
    text: str
    value: int
    cycles: int
    cells: int
    height: int
    target: Address
    events: list[Event]
    traceback: str

class Response:
    """What a request was answered with."""

    status: int
    headers: dict[str, str]
    body: Value
    def json(self) -> Any: ...

class State:
    """An actor's storage by key. state[key] is a Value, or None; keys are str where they are text."""

    def __getitem__(self, key: str | bytes) -> Value | None: ...
    def __contains__(self, key: str | bytes) -> bool: ...
    def get(self, key: str | bytes, default: Any = None) -> Any: ...
    def raw(self) -> dict[bytes, bytes]: ...
    def keys(self) -> list[str | bytes]: ...
    def items(self) -> list[tuple[str | bytes, Value]]: ...
    def __iter__(self) -> Iterator[str | bytes]: ...
    def __len__(self) -> int: ...

class Actor:
    """A deployed actor: call its handlers, look at its storage and events."""

    address: Address
    state: State
    def call(self, handler: str, payload: _Payload = b"", sender: _Who | None = None, value: int = 0) -> Value:
        """Calls a handler in a transaction of its own block, with value coins, in base units; a failure is raised as the exception the handler raised."""

    def try_call(self, handler: str, payload: _Payload = b"", sender: _Who | None = None, value: int = 0) -> Receipt:
        """As call, and gives the Receipt whatever became of it."""

    def send(self, handler: str, payload: _Payload = b"", sender: _Who | None = None, value: int = 0) -> None:
        """Puts a call into the next block, which the next call or advance_block makes."""
    def query(self, handler: str, payload: _Payload = b"", sender: _Who | None = None) -> Value:
        """Runs a handler read-only on the state as it is; every mutation fails."""

    def request(
        self,
        method: str,
        path: str,
        body: Any = b"",
        request_id: str = "request",
        query: Mapping[str, str | Sequence[str]] | None = None,
        headers: Mapping[str, str] | None = None,
        handler: str = "http.request",
    ) -> Response:
        """An HTTP request through the gateway: GET and HEAD as a query, anything else as a message."""

    def assert_state(self, key: str | bytes, raw: Any) -> None:
        """Asserts that the entry under key is these bytes, or the encoding of this value; None asserts that it is absent."""

    @property
    def events(self) -> list[Event]: ...
    def events_named(self, name: str) -> list[Any]: ...
    def fund(self, amount: int) -> None: ...
    @property
    def balance(self) -> int: ...

class Snapshot(dict[str | bytes, Value]): ...

class SimulatedChain(Actor):
    """A chain with one actor deployed on it, and room for more."""

    last: Receipt
    def __init__(
        self,
        actor: _Source,
        init_payload: _Payload = b"{}",
        init: bool | str = True,
        sender: _Who = "alice",
        balance: int | None = ...,
        jobs: Callable[[Any], Any] | None = None,
        manifest: _Manifest = None,
    ) -> None: ...
    def deploy(
        self, actor: _Source, init_payload: _Payload = b"{}", init: bool | str = True, balance: int | None = ..., manifest: _Manifest = None
    ) -> Actor: ...
    def upgrade(self, actor: Actor, new: _Source, manifest: _Manifest = None) -> None: ...
    @property
    def system_deployer(self) -> Address: ...
    def account(self, who: _Who) -> Address: ...
    @property
    def sender(self) -> Address: ...
    def set_sender(self, who: _Who) -> None: ...
    @property
    def block_height(self) -> int: ...
    def set_block_height(self, height: int) -> list[Receipt]: ...
    def balance_of(self, who: _Who) -> int: ...
    def advance_block(self, blocks: int = 1) -> list[Receipt]:
        """Makes blocks; messages are delivered and due timers fire. Gives the receipts of all they did."""

    def snapshot(self) -> Snapshot: ...
    def revert(self, snapshot: Snapshot) -> None: ...
    def set_jobs(self, answer: Callable[[Any], Any]) -> None:
        """Gives the chain runners: answer(job) gives the job's result; raise JobFailed, or return LOST or Late(result, blocks)."""

    def mock(self, calls: CallMock) -> Actor: ...
    def check_determinism(self, handler: str, payload: _Payload = b"", times: int = 2) -> Receipt: ...

def check_determinism(actor: _Source, calls: Iterable[str | tuple[str, Any]], **options: Any) -> SimulatedChain: ...

class JobFailed(Exception):
    """Raised by a job's answer: the job fails."""

    kind: str
    def __init__(self, message: str = "the job failed", kind: str = "failed") -> None: ...

class Late:
    """An answer that comes a number of blocks later than it could."""

    result: Any
    blocks: int
    def __init__(self, result: Any, blocks: int) -> None: ...

class CallMock:
    """An actor that answers calls with fixed values and remembers them."""

    def __init__(self, returns: dict[str, Any] | None = None, **more: Any) -> None: ...
    def returns(self, method: str, value: Any) -> CallMock: ...
    @property
    def calls(self) -> list[tuple[str, Any]]: ...
    @property
    def callers(self) -> list[Address]: ...

class raises(Generic[_E]):
    """with raises(ValueError, match="text") as caught: the block has to raise it; caught.value is the exception."""

    value: _E
    def __init__(self, kind: type[_E] | tuple[type[_E], ...], match: str | None = None) -> None: ...
    def __enter__(self) -> raises[_E]: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> Literal[True]: ...
