import abc
from typing import Annotated, NotRequired, Required, Unpack

_module = type(abc)
_BUILTIN_CALLABLES = (type(len), type([].append), type(str.join), type(object.__str__), type(object().__str__))
_VALUES = {"None": None, "True": True, "False": False}
_BUILTIN = {t.__name__: t for t in (int, str, bytes, float, bool, complex, list, dict, set, frozenset, tuple, type, object,
                                    bytearray, memoryview, range, slice, Exception, BaseException)}


class _Reader:
    """Reads a type expression: names with dots, brackets, unions, lists, strings and numbers."""

    def __init__(self, text, lookup):
        self.text = text
        self.at = 0
        self.lookup = lookup

    def fail(self):
        raise SyntaxError(f"Forward reference must be an expression -- got {self.text!r}")

    def peek(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at:self.at + 1]

    def take(self, char):
        if self.peek() == char:
            self.at += 1
            return True
        return False

    def whole(self):
        value = next(iter(self.union())) if self.take("*") else self.union()
        if self.peek():
            self.fail()
        return value

    def union(self):
        value = self.primary()
        while self.take("|"):
            right = self.primary()
            if value is None:
                value = _none_type
            if right is None:
                right = _none_type
            if isinstance(value, (str, ForwardRef)) or isinstance(right, (str, ForwardRef)):
                value = Union[value, right]
            else:
                value = value | right
        return value

    def primary(self):
        value = self.atom()
        while True:
            if self.take("."):
                value = getattr(value, self.name())
            elif self.take("["):
                value = value[self.items("]")]
            else:
                return value

    def items(self, end):
        """The expressions up to a closing bracket: one, or a tuple where there is a comma."""
        values = []
        comma = False
        while not self.take(end):
            if self.take("*"):
                values.extend(iter(self.union()))
                comma = True
            else:
                values.append(self.union())
            if self.take(","):
                comma = True
            elif self.peek() != end:
                self.fail()
        return tuple(values) if comma or not values else values[0]

    def atom(self):
        char = self.peek()
        if char == "[":
            self.at += 1
            values = self.items("]")
            return list(values) if isinstance(values, tuple) else [values]
        if char == "(":
            self.at += 1
            return self.items(")")
        if self.text.startswith("...", self.at):
            self.at += 3
            return ...
        if char in "'\"" and char:
            return self.string(char)
        if char.isdigit() or char == "-":
            return self.number()
        name = self.name()
        if name in ("b", "r", "u") and self.text[self.at:self.at + 1] in ("'", '"') and self.at < len(self.text):
            text = self.string(self.text[self.at])
            return text.encode() if name == "b" else text
        return _VALUES[name] if name in _VALUES else self.lookup(name)

    def name(self):
        self.peek()
        start = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] == "_"):
            self.at += 1
        name = self.text[start:self.at]
        if not name.isidentifier():
            self.fail()
        return name

    def string(self, quote):
        end = self.text.find(quote, self.at + 1)
        if end < 0 or "\\" in self.text[self.at:end]:
            self.fail()
        value = self.text[self.at + 1:end]
        self.at = end + 1
        return value

    def number(self):
        start = self.at
        self.at += 1
        while self.at < len(self.text) and self.text[self.at].isdigit():
            self.at += 1
        try:
            return int(self.text[start:self.at])
        except ValueError:
            self.fail()


def _evaluated(value, globalns, localns, seen):
    """value with the types that its strings name."""
    if isinstance(value, ForwardRef):
        text = value.__forward_arg__
        if text in seen:
            return value
        if value.__forward_module__ is not None:
            globalns = _module_namespace(value.__forward_module__) or globalns

        def lookup(name):
            for namespace in (localns, globalns):
                if namespace is not None and name in namespace:
                    return namespace[name]
            if name in _BUILTIN:
                return _BUILTIN[name]
            raise NameError(f"name {name!r} is not defined")

        found = _checked(_Reader(text, lookup).whole(), "Forward references must evaluate to types.",
                         special=value.__forward_is_class__, final=not value.__forward_is_argument__)
        found = _evaluated(found, globalns, localns, seen | {text})
        value.__forward_value__ = found
        value.__forward_evaluated__ = True
        return found
    if isinstance(value, (_Generic, _native_alias, _native_union)):
        if getattr(value, "_is_annotated", False):
            inner = _evaluated(value.__origin__, globalns, localns, seen)
            return value.copy_with((inner,))
        if getattr(value, "_name", None) == "Literal":
            return value
        old = value.__args__
        new = tuple(_evaluated(ForwardRef(a) if isinstance(a, str) and not isinstance(value, _Generic) else a, globalns, localns, seen)
                    for a in old)
        if isinstance(value, _native_alias) and value.__unpacked__:
            return Unpack[_native_alias(value.__origin__, new)]
        if new == old:
            return value
        if isinstance(value, _native_union):
            result = new[0]
            for part in new[1:]:
                result = result | part
            return result
        if isinstance(value, _native_alias):
            return _native_alias(value.__origin__, new)
        return value.copy_with(new)
    return value


def _without_extras(value):
    """value without Annotated, Required and NotRequired."""
    if getattr(value, "_is_annotated", False):
        return _without_extras(value.__origin__)
    if isinstance(value, _Generic) and value.__origin__ in (Required, NotRequired):
        return _without_extras(value.__args__[0])
    if isinstance(value, _native_union):
        result, *others = map(_without_extras, value.__args__)
        for other in others:
            result = result | other
        return result
    if isinstance(value, (_Generic, _native_alias)):
        new = tuple(_without_extras(a) for a in value.__args__)
        if new == value.__args__:
            return value
        return _native_alias(value.__origin__, new) if isinstance(value, _native_alias) else value.copy_with(new)
    return value


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    """The annotations of a function, class or module with strings replaced by the types they name."""
    if getattr(obj, "__no_type_check__", None):
        return {}
    hints = {}
    if isinstance(obj, type):
        for base in reversed(obj.__mro__):
            names = type.__dict__["__dict__"].__get__(base)
            namespace = _module_namespace(base.__module__) if globalns is None else globalns
            scope = dict(names) if localns is None else localns
            if localns is None and globalns is None:
                namespace, scope = scope, namespace
            own = names.get("__annotations__")
            for name, value in own.items() if isinstance(own, dict) else ():
                hints[name] = _hint(value, namespace, scope, is_class=True)
    else:
        namespace = globalns
        is_module = isinstance(obj, _module)
        if namespace is None and is_module:
            namespace = obj.__dict__
        if namespace is None:
            inner = obj
            while hasattr(inner, "__wrapped__"):
                inner = inner.__wrapped__
            namespace = getattr(inner, "__globals__", None)
            if namespace is None:
                namespace = _module_namespace(getattr(inner, "__module__", None))
        annotations = getattr(obj, "__annotations__", None)
        if annotations is None:
            if isinstance(obj, (_function, _method, _module, *_BUILTIN_CALLABLES)):
                return {}
            raise TypeError(f"{obj!r} is not a module, class, method, or function.")
        for name, value in annotations.items():
            hints[name] = _hint(value, namespace, namespace if localns is None else localns, is_argument=not is_module)
    if include_extras:
        return hints
    return {name: _without_extras(value) for name, value in hints.items()}


def _hint(value, globalns, localns, is_class=False, is_argument=True):
    if value is None:
        return _none_type
    if isinstance(value, str):
        value = ForwardRef(value, is_argument=is_argument and not is_class, is_class=is_class)
    return _evaluated(value, globalns, localns, frozenset())
