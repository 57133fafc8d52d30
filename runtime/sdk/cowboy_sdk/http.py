"""Handlers of HTTP requests, which arrive through the gateway as envelopes.

An envelope is a map with method, path, path_params, query, headers, body, host and request_id; the answer is a Response, or a map with
status, headers and body. GET and HEAD run read-only and without a sender; other methods come in a transaction of the gateway registry.
"""

from cowboy_sdk.errors import PermissionDeniedError
from cowboy_sdk.types import Address

import pvm_host as _host

GATEWAY_REGISTRY = Address((0x0F).to_bytes(20, "big"))


def Response(status=200, body=b"", headers=None):
    """An answer as the gateway takes it. body is bytes, text, or anything else as canonical JSON."""
    import json

    kind = None
    if isinstance(body, str):
        body, kind = body.encode(), "text/plain; charset=utf-8"
    elif not isinstance(body, (bytes, bytearray)):
        body, kind = json.dumps(body).encode(), "application/json"
    listed = {name: [value] if isinstance(value, str) else list(value) for name, value in (headers or {}).items()}
    if kind is not None and "content-type" not in [name.lower() for name in listed]:
        listed["content-type"] = [kind]
    return {"status": status, "headers": listed, "body": bytes(body)}


def handler(function):
    """Admits the gateway and read-only requests, and nobody else."""

    def guarded(self, request):
        sender = _host.get_sender()
        if sender is not None and sender != GATEWAY_REGISTRY and not _host.is_intra():
            raise PermissionDeniedError("requests come through the gateway")
        return function(self, request)

    guarded.__name__ = function.__name__
    guarded.__qualname__ = function.__qualname__
    guarded.__doc__ = function.__doc__
    guarded.__wrapped__ = function
    guarded.__cowboy_access__ = ("public",)
    return guarded


def command(path):
    """A handler for one path: a request for another one is answered with 404. The last part of the path may be {name}, which becomes the handler's
    entry in request["path_params"]."""
    parts = path.strip("/").split("/")

    def decorate(function):
        def routed(self, request):
            given = request["path"].strip("/").split("/")
            params = dict(request.get("path_params") or {})
            if len(given) != len(parts):
                return Response(404, "no such path")
            for want, have in zip(parts, given):
                if want.startswith("{") and want.endswith("}"):
                    params[want[1:-1]] = have
                elif want != have:
                    return Response(404, "no such path")
            request = dict(request)
            request["path_params"] = params
            return function(self, request)

        routed.__name__ = function.__name__
        routed.__qualname__ = function.__qualname__
        routed.__doc__ = function.__doc__
        routed.__wrapped__ = function
        return handler(routed)

    return decorate
