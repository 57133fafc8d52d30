"""CowboyModel: typed records that travel as maps."""

from cowboy_sdk import codec

_MISSING = object()
_NAMES = {int: "integer", str: "string", bool: "boolean", list: "array", dict: "object", bytes: "string", float: "number"}


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
            if kind is set or kind is frozenset or kind in ("set", "frozenset"):
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
        return {name: _write(getattr(self, name)) for name in self._fields}

    @classmethod
    def from_dict(cls, values):
        return cls(**values)

    def to_cbor(self):
        return codec.encode(self.to_dict())

    @classmethod
    def from_cbor(cls, data):
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


def _origin(kind):
    return getattr(kind, "__origin__", None)


def _fits(kind, value):
    if isinstance(kind, str) or not isinstance(kind, type) and _origin(kind) is None:
        return True
    if _origin(kind) is not None:
        base = _origin(kind)
        if not isinstance(base, type) or not isinstance(value, base):
            return not isinstance(base, type)
        if base is list:
            return all([_fits(kind.__args__[0], item) for item in value])
        return True
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)


def _read(kind, value):
    if _model(kind) and isinstance(value, dict):
        return kind.from_dict(value)
    if _origin(kind) is list and isinstance(value, list):
        return [_read(kind.__args__[0], item) for item in value]
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
    if _model(kind):
        return kind.schema()
    if _origin(kind) is list:
        return {"type": "array", "items": _schema(kind.__args__[0])}
    if _origin(kind) is dict:
        return {"type": "object"}
    return {"type": _NAMES[kind]} if kind in _NAMES else {}
