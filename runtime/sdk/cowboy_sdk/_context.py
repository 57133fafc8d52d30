"""What handlers that are functions of the module get besides the payload: ctx."""

import pvm_host as _host
from cowboy_sdk import _handlers
from cowboy_sdk._mapping import Mapping
from cowboy_sdk._storage import storage

_JOBS = {"llm_inference": "llm", "http_fetch": "http"}


class Context:
    """Who called, where the chain is, and what a handler may do: sender (None in a query), address, block_height, timestamp_ms, tx_hash, storage;
    of a job's answer also callback_context."""

    storage = storage

    def __init__(self, callback_context=None):
        from cowboy_sdk.types import Address

        now = _host.context()
        self.sender = None if now["sender"] is None else Address(now["sender"])
        self.address = Address(now["actor_addr"])
        self.block_height = now["block_height"]
        self.timestamp_ms = now["timestamp_ms"]
        self.tx_hash = now["tx_hash"]
        self.callback_context = callback_context

    def send_message(self, target, handler, args=None):
        """Leaves a message for a handler of another actor: the entries of args and its name."""
        from cowboy_sdk.call import send

        return send(target, dict(args or {}, handler=handler))

    def submit_task(self, task_type, request, callback, callback_context=None):
        """Asks the runners; the answer goes to the handler named callback, with callback_context in its ctx."""
        from cowboy_sdk.call import send
        from cowboy_sdk.types import RUNNER

        send(RUNNER, dict(
            request, job_type=_JOBS.get(task_type, task_type), reply_to=self.address, reply_handler=callback, context=callback_context,
        ))


def decoded(payload):
    """A payload as handlers take it: bytes that hold a map, in CBOR or JSON, become a Mapping."""
    if isinstance(payload, dict):
        return payload if isinstance(payload, Mapping) else Mapping(payload)
    if not isinstance(payload, (bytes, bytearray)) or not payload:
        return payload
    raw = bytes(payload)
    try:
        if raw[0] >> 5 == 5:
            return Mapping(_host.cbor_decode(raw))
        if raw.lstrip()[:1] == b"{":
            import json

            return Mapping(json.loads(raw))
    except (ValueError, _host.HostError):
        pass
    return payload


def arguments(payload):
    """ctx and the payload of a call; of a job's answer the result, a text as a map with output."""
    value = decoded(payload)
    if isinstance(value, dict) and value.get("kind") == "runner_result":
        result = value["result"]
        if isinstance(result, str):
            result = {"output": result}
        return Context(value.get("context")), Mapping(result) if isinstance(result, dict) else result
    return Context(), value


def register(name, function):
    """Makes a function of the module answer to a name, and gives what stands in its place."""

    def handler(payload):
        return function(*arguments(payload))

    handler.__name__ = function.__name__
    handler.__qualname__ = function.__qualname__
    handler.__doc__ = function.__doc__
    for tag in ("__cowboy_access__", "__cowboy_mode__"):
        value = getattr(function, tag, None)
        if value is not None:
            setattr(handler, tag, value)
    _handlers.register(name, handler)
    return handler
