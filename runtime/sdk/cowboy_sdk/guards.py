"""Guards against re-entry and against values that change while somebody waits."""

import pvm_host as _host
from cowboy_sdk._storage import storage
from cowboy_sdk.errors import ReentrancyError, StateConflictError


def reentrancy_guard(method):
    """Refuses to enter the method while it runs anywhere in the current call tree."""

    def guarded(self, *args, **kwargs):
        if not _host.lock(method.__name__):
            raise ReentrancyError(method.__name__ + " is running already")
        try:
            return method(self, *args, **kwargs)
        finally:
            _host.unlock(method.__name__)

    guarded.__name__ = method.__name__
    guarded.__qualname__ = method.__qualname__
    guarded.__doc__ = method.__doc__
    guarded.__wrapped__ = method
    return guarded


def _fingerprint(key):
    raw = _host.get_state(key)
    return _host.keccak256(b"\xf6" if raw is None else raw)


class GuardedValue:
    """A storage value as it was when the guard was made; reading it raises if it has changed since."""

    def __init__(self, key, fingerprint=None):
        self.key = key
        self.fingerprint = _fingerprint(key) if fingerprint is None else fingerprint

    @property
    def value(self):
        """The value, if it is still what it was; else StateConflictError."""
        self.verify()
        return storage[self.key]

    def verify(self, fingerprint=None):
        """Raises StateConflictError if the value's fingerprint is not the one given, or the guard's own."""
        expected = self.fingerprint if fingerprint is None else fingerprint
        if _fingerprint(self.key) != expected:
            raise StateConflictError("storage[" + repr(self.key) + "] changed")


def storage_guard(key):
    """Guards the storage value under key as it is now."""
    return GuardedValue(key)


class GuardSet:
    """Several guarded values that are verified together."""

    def __init__(self, *keys):
        self.keys = keys
        self._guards = [GuardedValue(key) for key in keys]

    @classmethod
    def _of(cls, fingerprints):
        made = cls()
        made.keys = tuple(fingerprints)
        made._guards = [GuardedValue(key, fingerprint) for key, fingerprint in fingerprints.items()]
        return made

    def verify(self):
        """Raises StateConflictError if any of the values has changed."""
        for guard in self._guards:
            guard.verify()

    def fingerprints(self):
        """The fingerprints by key."""
        return {guard.key: guard.fingerprint for guard in self._guards}
