from typing import Any, Awaitable, Callable, Generic, Iterable, Mapping, TypeVar, overload

from .models import CowboyModel
from .types import Address
from .verification import Retry, VerifyBuilder

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T", covariant=True)
_M = TypeVar("_M", bound=CowboyModel)
_Verification = str | VerifyBuilder | Mapping[str, Any]
_Secret = str | tuple[str, Mapping[str, Any]]

@overload
def continuation(handler: _F) -> _F: ...
@overload
def continuation(
    handler: None = None,
    *,
    timeout_blocks: int = 0,
    guard_unchanged: Iterable[str] | None = None,
    guard_keys: Iterable[str] | None = None,
) -> Callable[[_F], _F]:
    """An async method that can await jobs across blocks."""

class Text(str):
    """A model's answer as text."""

    output: str
    context: Any
    proof: Any

class Job(Awaitable[_T], Generic[_T]):
    """A job for the runners that has not been submitted yet."""

    job_type: str

@overload
def llm(
    prompt: str,
    *,
    response_model: type[_M],
    system_prompt: str | None = None,
    max_tokens: int | None = None,
    temperature: float | None = None,
    model: str | None = None,
    tools: Any = None,
    verification: _Verification | None = None,
    verify: _Verification | None = None,
    timeout_blocks: int | None = None,
    retry_policy: Retry | None = None,
    tee_required: bool = False,
    secrets: Iterable[_Secret] | None = None,
    context: Any = None,
) -> Job[_M]: ...
@overload
def llm(
    prompt: str,
    *,
    system_prompt: str | None = None,
    max_tokens: int | None = None,
    temperature: float | None = None,
    model: str | None = None,
    tools: Any = None,
    verification: _Verification | None = None,
    verify: _Verification | None = None,
    timeout_blocks: int | None = None,
    retry_policy: Retry | None = None,
    tee_required: bool = False,
    secrets: Iterable[_Secret] | None = None,
    context: Any = None,
) -> Job[Text]:
    """Asks a language model."""

def http(
    url: str,
    method: str = "GET",
    *,
    headers: Mapping[str, str] | None = None,
    body: Any = None,
    response_model: type[CowboyModel] | None = None,
    verification: _Verification | None = None,
    verify: _Verification | None = None,
    timeout_blocks: int | None = None,
    retry_policy: Retry | None = None,
    tee_required: bool = False,
    secrets: Iterable[_Secret] | None = None,
    context: Any = None,
) -> Job[Any]:
    """Fetches a URL."""

def mcp(server: str, tool: str, args: Mapping[str, Any] | None = None, **keywords: Any) -> Job[Any]:
    """Calls a tool of an MCP server."""

def handle_runner_result(actor: Any, msg: Any) -> Any:
    """Passes a result on to the handler that its reply_handler names."""
