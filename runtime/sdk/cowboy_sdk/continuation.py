"""What a continuation keeps across an await, loops with a bound, and the plumbing API.

A continuation is an async method under @runner.continuation or @actor.continuation. When it awaits, the state number and
the values that are needed later are saved in the actor's storage and the method returns; the result's arrival enters it
again at the same place, in a later block.
"""

import pvm_host as _host
from cowboy_sdk import _records
from cowboy_sdk._records import CONTINUATION_MAX_COUNT, CONTINUATION_MAX_SIZE, new_cid
from cowboy_sdk.errors import CaptureTypeError, ContinuationLimitError, LoopBoundExceeded

_DEPTH = 64


class Capture:
    """Attributes set on it survive an await.

    Values may be None, bool, int, float, str, bytes, bytearray, list, tuple, dict with str or int keys, and ordered_set; tuples and
    sets come back as lists. Anything else raises CaptureTypeError at the await.
    """

    def __repr__(self):
        return "Capture(" + ", ".join([name + "=" + repr(value) for name, value in vars(self).items()]) + ")"


def capture():
    """A new, empty Capture."""
    return Capture()


def plain(value, where, depth=0):
    """The value as it is kept, or CaptureTypeError."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if depth < _DEPTH:
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(item, where, depth + 1) for item in value]
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, (str, int)):
                    raise CaptureTypeError(where + ": a dict key of type " + type(key).__name__ + " cannot be saved")
            return {key: plain(item, where, depth + 1) for key, item in value.items()}
    raise CaptureTypeError(where + ": a value of type " + type(value).__name__ + " cannot be saved")


def captured(ctx):
    """The attributes of a Capture as they are kept."""
    return {name: plain(value, "ctx." + name) for name, value in vars(ctx).items()}


def restored(values):
    """A Capture of kept attributes."""
    ctx = Capture()
    for name, value in values.items():
        setattr(ctx, name, value)
    return ctx


def bounded_loop(function=None, *, max_iterations=None):
    """Decorates an async function inside a continuation whose loops run at most max_iterations times, which is taken apart when the module is
    loaded; or a plain function, for whose BoundedRange it is the bound.
    """
    if not isinstance(max_iterations, int) or max_iterations < 1:
        raise TypeError("@bounded_loop needs max_iterations, a positive number")

    def decorate(function):
        def bounded(*args, **kwargs):
            _bounds.append(max_iterations)
            try:
                value = function(*args, **kwargs)
            finally:
                _bounds.pop()
            if hasattr(value, "__await__"):
                value.close()
                raise ContinuationLimitError("an async def under @bounded_loop stands inside a continuation")
            return value

        bounded.__name__ = function.__name__
        bounded.__qualname__ = function.__qualname__
        bounded.__doc__ = function.__doc__
        bounded.__wrapped__ = function
        return bounded

    return decorate if function is None else decorate(function)


_bounds = []


class BoundedRange:
    """range(...), or the elements of one iterable, that refuses to have more than max_iterations elements: by default what @bounded_loop says."""

    def __init__(self, *args, max_iterations=None):
        if max_iterations is None:
            if not _bounds:
                raise TypeError("give max_iterations, or stand in a function under @bounded_loop")
            max_iterations = _bounds[-1]
        self._items = range(*args) if isinstance(args[0], int) else list(args[0])
        if len(self._items) > max_iterations:
            raise LoopBoundExceeded(str(len(self._items)) + " iterations; at most " + str(max_iterations) + " are allowed")

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)


def check_iteration(count, max_iterations):
    """Raises LoopBoundExceeded when iteration number count (from 0) is past the bound; gives count + 1."""
    if count >= max_iterations:
        raise LoopBoundExceeded("more than " + str(max_iterations) + " iterations")
    return count + 1


class Continuation:
    """A saved record: state, ctx (Capture), handler, created_block, timeout_block (0: none), guards (key to fingerprint)."""

    def __init__(self, record):
        self.state = record["state"]
        self.ctx = restored(record["ctx"])
        self.handler = record["handler"]
        self.created_block = record["created"]
        self.timeout_block = record["timeout"]
        self.guards = record["guards"]


def save_cont(cid, state, ctx, handler, timeout_blocks=0, guard_keys=None):
    """Saves a record by hand; ctx is a Capture or a dict. The keys in guard_keys are fingerprinted as they are now."""
    from cowboy_sdk.guards import GuardSet

    values = captured(ctx) if isinstance(ctx, Capture) else plain(dict(ctx), "ctx")
    height = _host.get_block_height()
    _records.save(cid, {
        "state": state, "ctx": values, "handler": handler, "created": height,
        "timeout": height + timeout_blocks if timeout_blocks else 0,
        "guards": GuardSet(*(guard_keys or ())).fingerprints(),
    })


def load_cont(cid):
    """The Continuation saved under cid, its checksum verified."""
    return Continuation(_records.load(cid))


def delete_cont(cid):
    """Removes what is saved under cid, if anything is."""
    _records.delete(cid)
