"""Routes: which requests an actor answers, by verb and path, as a table that gateways read.

    @actor
    class Shop:
        @routes.get("/items/{id}")
        def item(self, request):
            return {"id": request.path_params["id"]}

        @routes.post("/orders", pays=Pays.CALLER, price=500)
        def order(self, request): ...

    mount("/static", "site", fallback="index.html")

The table is written when the actor is deployed. A gateway looks a request up in it and calls the handler the route names, or serves the file
of the volume; what asks for "http.request" is looked up here, in the same way. The handler of a route admits who http.handler admits.

Of the routes that fit, the one with the highest priority wins, then the one whose path begins with the longest text without parameters, then
a verb of its own before ANY, then a handler before a volume. A route for
GET takes HEAD too.
"""

import pvm_host as _host
from cowboy_sdk import _handlers
from cowboy_sdk import http as _http


class Pays:
    """Who pays for a request: the actor, or the caller, who has to show a payment of the route's price to the gateway."""

    ACTOR = "actor"
    CALLER = "caller"


VERBS = ("ANY", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")

_declared = []


def route(path, verb="ANY", *, pays=Pays.ACTOR, price=0, priority=0, enabled=True):
    """Answers requests of a verb for a path; {name} in it stands for one part, *name at its end for the rest."""
    verb = verb.upper()
    if verb not in VERBS:
        raise ValueError("no such verb: " + verb)

    def decorate(function):
        if not getattr(function, "__cowboy_request__", False):
            function = _http._guarded(function)
        elif function.__name__ in _http._plain:
            _http._plain.remove(function.__name__)  # it has a path now
        _declared.append(_route(verb, path, {"kind": "method", "name": function.__name__}, pays, price, priority, enabled))
        return function

    return decorate


def get(path, **options):
    """Answers GET."""
    return route(path, "GET", **options)


def head(path, **options):
    """Answers HEAD."""
    return route(path, "HEAD", **options)


def post(path, **options):
    """Answers POST."""
    return route(path, "POST", **options)


def put(path, **options):
    """Answers PUT."""
    return route(path, "PUT", **options)


def patch(path, **options):
    """Answers PATCH."""
    return route(path, "PATCH", **options)


def delete(path, **options):
    """Answers DELETE."""
    return route(path, "DELETE", **options)


def mount(path, volume, *, prefix="", fallback=None, fallback_status=200, priority=0, enabled=True):
    """Serves the files of a volume under a path: what follows the path, behind prefix, names the file; fallback is served for one that is missing."""
    target = {"kind": "volume", "name": volume, "strip_prefix": path, "volume_path_prefix": prefix}
    if fallback is not None:
        target["fallback"], target["fallback_status"] = fallback, fallback_status
    _declared.append(_route("ANY", path.rstrip("/") + "/*", target, Pays.ACTOR, 0, priority, enabled))


def declared():
    """The routes this module declares."""
    return [dict(one) for one in _declared]


def table():
    """The table gateways read now."""
    return _host.published_routes()


def publish(routes=None):
    """Writes the table: the routes given, or those the module declares, as after an upgrade."""
    _host.publish_routes(_declared if routes is None else list(routes))


def enable(path, verb="ANY", enabled=True):
    """Turns the routes of a path and verb on, or off, in the table; gives how many there are."""
    changed, found = table(), 0
    for one in changed:
        if one["path"] == path and one["verb"] == verb.upper():
            one["enabled"] = enabled
            found += 1
    if found:
        publish(changed)
    return found


def disable(path, verb="ANY"):
    """Turns the routes of a path and verb off."""
    return enable(path, verb, False)


def resolve(verb, path, routes=None):
    """The route that answers a request and its path parameters, or None. routes are those of the table unless given."""
    best, params, rank = None, None, None
    for one in table() if routes is None else routes:
        own = 2 if one["verb"] == verb else 1 if one["verb"] == "GET" and verb == "HEAD" else 0
        if not one["enabled"] or not own and one["verb"] != "ANY":
            continue
        found = _http.match(one["path"], path)
        if found is None:
            continue
        this = (one["priority"], _literal(one["path"]), own, one["target"]["kind"] == "method")
        if rank is None or this > rank:
            best, params, rank = one, found, this
    return None if best is None else (best, params)


def _route(verb, path, target, pays, price, priority, enabled):
    return {"verb": verb, "path": path, "target": target, "pays": pays, "price": price, "priority": priority, "enabled": bool(enabled)}


def _literal(path):
    """How much of a path stands before its first parameter."""
    ends = [i for i in (path.find("{"), path.find("*")) if i >= 0]
    return min(ends) if ends else len(path)


def _answer(request):
    """The answer to a request that names no handler, None if no route fits."""
    found = resolve(request["method"], request["path"])
    if found is None:
        return None
    chosen, params = found
    if chosen["target"]["kind"] == "volume":
        return _http.Response(404, "the gateway serves this path")
    if chosen["pays"] == Pays.CALLER:
        return _http.Response(402, {"price": chosen["price"]})
    request["path_params"] = params
    return _http._named(chosen["target"]["name"])(request)


_host.register_routes(_declared)
_http._tables.append(_answer)
_handlers.register("http.request", _http._dispatch)
