"""self.storage: text keys, CBOR values, in the actor's own state."""

import pvm_host as _host

_RESERVED = ("__OWNER__", "__INITIALIZED__")


def _key(key):
    if not isinstance(key, str):
        raise TypeError("storage keys are str, not " + type(key).__name__)
    if key in _RESERVED:
        raise ValueError(key + " is reserved")
    return key


class Storage:
    """Reads and writes the executing actor's storage. A value read is a copy: assign it back to keep a change."""

    def __getitem__(self, key):
        raw = _host.get_state(_key(key))
        return None if raw is None else _host.cbor_decode(raw)

    def __setitem__(self, key, value):
        key = _key(key)
        _host.set_state(key, _encode(value))

    def __delitem__(self, key):
        _host.delete_state(_key(key))

    def __contains__(self, key):
        return _host.get_state(_key(key)) is not None

    def get(self, key, default=None):
        """The decoded value under a key, or default."""
        raw = _host.get_state(_key(key))
        return default if raw is None else _host.cbor_decode(raw)

    def set(self, key, value):
        """The same as storage[key] = value."""
        self[key] = value

    def delete(self, key):
        """The same as del storage[key]."""
        del self[key]

    def set_raw(self, key, data):
        """Writes bytes as they are."""
        _host.set_state(_key(key), data)

    def get_raw(self, key):
        """Reads bytes as they are, None if the key is absent."""
        return _host.get_state(_key(key))

    def guard(self, key):
        """A GuardedValue of the value as it is now."""
        from cowboy_sdk.guards import GuardedValue

        return GuardedValue(_key(key))

    def restore(self, actor_address, storage_data, pay_from=None):
        """Restores an evicted actor's storage. Raises NotAvailableError on a chain without rent."""
        return _host.storage_restore(actor_address, storage_data, pay_from)

    def __iter__(self):
        raise TypeError("storage cannot be iterated; use runtime.scan_state_prefix")


def _encode(value):
    try:
        return _host.cbor_encode(value)
    except _host.HostError:
        from cowboy_sdk import codec

        return codec.encode(value)


storage = Storage()
