from collections.abc import MutableMapping, MutableSequence, Sequence


class ChainMap(MutableMapping):
    """Several mappings seen as one: reads search them in order, writes go to the first."""

    def __init__(self, *maps):
        _work(90)
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                continue
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _keys(self):
        """The keys in the order of iteration: those of the last mapping first."""
        _work(50)
        keys = {}
        for mapping in reversed(self.maps):
            keys |= dict.fromkeys(mapping)
        return keys

    def __len__(self):
        return len(self._keys())

    def __iter__(self):
        return iter(self._keys())

    def __contains__(self, key):
        _work(30)
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def __repr__(self):
        _work(40)
        return f"{self.__class__.__name__}({', '.join(map(repr, self.maps))})"

    @classmethod
    def fromkeys(cls, iterable, *args):
        return cls(dict.fromkeys(iterable, *args))

    def copy(self):
        first, *others = self.maps
        return self.__class__(first.copy(), *others)

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        """A chain with one more mapping in front."""
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return self.__class__(m, *self.maps)

    @property
    def parents(self):
        """The chain without its first mapping."""
        return self.__class__(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.")

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def clear(self):
        self.maps[0].clear()

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

    def __or__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        _work(80)
        result = self.copy()
        result.maps[0].update(other)
        return result

    def __ror__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        _work(80)
        flat = dict(other)
        for mapping in reversed(self.maps):
            flat.update(mapping)
        return self.__class__(flat)


class UserDict(MutableMapping):
    """A mapping around a dict in its attribute data, made to be derived from."""

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        for items in (dict, kwargs):
            if items is not None:
                self.update(items)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        missing = getattr(self.__class__, "__missing__", None)
        if missing is None:
            raise KeyError(key)
        return missing(self, key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __or__(self, other):
        other = _plain(other)
        return self.__class__(self.data | other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other):
        other = _plain(other)
        return self.__class__(other | self.data) if isinstance(other, dict) else NotImplemented

    def __ior__(self, other):
        self.data |= _plain(other)
        return self

    def __copy__(self):
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin.data = self.data.copy()
        return twin

    def copy(self):
        if self.__class__ is UserDict:
            return UserDict(self.data.copy())
        return self.__copy__()

    @classmethod
    def fromkeys(cls, iterable, value=None):
        result = cls()
        for key in iterable:
            result[key] = value
        return result


class UserList(MutableSequence):
    """A sequence around a list in its attribute data, made to be derived from."""

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(_plain(initlist))

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == _plain(other)

    def __lt__(self, other):
        return self.data < _plain(other)

    def __le__(self, other):
        return self.data <= _plain(other)

    def __gt__(self, other):
        return self.data > _plain(other)

    def __ge__(self, other):
        return self.data >= _plain(other)

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        found = self.data[i]
        return self.__class__(found) if isinstance(i, slice) else found

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + list(_plain(other)))

    def __radd__(self, other):
        return self.__class__(list(_plain(other)) + self.data)

    def __iadd__(self, other):
        self.data += _plain(other)
        return self

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def __copy__(self):
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin.data = self.data[:]
        return twin

    def copy(self):
        return self.__class__(self)

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def extend(self, other):
        self.data.extend(_plain(other))


class UserString(Sequence):
    """A string around a str in its attribute data, made to be derived from."""

    def __init__(self, seq):
        self.data = str(_plain(seq))

    def __str__(self):
        return self.data

    def __repr__(self):
        return repr(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def __hash__(self):
        return hash(self.data)

    def __getnewargs__(self):
        return (self.data,)

    def __eq__(self, other):
        return self.data == _plain(other)

    def __lt__(self, other):
        return self.data < _plain(other)

    def __le__(self, other):
        return self.data <= _plain(other)

    def __gt__(self, other):
        return self.data > _plain(other)

    def __ge__(self, other):
        return self.data >= _plain(other)

    def __contains__(self, char):
        return _plain(char) in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.__class__(self.data[index])

    def __add__(self, other):
        return self.__class__(self.data + str(other))

    def __radd__(self, other):
        return self.__class__(str(other) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return self.__class__(self.data % args)

    def __rmod__(self, template):
        return self.__class__(str(template) % self)

    def encode(self, encoding="utf-8", errors="strict"):
        return self.data.encode(encoding or "utf-8", errors or "strict")

    maketrans = str.maketrans


def _plain(value):
    """What a wrapper of this module wraps; other objects as they are."""
    return value.data if isinstance(value, (UserDict, UserList, UserString)) else value


def _delegate(name, wrap):
    """A method of UserString that asks the str; wrap makes the result a UserString."""
    ask = getattr(str, name)
    if wrap:
        def method(self, *args, **kwds):
            return self.__class__(ask(self.data, *map(_plain, args), **kwds))
    else:
        def method(self, *args, **kwds):
            return ask(self.data, *map(_plain, args), **kwds)
    method.__name__ = name
    method.__qualname__ = "UserString." + name
    setattr(UserString, name, method)


for _name in ("capitalize casefold center removeprefix removesuffix expandtabs ljust lower lstrip replace rjust rstrip strip "
              "swapcase title translate upper zfill").split():
    _delegate(_name, True)
for _name in ("count endswith find format format_map index isalpha isalnum isascii isdecimal isdigit isidentifier islower "
              "isnumeric isprintable isspace istitle isupper join partition rfind rindex rpartition split rsplit splitlines "
              "startswith").split():
    _delegate(_name, False)
