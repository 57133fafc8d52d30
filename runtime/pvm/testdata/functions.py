# Calls: defaults, keyword-only, positional-only, star-args, errors.
def f(a, b=2, *args, c, d=4, **kw): return a, b, args, c, d, kw
print(f(1, c=3), f(1, 5, 6, 7, c=3, e=9), f(*[1, 2, 3], **{"c": 4, "z": 5}), f(a=1, c=2), f(1, *(), c=3, **{}), f(*"ab", *[1], c=1, **{"x": 1}, **{"y": 2}))
def g(a, b, /, c, *, d): return a, b, c, d
print(g(1, 2, 3, d=4), g(1, 2, c=3, d=4))
def h(a, /, **kw): return a, kw
print(h(1, a=2), (lambda x, /, y=2, *, z=3: (x, y, z))(1, z=5))
def defaults(x, acc=[]):
    acc.append(x)
    return acc
print(defaults(1), defaults(2), defaults(3, []), defaults.__defaults__, f.__kwdefaults__, f.__defaults__)
n = 1
def late(v=n): return v
n = 2
print(late(), late(n))
def no_return(): pass
def bare(): return
def many(): return 1, 2
def annotated(a: int, *b: str, c: "x" = 5, **d: list) -> dict:
    "A docstring."
    local: int = 3
    return locals() if False else local
print(no_return(), bare(), many(), annotated(1), annotated.__annotations__, annotated.__doc__, annotated.__name__, annotated.__module__)
calls = [
    lambda: f(), lambda: f(1), lambda: f(1, c=2, a=3), lambda: g(1, 2), lambda: g(a=1, b=2, c=3, d=4), lambda: g(1, 2, 3, 4), lambda: g(1, 2, 3, d=4, e=5), lambda: h(), lambda: h(a=1),
    lambda: no_return(1), lambda: no_return(x=1), lambda: many(*[1, 2]), lambda: f(*5), lambda: f(**5), lambda: f(**{1: 2}), lambda: f(1, **{"c": 1}, **{"c": 2}), lambda: (lambda a, b: 0)(1), lambda: (lambda a, b, c: 0)(),
    lambda: (lambda *, k, j: 0)(), lambda: (lambda a=1: 0)(1, 2), lambda: (lambda a, b=1: 0)(1, 2, 3), lambda: (lambda a: 0)(1, b=2), lambda: 5(), lambda: "s"(), lambda: None(), lambda: len(), lambda: len(1, 2), lambda: len(x=1), lambda: print(foo=1),
    lambda: [].append(), lambda: [].append(1, 2), lambda: "".join(), lambda: isinstance(1), lambda: range(1, 2, 3, 4), lambda: (lambda a, /: 0)(a=1), lambda: (lambda *, a: 0)(1),
]
for i, c in enumerate(calls):
    try:
        print(i, c())
    except TypeError as e:
        print(i, e)
def order(tag, v=None): print(tag, end=" "); return v if v is not None else tag
f(order("a"), *order("b", [1]), c=order("c"), **order("d", {"q": order("e")}))
print()
order("fn", lambda *a, **k: print("called"))(order(1), x=order(2))
def deco(tag):
    print("deco", tag)
    def wrap(fn):
        print("wrap", tag, fn.__name__)
        def inner(*a, **k): return tag, fn(*a, **k)
        return inner
    return wrap
@deco("outer")
@deco("inner")
def decorated(x=order("default")): return x
print(decorated(), decorated(5))
@lambda fn: fn.__name__
def named(): pass
print(named)
def attrs(): attrs.count += 1; return attrs.count
attrs.count = 0
print(attrs(), attrs(), attrs.__dict__, hasattr(attrs, "nope"))
def rec(n): return 1 if n == 0 else n * rec(n - 1)
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
print(rec(20), even(50), odd(33))
def deep(n): return deep(n + 1)
try:
    deep(0)
except RecursionError as e:
    print(type(e).__name__, "maximum recursion depth exceeded" in str(e))
def varargs(*args, **kwargs): return len(args), sorted(kwargs)
print(varargs(*range(100)), varargs(**{f"k{i}": i for i in range(5)}), varargs(*"abc", k=1), max(*[1, 5, 3]), print("x", "y", sep="-", end="!\n"))
print(*[1, 2], *"ab", sep="|")
print((lambda: (yield))().__class__.__name__, (lambda x: x)(5), [*map(lambda a, b: a + b, [1, 2], [3, 4])], list(filter(lambda v: v > 1, [1, 2, 3])))
x = 5
def uses_global(): return x
def swap(a, b): return b, a
x = 6
print(uses_global(), swap(*swap(1, 2)), (lambda *a: a)(*[1], 2, *[3]), dict(a=1, **{"b": 2}), f.__name__, f.__qualname__, type(f).__name__)
