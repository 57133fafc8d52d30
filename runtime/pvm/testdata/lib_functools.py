# functools.
import functools
from functools import reduce, partial, lru_cache, cache, wraps, total_ordering, cmp_to_key, singledispatch, cached_property, partialmethod, singledispatchmethod
print(reduce(lambda a, b: a + b, [1, 2, 3]), reduce(lambda a, b: a * b, [1, 2, 3], 10), reduce(max, [3, 9, 2]), reduce(lambda a, b: f"({a}{b})", "abcd"), reduce(lambda a, b: a, [], "init"))
try:
    reduce(lambda a, b: a, [])
except TypeError as e:
    print(e)
def f(a, b, *c, d=0, **k): return a, b, c, d, k
p = partial(f, 1, d=5)
pp = partial(p, 2, e=6)
print(p(2), p(2, 3, d=7), pp(), pp(9, d=1), p.func is f, p.args, p.keywords, pp.args, pp.keywords, partial(int, base=2)("101"), partial(print, "a", sep="-")("b"), repr(partial(int, 1)) )
calls = []
@lru_cache(maxsize=2)
def sq(x): calls.append(x); return x * x
print([sq(i) for i in (1, 2, 1, 3, 2)], calls, sq.cache_info(), sq.cache_clear(), sq.cache_info(), sq.__wrapped__(9), sq.cache_parameters())
@cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(60), fib.cache_info().currsize)
@lru_cache(maxsize=None, typed=True)
def ty(x): return type(x).__name__
print(ty(1), ty(1.0), ty(True), ty.cache_info())
@lru_cache
def kw(a, b=2): return a + b
print(kw(1), kw(1, 2), kw(a=1), kw(1, b=2), kw.cache_info())
try:
    sq([])
except TypeError as e:
    print(e)
@total_ordering
class V:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(V(1) < V(2), V(1) <= V(1), V(2) > V(1), V(1) >= V(2), V(1) != V(1), max([V(3), V(5)], key=lambda x: x.v).v)
try:
    @total_ordering
    class Bad: pass
except ValueError as e:
    print(e)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: (b > a) - (b < a))), sorted(["bb", "a", "ccc"], key=cmp_to_key(lambda a, b: len(a) - len(b))))
@singledispatch
def show(x): return f"object {x}"
@show.register
def _(x: int): return f"int {x}"
@show.register(list)
def _(x): return f"list of {len(x)}"
@show.register(str)
@show.register(bytes)
def _(x): return f"text {x!r}"
print(show(1.5), show(1), show(True), show([1, 2]), show("s"), show(b"b"), show.dispatch(bool).__name__, show.registry.keys() >= {int, list, str})
class C:
    n = 0
    @cached_property
    def value(self): C.n += 1; return 42
    @singledispatchmethod
    def m(self, x): return "default"
    @m.register
    def _(self, x: int): return "int"
    def base(self, a, b): return a, b
    pm = partialmethod(base, "fixed")
c = C()
print(c.value, c.value, C.n, c.__dict__, c.m("s"), c.m(1), c.pm(5))
del c.value
print(c.value, C.n)
def deco(fn):
    @wraps(fn)
    def inner(*a): "inner doc"; return fn(*a)
    return inner
@deco
def named(x: int) -> str: "named doc"; return str(x)
print(named.__name__, named.__doc__, named.__annotations__, named.__wrapped__(3), named.__qualname__, functools.WRAPPER_ASSIGNMENTS[:3])
compose = lambda *fs: reduce(lambda a, b: lambda x: a(b(x)), fs)
print(compose(str, lambda x: x + 1, abs)(-5))
