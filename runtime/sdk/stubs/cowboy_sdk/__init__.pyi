from typing import Any, Callable, Iterable, Mapping, Sequence, TypeVar, overload

from . import (
    blobs as blobs,
    codec as codec,
    collections as collections,
    http as http,
    pvm_random as pvm_random,
    pvm_sys as pvm_sys,
    pvm_time as pvm_time,
    rent as rent,
    routes as routes,
    runner as runner,
    runtime as runtime,
    secrets as secrets,
    vrf as vrf,
)
from ._storage import Storage as Storage
from .continuation import (
    BoundedRange as BoundedRange,
    Capture as Capture,
    bounded_loop as bounded_loop,
    capture as capture,
    check_iteration as check_iteration,
    delete_cont as delete_cont,
    load_cont as load_cont,
    new_cid as new_cid,
    save_cont as save_cont,
)
from .errors import (
    ActorCallError as ActorCallError,
    ActorNotFoundError as ActorNotFoundError,
    AddressError as AddressError,
    CallDepthExceeded as CallDepthExceeded,
    CaptureTypeError as CaptureTypeError,
    CodecError as CodecError,
    ContinuationCorruptedError as ContinuationCorruptedError,
    ContinuationCountLimitError as ContinuationCountLimitError,
    ContinuationLimitError as ContinuationLimitError,
    ContinuationNotFoundError as ContinuationNotFoundError,
    ContinuationSizeLimitError as ContinuationSizeLimitError,
    CowboyError as CowboyError,
    CycleLimitExceeded as CycleLimitExceeded,
    DeterminismError as DeterminismError,
    DeterministicValidationError as DeterministicValidationError,
    LoopBoundExceeded as LoopBoundExceeded,
    EntitlementQuotaError as EntitlementQuotaError,
    MissingEntitlementError as MissingEntitlementError,
    PermissionDeniedError as PermissionDeniedError,
    PurityViolationError as PurityViolationError,
    ReentrancyError as ReentrancyError,
    RunnerTimeoutError as RunnerTimeoutError,
    RunnerValidationError as RunnerValidationError,
    SecretsNotApplicableHere as SecretsNotApplicableHere,
    StateConflictError as StateConflictError,
)
from .guards import (
    GuardedValue as GuardedValue,
    GuardSet as GuardSet,
    reentrancy_guard as reentrancy_guard,
    storage_guard as storage_guard,
)
from .models import CowboyModel as CowboyModel
from .routes import Pays as Pays, mount as mount
from .runtime import (
    cancel_timer as cancel_timer,
    current_block as current_block,
    set_interval as set_interval,
    set_timer as set_timer,
)
from .taskgroup import TaskGroup as TaskGroup
from .types import (
    RUNNER as RUNNER,
    Address as Address,
    BlockHeight as BlockHeight,
    SoftFloat as SoftFloat,
    derive_actor_address as derive_actor_address,
    ordered_set as ordered_set,
)
from .verification import Retry as Retry, Verify as Verify, VerifyBuilder as VerifyBuilder

_C = TypeVar("_C", bound=type)
_F = TypeVar("_F", bound=Callable[..., Any])

OWNER: str
SELF: str
storage: Storage

def public(handler: _F) -> _F:
    """Anyone may call the handler."""

def callable_by(*who: Address | bytes | str) -> Callable[[_F], _F]:
    """Only the given addresses, OWNER or SELF may call the handler."""

def pure(handler: _F) -> _F:
    """The handler sends nothing, schedules nothing and submits nothing."""

def deferred(handler: _F) -> _F:
    """The handler may send messages, schedule timers and submit jobs."""

class _Actor:
    def __call__(self, cls: _C) -> _C: ...
    @overload
    def continuation(self, handler: _F) -> _F: ...
    @overload
    def continuation(
        self,
        handler: None = None,
        *,
        timeout_blocks: int = 0,
        guard_unchanged: Iterable[str] | None = None,
        guard_keys: Iterable[str] | None = None,
    ) -> Callable[[_F], _F]:
        """An async method that can await jobs and other actors' handlers across blocks."""

    def handler(self, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Answers to name, which need not be an identifier."""

actor: _Actor

def call(
    target: Address | bytes,
    method: str,
    args: Mapping[str, Any] | Sequence[Any] | None = None,
    cycles_limit: int = 100_000,
    *,
    value: int = 0,
) -> Any:
    """Runs a handler of another actor now, in this transaction, and gives its value. value coins, in base units, are the callee's unless it raises."""

def send(target: Address | bytes, payload: Any = None, *, raw: bool = False, value: int = 0) -> Any:
    """Leaves a message that is delivered at the start of the next block, if this handler returns. value coins, in base units, leave with it; they come
    back if the target's handler fails."""

class ActorRef:
    """Another actor. ref.method(...) calls it now; await ref.async_method(...), in @actor.continuation, across blocks."""

    def __init__(self, address: Address | bytes, cycles_limit: int = 100_000) -> None: ...
    def __getattr__(self, name: str) -> Callable[..., Any]: ...

class call_builder:
    """call_builder(target).method(name).args(...).cycles(n).execute(), the same as call()."""

    def __init__(self, target: Address | bytes) -> None: ...
    def method(self, name: str) -> call_builder: ...
    def args(self, *positions: Any, **keywords: Any) -> call_builder: ...
    def cycles(self, limit: int) -> call_builder: ...
    def value(self, amount: int) -> call_builder: ...
    def execute(self) -> Any: ...

def generate_id() -> str:
    """A hex text that no other call gives."""
