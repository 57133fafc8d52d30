# Decorators of functions and classes; functools.wraps; classes as decorators.
import functools
def trace(fn):
    @functools.wraps(fn)
    def wrapper(*a, **k):
        log.append((fn.__name__, a, k))
        return fn(*a, **k)
    wrapper.traced = True
    return wrapper
log = []
@trace
def add(a, b=1):
    "Adds."
    return a + b
print(add(1), add(2, b=3), log, add.__name__, add.__doc__, add.traced, add.__wrapped__(5))
def repeat(n, *, sep=" "):
    def deco(fn):
        return lambda *a: sep.join(fn(*a) for _ in range(n))
    return deco
@repeat(3, sep="-")
def hi(x): return f"hi {x}"
print(hi("bob"))
class CountCalls:
    def __init__(self, fn): self.fn, self.n = fn, 0; functools.update_wrapper(self, fn)
    def __call__(self, *a): self.n += 1; return self.fn(*a), self.n
    def __get__(self, obj, cls=None): return functools.partial(self, obj)
@CountCalls
def sq(x): "Squares."; return x * x
print(sq(2), sq(3), sq.n, sq.__name__, sq.__doc__)
class Uses:
    @CountCalls
    def m(self, x): return x + 1
u = Uses()
print(u.m(1), u.m(2))
registry = {}
def register(name=None):
    if callable(name):
        registry[name.__name__] = name
        return name
    def deco(obj): registry[name] = obj; return obj
    return deco
@register
def plain(): return "plain"
@register("custom")
class Klass: v = 5
print(sorted(registry), registry["custom"].v, registry["plain"]())
def add_method(cls):
    cls.extra = lambda self: f"extra {self.v}"
    return cls
@add_method
@register("second")
class Two: v = 7
print(Two().extra(), registry["second"] is Two)
def singleton(cls):
    inst = {}
    @functools.wraps(cls, updated=())
    def get(*a):
        if cls not in inst: inst[cls] = cls(*a)
        return inst[cls]
    return get
@singleton
class Cfg:
    def __init__(self, v): self.v = v
print(Cfg(1) is Cfg(2), Cfg(9).v, Cfg.__name__)
def memo(fn):
    cache = {}
    def inner(*a):
        if a not in cache: cache[a] = fn(*a)
        return cache[a]
    inner.cache = cache
    return inner
@memo
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), len(fib.cache))
def validate(**kinds):
    def deco(fn):
        def inner(**kw):
            for k, t in kinds.items():
                if not isinstance(kw.get(k), t): raise TypeError(f"{k}: expected {t.__name__}, got {type(kw.get(k)).__name__}")
            return fn(**kw)
        return inner
    return deco
@validate(a=int, b=str)
def show(a, b): return b * a
print(show(a=2, b="x"))
try:
    show(a="2", b="x")
except TypeError as e:
    print(e)
order = []
def mark(n):
    order.append(("eval", n))
    def d(f): order.append(("apply", n)); return f
    return d
@mark(1)
@mark(2)
def z(): pass
print(order)
class P:
    @staticmethod
    @trace
    def s(x): return x
    @classmethod
    @trace
    def c(cls, x): return cls.__name__, x
    @property
    @trace
    def pr(self): return "pr"
log.clear()
print(P.s(1), P.c(2), P().pr, [l[0] for l in log])
x = [lambda f: "from list"]
@x[0]
def y(): pass
@(lambda f: f() + 1)
def w(): return 41
print(y, w)
