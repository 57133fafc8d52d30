"""Handlers under names that need not be identifiers, such as "http.request"."""

import pvm_host as _host

_table = {}


def register(name, handler):
    """Makes a function, or the method that is named, answer to a name."""
    if not isinstance(name, str) or not name or name.startswith("_") or len(name.encode()) > 256:
        raise ValueError(repr(name) + " cannot be a handler's name")
    _table[name] = handler


_host.register_handlers(_table)
