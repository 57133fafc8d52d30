_KEYWORDS = frozenset((
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with", "yield",
))


def _checked_names(typename, field_names, rename):
    """The names of the fields as a list, renamed or refused where they are not valid."""
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    field_names = list(map(str, field_names))
    if rename:
        seen = set()
        for i, name in enumerate(field_names):
            if not name.isidentifier() or name in _KEYWORDS or name.startswith("_") or name in seen:
                field_names[i] = f"_{i}"
            seen.add(name)
    for name in [typename] + field_names:
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in field_names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)
    return field_names


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    """Return a new subclass of tuple with named fields."""
    typename = str(typename)
    names = tuple(_checked_names(typename, field_names, rename))
    defaults = () if defaults is None else tuple(defaults)
    if module is None:
        module = _caller_module()
    return _tuple_class(typename, names, defaults, module, (tuple,), {})


def _tuple_class(typename, names, defaults, module, bases, extra):
    """The class of a named tuple from checked names, with what extra adds to it."""
    if len(defaults) > len(names):
        raise TypeError("Got more default values than field names")
    count = len(names)
    _work(1700 + 80 * count)
    tuple_new = tuple.__new__

    @classmethod
    def _make(cls, iterable):
        result = tuple_new(cls, iterable)
        if len(result) != count:
            raise TypeError(f"Expected {count} arguments, got {len(result)}")
        return result

    def _replace(self, /, **kwds):
        result = self._make([kwds.pop(name, value) for name, value in zip(names, self)])
        if kwds:
            raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
        return result

    template = "(" + ", ".join(f"{name}=%r" for name in names) + ")"

    def __repr__(self):
        return self.__class__.__name__ + template % tuple(self)

    def _asdict(self):
        return dict(zip(names, self))

    def __getnewargs__(self):
        return tuple(self)

    for method in (_make.__func__, _replace, __repr__, _asdict, __getnewargs__):
        method.__qualname__ = f"{typename}.{method.__name__}"

    namespace = {
        "__doc__": f"{typename}({', '.join(names)})",
        "__slots__": (),
        "_fields": names,
        "_field_defaults": dict(zip(names[count - len(defaults):], defaults)),
        "__new__": _tuplemaker(typename, names, defaults),
        "_make": _make,
        "_replace": _replace,
        "__repr__": __repr__,
        "_asdict": _asdict,
        "__getnewargs__": __getnewargs__,
        "__match_args__": names,
    }
    for index, name in enumerate(names):
        namespace[name] = _tuplegetter(index, f"Alias for field number {index}")
    if module is not None:
        namespace["__module__"] = module
    namespace.update(extra)
    return type(typename, bases, namespace)
