_ATOMIC = frozenset((type(None), bool, int, float, str, bytes, complex, type, range, type(...), type(NotImplemented), property,
                     type(lambda: None), type(len), type([].append), type({}.__len__), type(str.upper), type(int.__add__)))


def _copied(obj):
    """A deep copy of a value that is neither a dataclass nor one of the usual containers."""
    cls = type(obj)
    if cls in _ATOMIC or isinstance(obj, type):
        return obj
    copier = getattr(cls, "__deepcopy__", None)
    if copier is not None:
        return copier(obj, {})
    if isinstance(obj, (list, tuple, set, frozenset)) and cls in (list, tuple, set, frozenset):
        return cls(_copied(v) for v in obj)
    if cls is dict:
        return {_copied(k): _copied(v) for k, v in obj.items()}
    if isinstance(obj, (bytearray,)):
        return cls(obj)
    copier = getattr(cls, "__copy__", None)
    if copier is not None:
        return copier(obj)
    if cls is slice:
        return slice(_copied(obj.start), _copied(obj.stop), _copied(obj.step))
    if isinstance(obj, BaseException):
        new = cls(*_copied(obj.args))
    else:
        new = None
        try:
            new = cls.__new__(cls)
        except TypeError:
            pass
        if new is None:
            raise TypeError(f"cannot pickle '{cls.__name__}' object")
    for name, value in getattr(obj, "__dict__", {}).items():
        object.__setattr__(new, name, _copied(value))
    for base in cls.__mro__:
        slots = _namespace_of(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(obj, name):
                object.__setattr__(new, name, _copied(getattr(obj, name)))
    return new


def _inner(obj, convert):
    """obj with the dataclasses in it converted; convert takes those."""
    if _is_dataclass_instance(obj):
        return convert(obj)
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_inner(v, convert) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)(_inner(v, convert) for v in obj)
    if isinstance(obj, dict):
        pairs = ((_inner(k, convert), _inner(v, convert)) for k, v in obj.items())
        return type(obj)(pairs)
    return _copied(obj)


def asdict(obj, *, dict_factory=dict):
    """The fields of an instance and of the dataclasses in it as dicts."""
    if not _is_dataclass_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")

    def convert(obj):
        return dict_factory([(f.name, _inner(getattr(obj, f.name), convert)) for f in fields(obj)])

    return convert(obj)


def astuple(obj, *, tuple_factory=tuple):
    """The fields of an instance and of the dataclasses in it as tuples."""
    if not _is_dataclass_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")

    def convert(obj):
        return tuple_factory([_inner(getattr(obj, f.name), convert) for f in fields(obj)])

    return convert(obj)


def replace(obj, /, **changes):
    """A new instance with some fields changed."""
    if not _is_dataclass_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for f in getattr(obj, _FIELDS).values():
        if f._field_type is _FIELD_CLASSVAR:
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(f"field {f.name} is declared with init=False, it cannot be specified with replace()")
            continue
        if f.name not in changes:
            if f._field_type is _FIELD_INITVAR and f.default is MISSING:
                raise ValueError(f"InitVar {f.name!r} must be specified with replace()")
            changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)


def _new_class(name, bases, attributes):
    """What a class statement makes of its bases and of what its body has set."""
    real = []
    for base in bases:
        entries = None if isinstance(base, type) else getattr(type(base), "__mro_entries__", None)
        if entries is None:
            real.append(base)
        else:
            real.extend(entries(base, bases))
    meta = type
    for base in real:
        if issubclass(type(base), meta):
            meta = type(base)
    namespace = meta.__prepare__(name, tuple(real))
    namespace.update(attributes)
    if tuple(real) != tuple(bases):
        namespace["__orig_bases__"] = bases
    return meta(name, tuple(real), namespace)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, init=True, repr=True, eq=True, order=False,
                   unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    """A dataclass from a list of names, pairs with a type, or triples with a field."""
    from collections import _KEYWORDS
    annotations = {}
    attributes = dict(namespace or {})
    for item in fields:
        if isinstance(item, str):
            name, annotation = item, "typing.Any"
        elif len(item) == 2:
            name, annotation = item
        elif len(item) == 3:
            name, annotation, attributes[item[0]] = item
        else:
            raise TypeError(f"Invalid field: {item!r}")
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise TypeError(f"Field names must not be keywords: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        annotations[name] = annotation
    attributes["__annotations__"] = annotations
    attributes.setdefault("__module__", "types")
    cls = _new_class(cls_name, bases, attributes)
    return dataclass(cls, init=init, repr=repr, eq=eq, order=order, unsafe_hash=unsafe_hash, frozen=frozen,
                     match_args=match_args, kw_only=kw_only, slots=slots, weakref_slot=weakref_slot)
