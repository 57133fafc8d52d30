_FIELDS = "__dataclass_fields__"
_PARAMS = "__dataclass_params__"
_POST_INIT = "__post_init__"
_namespace_of = type.__dict__["__dict__"].__get__  # whatever the metaclass
_proxy = type(type.__dict__)
_member = type(type("_", (), {"__slots__": ("x",)}).x)


class FrozenInstanceError(AttributeError):
    pass


class _MISSING_TYPE:
    pass


MISSING = _MISSING_TYPE()


class _KW_ONLY_TYPE:
    pass


KW_ONLY = _KW_ONLY_TYPE()


class _Kind:
    """What a field is: an ordinary one, a class variable, or only a parameter of __init__."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


_FIELD = _Kind("_FIELD")
_FIELD_CLASSVAR = _Kind("_FIELD_CLASSVAR")
_FIELD_INITVAR = _Kind("_FIELD_INITVAR")


class InitVar:
    __slots__ = ("type",)

    def __init__(self, type):
        self.type = type

    def __repr__(self):
        if isinstance(self.type, type) and not isinstance(self.type, type_alias):
            name = self.type.__name__
        else:
            name = repr(self.type)
        return f"dataclasses.InitVar[{name}]"

    def __class_getitem__(cls, type):
        return InitVar(type)


type_alias = type(list[int])


def _field_text(field):
    shown = ",".join(f"{name}={getattr(field, name)!r}" for name in (
        "name", "type", "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only", "_field_type"))
    return f"Field({shown})"


class Field:
    __slots__ = ("name", "type", "default", "default_factory", "repr", "hash", "init", "compare", "metadata", "kw_only",
                 "_field_type")

    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        _work(1000)
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = _proxy({} if metadata is None else metadata)
        self.kw_only = kw_only
        self._field_type = None

    def __repr__(self):
        return _shown(self, _field_text)

    def __set_name__(self, owner, name):
        func = getattr(type(self.default), "__set_name__", None)
        if func:
            func(self.default, owner, name)

    __class_getitem__ = classmethod(type_alias)


class _DataclassParams:
    __slots__ = ("init", "repr", "eq", "order", "unsafe_hash", "frozen")

    def __init__(self, init, repr, eq, order, unsafe_hash, frozen):
        self.init = init
        self.repr = repr
        self.eq = eq
        self.order = order
        self.unsafe_hash = unsafe_hash
        self.frozen = frozen

    def __repr__(self):
        return (f"_DataclassParams(init={self.init!r},repr={self.repr!r},eq={self.eq!r},order={self.order!r},"
                f"unsafe_hash={self.unsafe_hash!r},frozen={self.frozen!r})")


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING):
    """Describe a field in the place of its default."""
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _word(text):
    """The word that text begins with, after spaces, and the rest."""
    text = text.lstrip()
    end = 0
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[:end], text[end:].lstrip()


def _names_in_text(cls, annotation):
    """What the first name of a string annotation stands for, which may have a module in front."""
    name, rest = _word(annotation)
    scope = _module_namespace(cls.__module__) or {}
    if not name or rest[:1] != ".":
        return scope.get(name)
    return getattr(scope.get(name), _word(rest[1:])[0] or "-", None)


def _kind_of(cls, annotation):
    """Whether a field is a class variable or only a parameter, by its annotation."""
    if annotation is InitVar or type(annotation) is InitVar:
        return _FIELD_INITVAR
    if isinstance(annotation, str):
        found = _names_in_text(cls, annotation)
        if found is InitVar:
            return _FIELD_INITVAR
        return _FIELD_CLASSVAR if repr(found) == "typing.ClassVar" else _FIELD
    if type(annotation).__module__ == "typing":
        origin = getattr(annotation, "__origin__", annotation)
        if repr(origin) == "typing.ClassVar":
            return _FIELD_CLASSVAR
    return _FIELD


def _get_field(cls, name, annotation, default_kw_only):
    """The Field of one annotation and the class attribute of the same name."""
    default = getattr(cls, name, MISSING)
    if isinstance(default, Field):
        f = default
    else:
        if isinstance(default, _member):
            default = MISSING  # __slots__ has left a descriptor
        f = field(default=default)
    f.name = name
    f.type = annotation
    f._field_type = kind = _kind_of(cls, annotation)
    if kind is not _FIELD and f.default_factory is not MISSING:
        raise TypeError(f"field {name} cannot have a default factory")
    if kind is not _FIELD_CLASSVAR:
        if f.kw_only is MISSING:
            f.kw_only = default_kw_only
    elif f.kw_only is not MISSING:
        raise TypeError(f"field {name} is a ClassVar but specifies kw_only")
    if kind is _FIELD and (f.default.__class__.__hash__ is None or isinstance(f.default, (list, dict, set))):
        raise ValueError(f"mutable default {type(f.default)} for field {name} is not allowed: use default_factory")
    return f


def _set_new_attribute(cls, name, value):
    """Set an attribute unless the class itself defines it; says whether it does."""
    if name in _namespace_of(cls):
        return True
    setattr(cls, name, value)
    return False


def _init_method(cls, fields, positional, frozen, slots):
    seen_default = False
    for f in positional:
        if f.default is not MISSING or f.default_factory is not MISSING:
            seen_default = True
        elif seen_default:
            raise TypeError(f"non-default argument {f.name!r} follows default argument")
    specs = []
    for f in fields:
        default = () if f.default is MISSING else (f.default,)
        factory = () if f.default_factory is MISSING else (f.default_factory,)
        if not f.init and not slots:
            default = ()  # the class attribute is the default
        specs.append((f.name, f.init, f._field_type is _FIELD_INITVAR, default, factory))
    init = _make_init(cls.__qualname__, specs, [f.name for f in positional], hasattr(cls, _POST_INIT), frozen)
    init.__annotations__ = {**{f.name: f.type for f in fields if f.init}, "return": None}
    init.__module__ = cls.__module__
    return init


def _frozen_methods(cls, names):
    names = frozenset(names)

    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    for method in (__setattr__, __delattr__):
        method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
        if _set_new_attribute(cls, method.__name__, method):
            raise TypeError(f"Cannot overwrite attribute {method.__name__} in class {cls.__name__}")


def _set_hash(cls, fields, unsafe_hash, eq, frozen, explicit):
    """Give the class a hash, take it away, or leave it alone."""
    if unsafe_hash:
        if explicit:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
    elif not eq or explicit:
        return
    elif not frozen:
        cls.__hash__ = None
        return
    names = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
    cls.__hash__ = _make_hash(cls.__qualname__, names)


def _annotation_text(annotation):
    if getattr(annotation, "__module__", None) == "typing":
        return repr(annotation).replace("typing.", "")
    if isinstance(annotation, type_alias):
        return repr(annotation)
    if isinstance(annotation, type):
        if annotation.__module__ == "builtins":
            return annotation.__qualname__
        return f"{annotation.__module__}.{annotation.__qualname__}"
    return repr(annotation)


def _signature_text(cls, positional, keywords):
    """The docstring of a class without one: how it is called."""
    parts = []
    for f in (*positional, *([None] if keywords else []), *keywords):
        if f is None:
            parts.append("*")
            continue
        part = f"{f.name}: {_annotation_text(f.type)}"
        if f.default is not MISSING:
            part += f" = {f.default!r}"
        elif f.default_factory is not MISSING:
            part += " = <factory>"
        parts.append(part)
    return f"{cls.__name__}({', '.join(parts)})"


def _process_class(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot):
    _work(2200)
    namespace = _namespace_of(cls)
    fields = {}
    any_frozen_base = has_dataclass_bases = False
    for base in cls.__mro__[-1:0:-1]:
        base_fields = getattr(base, _FIELDS, None)
        if base_fields is not None:
            has_dataclass_bases = True
            fields.update(base_fields)
            if getattr(base, _PARAMS).frozen:
                any_frozen_base = True
    annotations = namespace.get("__annotations__", {})
    default_kw_only = kw_only
    seen_kw_only = False
    own = []
    for name, annotation in annotations.items():
        if annotation is KW_ONLY or isinstance(annotation, str) and "KW_ONLY" in annotation and _names_in_text(cls, annotation) is KW_ONLY:
            if seen_kw_only:
                raise TypeError(f"{name!r} is KW_ONLY, but KW_ONLY has already been specified")
            seen_kw_only = default_kw_only = True
        else:
            own.append(_get_field(cls, name, annotation, default_kw_only))
    for f in own:
        fields[f.name] = f
        if isinstance(getattr(cls, f.name, None), Field):
            if f.default is MISSING:
                delattr(cls, f.name)
            else:
                setattr(cls, f.name, f.default)
    for name, value in dict(namespace).items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    if has_dataclass_bases:
        if any_frozen_base and not frozen:
            raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
        if not any_frozen_base and frozen:
            raise TypeError("cannot inherit frozen dataclass from a non-frozen one")
    setattr(cls, _FIELDS, fields)
    setattr(cls, _PARAMS, _DataclassParams(init, repr, eq, order, unsafe_hash, frozen))
    namespace = _namespace_of(cls)
    class_hash = namespace.get("__hash__", MISSING)
    explicit_hash = not (class_hash is MISSING or class_hash is None and "__eq__" in namespace)
    if order and not eq:
        raise ValueError("eq must be true if order is true")
    given = [f for f in fields.values() if f._field_type is not _FIELD_CLASSVAR]
    stored = [f for f in given if f._field_type is _FIELD]
    positional = [f for f in given if f.init and not f.kw_only]
    keywords = [f for f in given if f.init and f.kw_only]
    qualname = cls.__qualname__
    if init:
        _set_new_attribute(cls, "__init__", _init_method(cls, given, positional, frozen, slots))
    if repr:
        _set_new_attribute(cls, "__repr__", _make_repr(qualname, [f.name for f in stored if f.repr]))
    compared = [f.name for f in stored if f.compare]
    if eq:
        _set_new_attribute(cls, "__eq__", _make_compare(qualname, "__eq__", compared))
    if order:
        for name in ("__lt__", "__le__", "__gt__", "__ge__"):
            if _set_new_attribute(cls, name, _make_compare(qualname, name, compared)):
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}. Consider using functools.total_ordering")
    if frozen:
        _frozen_methods(cls, [f.name for f in stored])
    _set_hash(cls, stored, unsafe_hash, eq, frozen, explicit_hash)
    if not getattr(cls, "__doc__"):
        called = type(cls).__call__ is type.__call__
        cls.__doc__ = _signature_text(cls, positional, keywords) if called else cls.__name__
    if match_args:
        _set_new_attribute(cls, "__match_args__", tuple(f.name for f in positional))
    if weakref_slot and not slots:
        raise TypeError("weakref_slot is True but slots is False")
    if slots:
        cls = _with_slots(cls, [f.name for f in stored])
    if "__abstractmethods__" in _namespace_of(cls):
        from abc import update_abstractmethods
        update_abstractmethods(cls)
    return cls


def _with_slots(cls, names):
    """A class like cls whose fields are slots."""
    namespace = dict(_namespace_of(cls))
    if "__slots__" in namespace:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited = set()
    for base in cls.__mro__[1:-1]:
        slots = _namespace_of(base).get("__slots__", ())
        if hasattr(slots, "__next__"):
            raise TypeError(f"Slots of '{base.__name__}' cannot be determined")
        inherited.update((slots,) if isinstance(slots, str) else slots)
    namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    for name in names:
        namespace.pop(name, None)
    namespace.pop("__dict__", None)
    namespace.pop("__weakref__", None)
    qualname = getattr(cls, "__qualname__", None)
    new = type(cls)(cls.__name__, cls.__bases__, namespace)
    if qualname is not None:
        new.__qualname__ = qualname
    return new


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True,
              kw_only=False, slots=False, weakref_slot=False):
    """Class decorator that adds methods made from the annotated attributes."""
    def wrap(cls):
        return _process_class(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot)

    return wrap if cls is None else wrap(cls)


def fields(class_or_instance):
    """The fields of a dataclass or an instance of one."""
    try:
        found = getattr(class_or_instance, _FIELDS)
    except AttributeError:
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple(f for f in found.values() if f._field_type is _FIELD)


def _is_dataclass_instance(obj):
    return hasattr(type(obj), _FIELDS)


def is_dataclass(obj):
    """Whether obj is a dataclass or an instance of one."""
    return hasattr(obj if isinstance(obj, type) else type(obj), _FIELDS)
