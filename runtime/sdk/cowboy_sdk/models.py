"""CowboyModel: typed records that travel as maps."""

from cowboy_sdk import codec

_MISSING = object()
_NAMES = {int: "integer", str: "string", bool: "boolean", list: "array", dict: "object", bytes: "string", float: "number", type(None): "null"}


def _is_set(kind):
    if isinstance(kind, str):
        kind = kind.split("[")[0]
        return kind in ("set", "frozenset")
    return kind is set or kind is frozenset or getattr(kind, "__origin__", None) in (set, frozenset)


class CowboyModel:
    """Fields are the class annotations; a class attribute is a field's default."""

    _fields = {}
    _known = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        fields = dict(cls._fields)
        for name, kind in cls.__dict__.get("__annotations__", {}).items():
            if name.startswith("_"):
                continue
            if _is_set(kind):
                raise TypeError("field '" + name + "': a set has no canonical order; use a list")
            fields[name] = (kind, cls.__dict__.get(name, _MISSING))
        cls._fields = fields
        CowboyModel._known[cls.__qualname__] = cls

    def __init__(self, **values):
        for name, (kind, default) in self._fields.items():
            if name in values:
                value = values.pop(name)
            elif default is not _MISSING:
                value = list(default) if isinstance(default, list) else dict(default) if isinstance(default, dict) else default
            else:
                raise TypeError(type(self).__name__ + "() misses the field '" + name + "'")
            setattr(self, name, _read(kind, value))
        if values:
            raise TypeError(type(self).__name__ + "() has no field '" + next(iter(values)) + "'")
        self.validate()

    def validate(self):
        """Raises TypeError when a field does not hold a value of its annotation."""
        for name, (kind, default) in self._fields.items():
            value = getattr(self, name)
            if value is None and default is None:
                continue
            if not _fits(kind, value):
                raise TypeError("field '" + name + "' holds " + type(value).__name__)

    def to_dict(self):
        """The fields as plain values, in the order of the annotations."""
        return {name: _write(getattr(self, name)) for name in self._fields}

    @classmethod
    def from_dict(cls, values):
        """An instance of plain values, validated."""
        return cls(**values)

    def to_cbor(self):
        """The canonical CBOR of to_dict()."""
        return codec.encode(self.to_dict())

    @classmethod
    def from_cbor(cls, data):
        """An instance of what to_cbor() gave."""
        return cls.from_dict(codec.decode(data))

    @classmethod
    def schema(cls):
        """A JSON Schema object."""
        properties = {name: _schema(kind) for name, (kind, default) in cls._fields.items()}
        required = [name for name, (kind, default) in cls._fields.items() if default is _MISSING]
        return {"type": "object", "properties": properties, "required": required}

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __repr__(self):
        parts = [name + "=" + repr(getattr(self, name)) for name in self._fields]
        return type(self).__name__ + "(" + ", ".join(parts) + ")"


def _model(kind):
    return isinstance(kind, type) and issubclass(kind, CowboyModel)


_SIMPLE = {kind.__name__: kind for kind in (int, str, bool, float, bytes, list, dict)}
_SIMPLE["None"] = type(None)


def _resolve(kind):
    """An annotation as a type; what was written as text is looked up among plain types and models."""
    if kind is None:
        return type(None)
    if isinstance(kind, str):
        return _SIMPLE.get(kind) or CowboyModel._known.get(kind)
    return kind


def _choices(kind):
    """The members of a union, or None."""
    base = _origin(kind)
    if type(kind).__name__ == "UnionType" or base is not None and not isinstance(base, type):
        return getattr(kind, "__args__", None)
    return None


def _origin(kind):
    return getattr(kind, "__origin__", None)


def _fits(kind, value):
    kind = _resolve(kind)
    if kind is None:
        return True
    choices = _choices(kind)
    if choices:
        return any([_fits(choice, value) for choice in choices])
    base = _origin(kind)
    if base is None:
        if not isinstance(kind, type):
            return True
        if kind is float:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        if kind is int:
            return isinstance(value, int) and not isinstance(value, bool)
        return isinstance(value, kind)
    if not isinstance(base, type):
        return True
    if not isinstance(value, base):
        return False
    if base is list:
        return all([_fits(kind.__args__[0], item) for item in value])
    if base is dict:
        return all([_fits(kind.__args__[0], key) and _fits(kind.__args__[1], item) for key, item in value.items()])
    return True


def _read(kind, value):
    """A plain value as the field holds it: maps become models where the annotation says so."""
    kind = _resolve(kind)
    if _model(kind):
        return kind.from_dict(value) if isinstance(value, dict) else value
    for choice in _choices(kind) or ():
        if _model(_resolve(choice)) and isinstance(value, dict):
            return _resolve(choice).from_dict(value)
    base = _origin(kind)
    if base is list and isinstance(value, list):
        return [_read(kind.__args__[0], item) for item in value]
    if base is dict and isinstance(value, dict):
        return {key: _read(kind.__args__[1], item) for key, item in value.items()}
    return value


def _write(value):
    if isinstance(value, CowboyModel):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_write(item) for item in value]
    if isinstance(value, dict):
        return {key: _write(item) for key, item in value.items()}
    return value


def _schema(kind):
    kind = _resolve(kind)
    if _model(kind):
        return kind.schema()
    choices = _choices(kind)
    if choices:
        return {"anyOf": [_schema(choice) for choice in choices]}
    base = _origin(kind)
    if base is list:
        return {"type": "array", "items": _schema(kind.__args__[0])}
    if base is dict:
        return {"type": "object", "additionalProperties": _schema(kind.__args__[1])}
    return {"type": _NAMES[kind]} if kind in _NAMES else {}
