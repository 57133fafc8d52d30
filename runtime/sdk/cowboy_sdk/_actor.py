"""@actor, who may call a handler, and what a handler may do."""

import pvm_host as _host
from cowboy_sdk._mapping import Mapping as _Mapping
from cowboy_sdk._storage import storage as _storage

OWNER = "owner"
SELF = "self"


def public(handler):
    """Anyone may call the handler."""
    return _tag(handler, ("public",))


def callable_by(*who):
    """Only the given addresses, OWNER or SELF may call the handler."""
    tags = []
    for one in who:
        if one == OWNER or one == SELF:
            tags.append(one)
        else:
            tags.append(_address(one))
    if not tags:
        raise TypeError("callable_by needs at least one address, OWNER or SELF")

    def decorate(handler):
        return _tag(handler, tuple(tags))

    return decorate


def pure(handler):
    """The handler sends nothing, schedules nothing and submits nothing."""
    handler.__cowboy_mode__ = "pure"
    return handler


def deferred(handler):
    """The handler may send messages, schedule timers and submit jobs."""
    handler.__cowboy_mode__ = "deferred"
    return handler


def _tag(handler, tags):
    handler.__cowboy_access__ = getattr(handler, "__cowboy_access__", ()) + tags
    return handler


def _address(value):
    if isinstance(value, (bytes, bytearray)):
        raw = bytes(value)
    elif isinstance(value, str):
        raw = bytes.fromhex(value[2:] if value[:2] in ("0x", "0X") else value)
    else:
        raise TypeError("callable_by takes addresses, OWNER or SELF")
    if len(raw) != 20:
        raise ValueError("an address has 20 bytes")
    return raw


def _tags(handler):
    """The access tags of a handler or of the function other decorators wrapped."""
    for _ in range(8):
        tags = getattr(handler, "__cowboy_access__", None)
        if tags is not None:
            return tags
        handler = getattr(handler, "__wrapped__", None)
        if handler is None:
            break
    return ()


def _guard(handler):
    """Repeats the permission rule for calls the actor's own code makes through self."""
    tags = _tags(handler)

    def guarded(self, *args, **kwargs):
        _host.check_access(tags)
        return handler(self, *args, **kwargs)

    guarded.__name__ = handler.__name__
    guarded.__qualname__ = handler.__qualname__
    guarded.__doc__ = handler.__doc__
    guarded.__wrapped__ = handler
    return guarded


def _own_address(self):
    from cowboy_sdk.types import Address

    return Address(_host.get_actor_address())


def _function():
    pass


_FUNCTION = type(_function)


class _Actor:
    """`actor` decorates a class, and is also where names such as actor.continuation live."""

    def __call__(self, cls):
        cls.storage = _storage
        cls.address = property(_own_address)
        if _host.module_form()["permissions"]:
            for name, value in list(vars(cls).items()):
                if isinstance(value, _FUNCTION) and not getattr(value, "__cowboy_internal__", False):
                    if not name.startswith("_") or _tags(value):
                        setattr(cls, name, _guard(value))
        _host.register_actor(cls)
        self._registered = cls
        return cls

    def handler(self, name):
        """Answers to name, which need not be an identifier: "http.request". A function of the module is called with a Context and the payload, decoded
        if it is a map; a method with the payload alone."""

        def decorate(function):
            if "." in function.__qualname__:
                from cowboy_sdk import _handlers

                _handlers.register(name, function.__name__)
                return function
            from cowboy_sdk._context import register

            return register(name, function)

        return decorate

    def continuation(self, handler=None, *, timeout_blocks=0, guard_unchanged=None, guard_keys=None):
        """As runner.continuation, and the method may also await ActorRef(...).async_<method>(...)."""
        from cowboy_sdk import _continuation

        return _continuation.decorate(handler, timeout_blocks, guard_unchanged, guard_keys, True)


actor = _Actor()
_host.register_mapping(_Mapping)
