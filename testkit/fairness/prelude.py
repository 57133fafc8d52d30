import abc, collections, dataclasses, decimal, enum, functools, hashlib, itertools, json, math, re, struct, typing
from decimal import Decimal


def plain(*a, **k):
    return None


class Plain:
    def method(self):
        return None


def make_nested(kind, depth):
    out = kind()
    for _ in range(depth):
        out = [out]
    return out


def make_chain(depth):
    e = ValueError("x")
    for _ in range(depth):
        f = ValueError(e)
        f.__cause__ = e
        e = f
    return e


def make_group(depth):
    e = ValueError("x")
    for _ in range(depth):
        e = ExceptionGroup("g", [e, e])
    return e


def run(cases, which, times):
    f, a, k = cases[which]
    for _ in range(times):
        try:
            f(*a, **k)
        except BaseException:
            pass


drained = range(500)


def drain(cases, which, times):
    f, a, k = cases[which]
    for _ in range(times):
        try:
            for _, _ in zip(drained, f(*a, **k)):
                pass
        except BaseException:
            pass


def tell(cases, which, times):
    f, a, k = cases[which]
    for _ in range(times):
        try:
            str(f(*a, **k))
        except BaseException as e:
            str(e)


def ending(cases):
    f, a, k = cases[0]
    try:
        return type(f(*a, **k)).__name__
    except BaseException as e:
        return type(e).__name__


def delete_item(a, b):
    del a[b]


def set_item(a, b, c):
    a[b] = c


def throw(a, b):
    raise a from b


def iterate(a):
    for _, _ in zip(drained, a):
        pass


def unpack(a):
    x, y, *z = a


def enter(a):
    with a:
        pass


def fit(a):
    match a:
        case str(x):
            pass
        case {"a": x, **rest}:
            pass
        case [x, *rest]:
            pass
        case Plain(method=x):
            pass


def derive(a):
    class C(a):
        pass


def inplace(a, b):
    a += b


def handle(a):
    try:
        raise ValueError
    except a:
        pass


def walk(names):
    """The names of all functions: of builtins and modules as expressions, of methods as names."""
    out = []
    for name in names:
        if not name.startswith("_") or name == "__build_class__":
            out.append(name)
    for module in (abc, collections, dataclasses, decimal, enum, functools, hashlib, itertools, json, math, re, struct, typing):
        for name in dir(module):
            if name.startswith("_"):
                continue
            value = getattr(module, name)
            if callable(value):
                out.append(module.__name__ + "." + name)
                if isinstance(value, type):
                    for inner in value.__dict__:
                        if callable(getattr(value, inner, None)):
                            out.append(module.__name__ + "." + name + "." + inner)
    for kind in (object, type, int, bool, float, complex, str, bytes, bytearray, memoryview, list, tuple, dict, set, frozenset, range, slice,
                 property, staticmethod, classmethod, super, BaseException, Exception, OSError, SyntaxError, UnicodeDecodeError,
                 UnicodeEncodeError, ExceptionGroup, ImportError, StopIteration, AttributeError, KeyError, enumerate, zip, map, filter, reversed):
        for inner in kind.__dict__:
            if callable(getattr(kind, inner, None)):
                out.append(kind.__name__ + "." + inner)
    return "\n".join(out)


def attributes(value):
    return "\n".join(name for name in dir(value) if callable(getattr(value, name, None)))


def attributes_of(cases, i):
    _, args, _ = cases[i]()
    return attributes(args[0])


def names_of(cases, i):
    _, args, _ = cases[i]()
    return "\n".join(sorted(set(dir(args[0])) | set(dir(type(args[0])))))
