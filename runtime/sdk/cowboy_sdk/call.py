"""call() and send()."""

import pvm_host as _host
from cowboy_sdk._storage import _encode


def call(target, method, args=None, cycles_limit=100_000, *, value=0):
    """Runs a handler of another actor now, in this transaction, and gives its value.

    args is a dict (keywords) or a list (positions). What the callee raises arrives as ActorCallError; catching it undoes
    the callee's effects and no others. value coins, in base units, are the callee's unless it raises.
    """
    return _host.call(target, method, args, cycles_limit, value)


def send(target, payload=None, *, raw=False, value=0):
    """Leaves a message that is delivered at the start of the next block, if this handler returns.

    value coins, in base units, leave with it; they come back if the target's handler fails.
    """
    if raw:
        return _host.send_message(target, payload, value=value)
    return _host.send_message(target, _encode(payload), structured=True, value=value)


def __getattr__(name):
    if name == "call_builder":
        from cowboy_sdk._more import call_builder

        return call_builder
    raise AttributeError("module 'cowboy_sdk.call' has no attribute '" + name + "'")
