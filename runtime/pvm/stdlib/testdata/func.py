import functools
from functools import *


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


def f(a, b=2, *args, c=3, **kw):
    """doc of f"""
    return a, b, args, c, kw


p = partial(f, 1, c=9)
print(p(), p(5), p(5, 6, 7), p(c=1), p(x=2), p.func is f, p.args, p.keywords)
q = partial(p, 2, d=4)
print(q(), q.args, q.keywords, q.func is f)
show("partial none", lambda: partial())
show("partial 5", lambda: partial(5))
p.attr = 7
print(p.attr, repr(partial(int, base=2)), partial(int, base=2)("101"), list(map(partial(pow, 2), range(4))))


class Sub(partial):
    pass


print(repr(Sub(int, "5")), Sub(int, "5")())


class K:
    m = partial(lambda *a: a, 1)


print(K().m(2))
print(reduce(lambda a, b: a + b, [1, 2, 3]), reduce(lambda a, b: a * b, [1, 2, 3], 10), reduce(max, "hello"), reduce(None, [], 5), reduce(None, [7]))
show("reduce", lambda: reduce(lambda a, b: a, []))
show("reduce 5", lambda: reduce(lambda a, b: a, 5))
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)), sorted(["bb", "a", "ccc"], key=cmp_to_key(lambda a, b: len(a) - len(b))))
k = cmp_to_key(lambda a, b: a - b)
print(k(1) < k(2), k(1) == k(1), k(3) >= k(2), k(5).obj, max([1, 5, 2], key=k))
show("k", lambda: k(1) < 2)

calls = []


@lru_cache(maxsize=2)
def sq(x):
    calls.append(x)
    return x * x


print(sq(1), sq(2), sq(1), sq(3), sq(2), sq(1), calls, sq.cache_info())
sq.cache_clear()
print(sq.cache_info(), sq.__name__, sq.__wrapped__(4), sq.cache_parameters())


@lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(80), fib.cache_info())


@cache
def g(*args, **kw):
    calls.append(args)
    return len(calls)


calls.clear()
print(g(1), g(1.0), g(1), g(True), g("a"), g(1, 2), g(1, 2), g(a=1), g(a=1), g(a=1, b=2), g(b=2, a=1), g.cache_info())


@lru_cache(typed=True)
def t(x):
    calls.append(x)
    return type(x).__name__


print(t(1), t(1.0), t(1), t(True), t.cache_info())
show("unhashable", lambda: fib([1]))


@lru_cache(maxsize=0)
def z(x):
    return x


print(z(1), z(1), z.cache_info())
show("bad maxsize", lambda: lru_cache("a"))
print(lru_cache(maxsize=-5)(len)("abc"))


class C:
    @lru_cache(maxsize=None)
    def m(self, x):
        return x * 2

    @cached_property
    def cp(self):
        """doc of cp"""
        calls.append("cp")
        return 42


c = C()
calls.clear()
print(c.m(3), c.m(3), C.m.cache_info(), c.cp, c.cp, calls, c.__dict__, C.cp.attrname)
del c.cp
print(c.cp, calls)


class NoDict:
    __slots__ = ()

    @cached_property
    def x(self):
        return 1


show("no dict", lambda: NoDict().x)


@wraps(f)
def w(*a):
    return f(*a)


print(w.__name__, w.__wrapped__ is f, w.__qualname__, w(1))


def deco(fn):
    @wraps(fn)
    def inner(*a, **k):
        return ("deco", fn(*a, **k))
    return inner


@deco
def named(x: int) -> str:
    "named doc"
    return x


print(named(3), named.__name__, named.__annotations__)
print(update_wrapper(lambda: 0, len).__name__, WRAPPER_ASSIGNMENTS, WRAPPER_UPDATES)


@total_ordering
class V:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return self.v == o.v

    def __lt__(self, o):
        if not isinstance(o, V):
            return NotImplemented
        return self.v < o.v


print(V(1) <= V(2), V(1) >= V(2), V(2) > V(1), V(1) <= V(1), V(1) >= V(1), V(1) > V(1))


def compare_foreign():
    class Foreign:
        v = 1
    return V(1) <= Foreign()


show("foreign", compare_foreign)


@total_ordering
class G:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return self.v == o.v

    def __ge__(self, o):
        return self.v >= o.v


print(G(1) < G(2), G(1) <= G(1), G(2) > G(1), G(1) > G(1))
show("no order", lambda: total_ordering(type("N", (), {})))


@singledispatch
def fun(arg, extra=None):
    return ("default", arg, extra)


@fun.register
def _(arg: int, extra=None):
    return ("int", arg, extra)


@fun.register(list)
def _(arg, extra=None):
    return ("list", arg, extra)


@fun.register(str)
@fun.register(bytes)
def _(arg, extra=None):
    return ("text", arg, extra)


@fun.register
def _(arg: float | complex, extra=None):
    return ("inexact", arg)


print(fun(1), fun(True), fun([1]), fun("a", extra=1), fun(b"a"), fun(1.5), fun({}), fun(None))
print(fun.dispatch(bool)(1), fun.dispatch(dict) is fun.dispatch(object), sorted(c.__name__ for c in fun.registry), fun.__name__)
show("no args", lambda: fun())
show("bad register", lambda: fun.register(5, lambda x: x))

from collections.abc import Mapping, Sequence, Sized


@singledispatch
def h(x):
    return "object"


@h.register(Mapping)
def _(x):
    return "mapping"


@h.register(Sized)
def _(x):
    return "sized"


print(h({}), h([]), h(5), h(""))


@h.register(dict)
def _(x):
    return "dict"


print(h({}), h(set()))


class Cell:
    def set_state(self, state):
        self.state = state
        return self

    set_alive = partialmethod(set_state, True)
    set_dead = partialmethod(set_state, state=False)

    @singledispatchmethod
    def neg(self, arg):
        raise NotImplementedError("Cannot negate a")

    @neg.register
    def _(self, arg: int):
        return -arg

    @neg.register
    def _(self, arg: bool):
        return not arg

    @singledispatchmethod
    @classmethod
    def cm(cls, arg):
        return "base"

    @cm.register
    @classmethod
    def _(cls, arg: int):
        return "int", cls.__name__


c = Cell()
print(c.set_alive().state, c.set_dead().state, c.neg(5), c.neg(True), Cell.cm(1), Cell.cm("a"))
show("neg", lambda: c.neg("a"))
print(repr(Cell.__dict__["set_dead"])[:35])
show("partialmethod", lambda: partialmethod(5))
print(sorted(functools.__all__))
