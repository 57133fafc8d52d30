"""The canonical CBOR of storage values, messages and call arguments."""

import pvm_host as _host


def encode(value):
    """Canonical bytes of a value.

    Models and mapping types become maps, sets arrays in their order. An instance of a class with __cowboy_serialize__(self) and
    __cowboy_deserialize__(value) becomes what the first gives.
    """
    return _host.cbor_encode(_plain(value, 0))


def decode(data, kind=None):
    """The value of canonical bytes, or with a class what that class makes of the value. Arrays become lists."""
    value = _host.cbor_decode(data)
    if kind is None:
        return value
    restore = getattr(kind, "__cowboy_deserialize__", None) or getattr(kind, "from_dict", None)
    if restore is None:
        raise _refusal(kind.__name__ + " has no __cowboy_deserialize__")
    return restore(value)


def _plain(value, depth):
    if depth > 64:
        return value
    if isinstance(value, dict):
        return {key: _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item, depth + 1) for item in value]
    if value is None or type(value) in (int, str, bytes, bool, float) or isinstance(value, type):
        return value
    to_dict = getattr(value, "to_dict", None)
    if to_dict is not None:
        return _plain(to_dict(), depth + 1)
    serialize = getattr(value, "__cowboy_serialize__", None)
    if serialize is not None:
        if not hasattr(value, "__cowboy_deserialize__"):
            raise _refusal(type(value).__name__ + " has __cowboy_serialize__ and no __cowboy_deserialize__")
        return _plain(serialize(), depth + 1)
    return value


def _refusal(text):
    from cowboy_sdk.errors import CodecError

    return CodecError(text)
