"""The canonical CBOR of storage values, messages and call arguments."""

import pvm_host as _host


def encode(value):
    """Canonical bytes of a value; models and mapping types become maps, sets arrays in their order."""
    return _host.cbor_encode(_plain(value, 0))


def decode(data):
    """The value of canonical bytes. Arrays become lists."""
    return _host.cbor_decode(data)


def _plain(value, depth):
    if depth > 64:
        return value
    if isinstance(value, dict):
        return {key: _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item, depth + 1) for item in value]
    to_dict = getattr(value, "to_dict", None)
    if to_dict is not None and not isinstance(value, type):
        return _plain(to_dict(), depth + 1)
    return value
