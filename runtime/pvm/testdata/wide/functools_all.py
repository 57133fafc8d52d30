def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import functools
from functools import *
@lru_cache(maxsize=2)
def f(x, y=1): print('call', x, y); return x * y
f(1); f(1); f(2); f(3); f(1); f(x=1); f(1, y=1); print(f.cache_info(), f.cache_parameters()); f.cache_clear(); print(f.cache_info(), f.__name__, f.__wrapped__(4))
@lru_cache(typed=True)
def g(x): print('g', x); return x
g(1); g(1.0); g(True); g('1'); print(g.cache_info()); t(g, []); t(g); t(lru_cache, 'x'); t(lru_cache, maxsize='x')
@lru_cache
def h(*a, **k): return a, sorted(k.items())
print(h(1, a=2), h(1, a=2), h(a=2), h.cache_info())
@lru_cache(maxsize=0)
def z(x): return x
z(1); z(1); print(z.cache_info())
@lru_cache(maxsize=-5)
def z(x): return x
z(1); z(1); print(z.cache_info(), z.cache_parameters())
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info())
@cache
def c(n): return n
print(c(3), c.cache_info(), c.cache_parameters())
@lru_cache(maxsize=3)
def er(x):
    print('er', x)
    if x < 0: raise ValueError(x)
    return x
t(er, -1); t(er, -1); print(er.cache_info())
class K:
    n = 0
    @cached_property
    def v(self): K.n += 1; return K.n
    @lru_cache
    def m(self, x): return (x, 'm')
    def __eq__(s, o): return True
    def __hash__(s): return 1
k = K(); print(k.v, k.v, K.n, k.__dict__); k.v = 9; print(k.v); del k.v; print(k.v, K.v.__class__.__name__, K().v, k.m(1), K().m(1), K.m.cache_info())
class Sl:
    __slots__ = ()
    @cached_property
    def v(s): return 1
t(lambda: Sl().v)
def mk():
    class X:
        a = b = cached_property(lambda s: 1)
t(mk)
cp = cached_property(lambda s: 1); t(lambda: cp.__get__(k))
p = partial(int, base=2); print(p('101'), p, p.func, p.args, p.keywords, p('11', base=3)); t(p, '5'); t(partial); t(partial, 5); p2 = partial(partial(print, 1, sep='-'), 2, end='!\n'); p2(3); print(p2.args, p2.keywords, repr(p2)); p2.foo = 1; print(p2.__dict__, partial(max, 1)(2, 3)); t(lambda: setattr(p, 'func', 1)); print(partial(lambda *a, **k: (a, k), 1, x=2)(3, y=4, x=5))
class PM:
    def base(self, a, b, c=0): return (a, b, c)
    one = partialmethod(base, 1)
    two = partialmethod(base, 1, c=9)
    st = partialmethod(staticmethod(lambda *a: a), 1)
    cm = partialmethod(classmethod(lambda c, *a: (c.__name__, a)), 2)
print(PM().one(2), PM().two(3), PM().st(5), PM.cm(6), PM.one(PM(), 7), repr(PM.__dict__['one'])); t(partialmethod, 5)
@total_ordering
class TO:
    def __init__(s, v): s.v = v
    def __eq__(s, o): return s.v == o.v
    def __lt__(s, o):
        if not isinstance(o, TO): return NotImplemented
        return s.v < o.v
print(TO(1) <= TO(1), TO(1) > TO(0), TO(1) >= TO(2), TO.__le__.__name__, TO.__le__.__doc__, TO.__gt__.__doc__); t(lambda: TO(1) <= 5); t(lambda: total_ordering(type('X', (), {})))
for root in ('__le__', '__gt__', '__ge__'):
    X = total_ordering(type('X', (), {'__init__': lambda s, v: setattr(s, 'v', v), '__eq__': lambda s, o: s.v == o.v, root: {'__le__': lambda s, o: s.v <= o.v, '__gt__': lambda s, o: s.v > o.v, '__ge__': lambda s, o: s.v >= o.v}[root]}))
    print(X(1) < X(2), X(1) <= X(1), X(2) > X(1), X(1) >= X(2))
