"""Handlers of HTTP requests, which arrive through the gateway as envelopes.

An envelope is a map with method, path, path_params, query, headers, body, host and request_id; the answer is a Response, or what respond() makes
one of. GET and HEAD run read-only and without a sender; other methods come in a transaction of the gateway registry, and their
answer is kept under _http/results/<request_id>, where the gateway looks for it, for RESULT_TTL_BLOCKS.

A method takes (self, request), a function of the module (ctx, request), and is then called by its name or as "http.request".
"""

import pvm_host as _host
from cowboy_sdk import _handlers
from cowboy_sdk._context import Context, decoded
from cowboy_sdk.errors import PermissionDeniedError
from cowboy_sdk.types import Address

GATEWAY_REGISTRY = Address((0x0F).to_bytes(20, "big"))
RESULT_TTL_BLOCKS = 3_600

_READS = ("GET", "HEAD")


def Response(status=200, body=b"", headers=None, private=False):
    """An answer as the gateway takes it. body is bytes, text, or anything else as canonical JSON. Gateways show a private one to who asked alone."""
    import json

    kind = None
    if body is None:
        body = b""
    if isinstance(body, str):
        body, kind = body.encode(), "text/plain; charset=utf-8"
    elif not isinstance(body, (bytes, bytearray)):
        body, kind = json.dumps(body).encode(), "application/json"
    listed = {name: [value] if isinstance(value, str) else list(value) for name, value in (headers or {}).items()}
    if kind is not None and "content-type" not in [name.lower() for name in listed]:
        listed["content-type"] = [kind]
    response = {"status": status, "headers": listed, "body": bytes(body)}
    if private:
        response["private"] = True
    return response


def respond(value):
    """The Response a handler's value stands for: a map with status is one, None is 204 or for a continuation 202, anything else a body of 200."""
    if isinstance(value, dict) and "status" in value:
        return Response(value["status"], value.get("body", b""), value.get("headers"), value.get("private", False))
    return Response(204) if value is None else Response(200, value)


def handler(function):
    """Admits the gateway, read-only requests and the actor itself, and nobody else. Where a module has one such handler that has no path of its own, it
    answers the requests that no route and no command fits."""
    _plain.append(function.__name__)
    return _guarded(function)


def _guarded(function):
    """The handler with the check of who asks, and with its answer kept."""
    if "." not in function.__qualname__:
        return _function(function)
    _handlers.register("http.request", _dispatch)

    def guarded(self, request):
        request = _admitted(request)
        return _kept(request, function(self, request), function)

    _dress(guarded, function)
    guarded.__wrapped__ = function
    guarded.__cowboy_access__ = ("public",)
    return guarded


def command(path, result_ttl_blocks=RESULT_TTL_BLOCKS):
    """A handler for one path: a request for another one is answered with 404. A part of the path may be {name}, which becomes the handler's entry
    in request["path_params"], and the last one *name, which takes the rest."""

    def decorate(function):
        def routed(first, request):
            params = match(path, request["path"])
            if params is None:
                return Response(404, "no such path")
            params.update(request.get("path_params") or {})
            request["path_params"] = params
            return function(first, request)

        _dress(routed, function)
        routed.__wrapped__ = function
        routed.__cowboy_ttl__ = result_ttl_blocks
        _commands.append((path, function.__name__))
        return _guarded(routed)

    return decorate


def complete(request_id, response, ttl_blocks=RESULT_TTL_BLOCKS):
    """Keeps the answer of a request, for one that was answered with 202 first; after ttl_blocks a timer of the actor's removes it (0: never)."""
    from cowboy_sdk import codec

    key = "_http/results/" + request_id
    _host.set_state(key, codec.encode(respond(response)))
    if ttl_blocks and _host.handler_mode() == "deferred":
        _host.set_timer(_host.get_block_height() + ttl_blocks, "http.expire", {"key": key})


def match(pattern, path):
    """The parameters of a path that fits a pattern, None if it does not fit."""
    wanted, given = _parts(pattern), _parts(path)
    params = {}
    for i, want in enumerate(wanted):
        if want.startswith("*"):
            if want != "*":
                params[want[1:]] = "/".join(given[i:])
            return params
        if i >= len(given):
            return None
        if want.startswith("{") and want.endswith("}"):
            params[want[1:-1]] = given[i]
        elif want != given[i]:
            return None
    return params if len(given) == len(wanted) else None


# ---- what decorators are made of

_commands = []
_plain = []
_tables = []


def _parts(path):
    stripped = path.strip("/")
    return stripped.split("/") if stripped else []


def _dress(guarded, function):
    guarded.__name__ = function.__name__
    guarded.__qualname__ = function.__qualname__
    guarded.__doc__ = function.__doc__
    guarded.__cowboy_mode__ = getattr(function, "__cowboy_mode__", "deferred")
    guarded.__cowboy_request__ = True


def _admitted(request):
    """The request as a map, if its sender may make requests."""
    sender = _host.get_sender()
    if sender is not None and sender != GATEWAY_REGISTRY and not _host.is_intra():
        raise PermissionDeniedError("requests come through the gateway")
    request = decoded(request)
    if not isinstance(request, dict) or "path" not in request:
        raise ValueError("not the envelope of a request")
    return request


def _kept(request, value, function):
    """The response, kept where the gateway looks for what a command answered."""
    if value is None and _tag(function, "__cowboy_continuation__"):
        return Response(202)
    response = respond(value)
    if _host.get_sender() == GATEWAY_REGISTRY and request.get("method") not in _READS and response["status"] != 202:
        name = request.get("request_id")
        if name:
            ttl = _tag(function, "__cowboy_ttl__")
            complete(name, response, RESULT_TTL_BLOCKS if ttl is None else ttl)
    return response


def _tag(function, name):
    for _ in range(8):
        value = getattr(function, name, None)
        if value is not None:
            return value
        function = getattr(function, "__wrapped__", None)
        if function is None:
            break
    return None


def _function(function):
    """A handler that is a function of the module, under its own name."""

    def guarded(request):
        request = _admitted(request)
        return _kept(request, function(Context(), request), function)

    _dress(guarded, function)
    _functions[function.__name__] = guarded
    _handlers.register(function.__name__, guarded)
    _handlers.register("http.request", _dispatch)
    return guarded


_functions = {}


def _dispatch(payload):
    """Answers a request that names no handler: by the routes, else by the commands, else by the only handler without a path."""
    request = _admitted(payload)
    for by_table in _tables:
        response = by_table(request)
        if response is not None:
            return response
    for path, name in _commands:
        if match(path, request["path"]) is not None:
            return _named(name)(request)
    if len(_plain) == 1:
        return _named(_plain[0])(request)
    return Response(404, "no such path")


def _named(name):
    """The handler of a name: a function of the module, or else a method of its actor."""
    function = _functions.get(name)
    if function is not None:
        return function
    from cowboy_sdk._actor import actor

    return getattr(actor._registered(), name)


def _expire(msg):
    """Removes an answer that was kept long enough."""
    if not _host.is_intra():
        raise PermissionDeniedError("answers expire by the actor's own timer")
    _host.delete_state(msg["key"])


_dispatch.__cowboy_mode__ = "deferred"
_handlers.register("http.expire", _expire)
