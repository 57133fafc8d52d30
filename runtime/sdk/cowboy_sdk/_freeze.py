"""How a continuation's local variables are put into a record and taken out again.

Unlike captured attributes, a variable comes back as what it was: a tuple as a tuple, a model as a model. What CBOR has no type for becomes
a map whose only key besides "v" is the zero character with the kind.
"""

import pvm_host as _host
from cowboy_sdk._mapping import Mapping
from cowboy_sdk.continuation import Capture, captured, restored
from cowboy_sdk.errors import CaptureTypeError

_KIND = "\0"
_DEPTH = 64


def freeze(value, name, tasks, depth=0):
    """The value of the variable called name as it is kept; tasks are those the await is waiting for."""
    if value is None or type(value) in (bool, int, float, str, bytes):
        return value
    if depth >= _DEPTH:
        raise CaptureTypeError(name + ": nested too deep to be saved")
    kind = type(value)
    if kind is list:
        return [freeze(item, name, tasks, depth + 1) for item in value]
    if kind is dict or kind is Mapping:
        kept = {}
        for key, item in value.items():
            if not isinstance(key, (str, int)) or key == _KIND:
                raise CaptureTypeError(name + ": a dict key " + repr(key) + " cannot be saved")
            kept[key] = freeze(item, name, tasks, depth + 1)
        return kept if kind is dict else {_KIND: "mapping", "v": kept}
    if kind in (tuple, set, frozenset):
        return {_KIND: kind.__name__, "v": [freeze(item, name, tasks, depth + 1) for item in value]}
    if kind is bytearray:
        return {_KIND: "bytearray", "v": bytes(value)}
    if kind is Capture:
        return {_KIND: "capture", "v": captured(value)}
    return _special(value, name, tasks, depth)


def _special(value, name, tasks, depth):
    from cowboy_sdk.guards import GuardedValue, GuardSet
    from cowboy_sdk.models import CowboyModel
    from cowboy_sdk.runner import Text
    from cowboy_sdk.taskgroup import Task
    from cowboy_sdk.types import Address, BlockHeight

    kind = type(value)
    if kind is Address:
        return {_KIND: "address", "v": bytes(value)}
    if kind is BlockHeight:
        return {_KIND: "height", "v": int(value)}
    if kind is GuardedValue:
        return {_KIND: "guard", "v": [value.key, value.fingerprint]}
    if kind is GuardSet:
        return {_KIND: "guards", "v": [[key, fingerprint] for key, fingerprint in value.fingerprints().items()]}
    if kind is Text:
        return {_KIND: "text", "v": [value.output, freeze(value.context, name, tasks, depth + 1), value.proof]}
    if kind is Task:
        for i, task in enumerate(tasks):
            if task is value:
                return {_KIND: "task", "v": i}
        return {_KIND: "done", "v": freeze(value.result(), name, tasks, depth + 1)}
    if isinstance(value, CowboyModel):
        return {_KIND: "model", "v": [_registered(kind, name), value.to_dict()]}
    raise CaptureTypeError(name + ": a value of type " + kind.__name__ + " cannot be saved; keep what is needed of it in ctx = capture()")


def _registered(kind, name):
    from cowboy_sdk.models import CowboyModel

    if "<locals>" in kind.__qualname__ or CowboyModel._known.get(kind.__qualname__) is not kind:
        raise CaptureTypeError(name + ": the model " + kind.__qualname__ + " is not defined at the top level of the module")
    return kind.__qualname__


def thaw(kept, tasks):
    """What freeze was given."""
    if type(kept) is list:
        return [thaw(item, tasks) for item in kept]
    if type(kept) is not dict:
        return kept
    kind = kept.get(_KIND)
    if kind is None:
        return {key: thaw(item, tasks) for key, item in kept.items()}
    value = kept["v"]
    if kind == "tuple":
        return tuple(thaw(value, tasks))
    if kind == "set":
        return set(thaw(value, tasks))
    if kind == "frozenset":
        return frozenset(thaw(value, tasks))
    if kind == "mapping":
        return Mapping(thaw(value, tasks))
    if kind == "bytearray":
        return bytearray(value)
    if kind == "capture":
        return restored(value)
    if kind == "task":
        return tasks[value]
    return _special_back(kind, value, tasks)


def _special_back(kind, value, tasks):
    from cowboy_sdk import guards, models, runner, taskgroup, types

    if kind == "address":
        return types.Address(value)
    if kind == "height":
        return types.BlockHeight(value)
    if kind == "guard":
        return guards.GuardedValue(value[0], value[1])
    if kind == "guards":
        return guards.GuardSet._of({key: fingerprint for key, fingerprint in value})
    if kind == "text":
        return runner.Text(value[0], thaw(value[1], tasks), value[2])
    if kind == "done":
        return taskgroup.Task._done(thaw(value, tasks))
    return models.CowboyModel._known[value[0]].from_dict(value[1])