kf = cmp_to_key(lambda a, b: b - a); print(sorted([1, 3, 2], key=kf), kf(1) < kf(2), kf(1) == kf(1), kf(5).obj); t(lambda: hash(kf(1))); t(lambda: kf(1) < 5); t(cmp_to_key); t(cmp_to_key, mycmp=lambda a, b: 0); t(lambda: min([3, 1, 2], key=kf)); t(lambda: sorted('ab', key=cmp_to_key(lambda a, b: 'x')))
t(reduce, lambda a, b: a + b, [1, 2, 3]); t(reduce, lambda a, b: a + b, [], 5); t(reduce, lambda a, b: a, []); t(reduce, 5, [1]); t(reduce, 5, [1, 2]); t(reduce, lambda a, b: a * b, range(1, 6), 10); t(reduce); t(reduce, max, 5); t(reduce, lambda a, b: (a, b), 'abc'); t(reduce, function=max, iterable=[1]) ; t(reduce, max, [1], initial=3)
def deco(fn):
    @wraps(fn)
    def w(*a, **k):
        "wdoc"
        return fn(*a, **k)
    return w
@deco
def orig(x: int) -> str:
    "odoc"
    return x
orig.attr = 1
print(orig.__name__, orig.__doc__, orig.__wrapped__.__name__, orig.__annotations__, orig.__qualname__, orig.__module__, WRAPPER_ASSIGNMENTS, WRAPPER_UPDATES, orig.__dict__.keys()); w = update_wrapper(partial(int), int, assigned=('__name__',), updated=()); print(w.__name__, w.__wrapped__); t(update_wrapper, lambda: 0, 5)
@singledispatch
def sd(x, *a): return ('base', x)
@sd.register
def _(x: int): return ('int', x)
@sd.register(list)
def _(x): return ('list', x)
@sd.register(str)
@sd.register(bytes)
def _(x): return ('strbytes', x)
@sd.register
def _(x: float | complex): return ('num', x)
sd.register(type(None), lambda x: 'none')
print(sd(1), sd(True), sd([]), sd('a'), sd(b''), sd(1.5), sd(1j), sd(None), sd({}), sd.dispatch(bool) is sd.dispatch(int), sorted(k.__name__ for k in sd.registry), sd.__name__); t(sd); t(sd.register, 5); t(lambda: sd.register(lambda x: 1)); t(lambda: sd.registry.update({}))
def noann(x): pass
t(sd.register, noann)
def badann(x: 'nope'): pass
t(sd.register, badann)
def badann2(x: 5): pass
t(sd.register, badann2)
from collections import abc
class Sz:
    def __len__(s): return 1
    def __iter__(s): return iter(())
@singledispatch
def am(x): return 'base'
am.register(abc.Sized, lambda x: 'sized'); print(am([1]), am(Sz()), am(5)); am.register(abc.Iterable, lambda x: 'iter'); t(am, Sz()); t(am, [1])
class SDM:
    @singledispatchmethod
    def m(self, a): return ('base', a)
    @m.register
    def _(self, a: int): return ('int', a)
    @m.register(str)
    def _(self, a): return ('str', a)
    @singledispatchmethod
    @classmethod
    def c(cls, a): return (cls.__name__, a)
    @c.register
    @classmethod
    def _(cls, a: int): return ('cint', cls.__name__)
print(SDM().m(1), SDM().m('x'), SDM().m([]), SDM.c('q'), SDM.c(4), SDM().c(5), SDM.m(SDM(), 3) if 0 else ''); t(SDM().m); t(singledispatchmethod, 5)
print(sorted(n for n in functools.__all__))
