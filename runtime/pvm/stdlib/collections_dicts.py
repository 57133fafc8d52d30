def _factory_text(self):
    return repr(self.default_factory)


@_dot
class defaultdict(dict):
    """A dict that makes the value of a missing key by calling default_factory."""

    __slots__ = ("default_factory",)

    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        self.default_factory = default_factory
        super().__init__(*args, **kwargs)

    def __missing__(self, key):
        factory = self.default_factory
        if factory is None:
            raise KeyError(key)
        self[key] = value = factory()
        return value

    def __repr__(self):
        factory = _shown(self, _factory_text)
        return f"{self.__class__.__name__}({factory}, {dict.__repr__(self)})"

    def copy(self):
        return self.__class__(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        _work(60)
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        _work(60)
        result = self.__class__(self.default_factory, other)
        result.update(self)
        return result


def _ordered_text(self):
    content = repr(list(self.items())) if self else ""
    return f"{self.__class__.__name__}({content})"


_absent = object()


@_dot
@_ordered
class OrderedDict(dict):
    """A dict with operations on the order of its items, which comparing two of them regards."""

    def __init__(self, /, *args, **kwds):
        if len(args) > 1:
            raise TypeError(f"expected at most 1 arguments, got {len(args)}")
        _update(self, args[0] if args else (), kwds)

    def update(self, /, *args, **kwds):
        if len(args) > 1:
            raise TypeError(f"update() takes at most 1 positional argument ({len(args)} given)")
        _update(self, args[0] if args else (), kwds)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        if last:
            return dict.popitem(self)
        key = next(dict.__iter__(self))
        return key, dict.pop(self, key)

    def move_to_end(self, key, last=True):
        _move_to_end(self, key, last)

    def pop(self, key, default=_absent):
        if default is _absent:
            return dict.pop(self, key)
        return dict.pop(self, key, default)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def __repr__(self):
        return _shown(self, _ordered_text)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        result = cls()
        for key in iterable:
            result[key] = value
        return result

    def __eq__(self, other):
        if not isinstance(other, OrderedDict):
            return dict.__eq__(self, other)
        return dict.__eq__(self, other) and all(a == b for a, b in zip(self, other))

    def __ne__(self, other):
        result = self.__eq__(other)
        return result if result is NotImplemented else not result

    __hash__ = None

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        _work(60)
        result = self.__class__(self)
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        _work(60)
        result = self.__class__(other)
        result.update(self)
        return result
