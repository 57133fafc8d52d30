# Star arguments in unusual places, and the order of evaluation.
log = []
def t(x): log.append(x); return x
def show(*a, **k): return a, k
print(show(t(1), *t([2]), t(3), k=t(4), *t([5]), **t({"z": 6})), log)
class M:
    def keys(self): return ["a", "b"]
    def __getitem__(self, k): return k * 2
print(show(**M()), {**M()}, dict(M()), show(*{"x": 1}, *(i for i in "pq")))
def f(a, b, *, c=0): return a, b, c
for call in (lambda: f(1, *(2,), a=3), lambda: f(*(1, 2, 3)), lambda: f(**{"a": 1}), lambda: f(1, b=2, **{"b": 3}), lambda: f(1, 2, **{"d": 3}), lambda: f(*None), lambda: f(1, 2, **None), lambda: f(1, *2), lambda: show(**{"a": 1}, a=2) if False else show(**{"a": 1}, **{"a": 2})):
    try:
        print(call())
    except TypeError as e:
        print(e)
print([*range(3), *[], *"a"], (*"ab",), {*[1], *[1]}, {**{"a": 1}, "a": 2}, [*{1: 2}.items()], [*b"a"])
a, *b = *range(3), *"x"
print(a, b, *b, end=".\n")
def gen(): yield from (1, 2)
print(show(*gen(), **dict(k=1)), max(*gen()), [*gen(), *gen()])
d = {"self": 1, "cls": 2}
print(show(**d), (lambda self=0, **k: (self, k))(**d))
def kwonly(*, a, b=2): return a, b
print(kwonly(a=1), kwonly(**{"b": 1, "a": 0}))
class Callable:
    def __call__(self, x, /, y=1, *r, z, **k): return x, y, r, z, k
print(Callable()(1, z=2), Callable()(1, 2, 3, z=4, w=5), Callable.__call__(Callable(), 9, z=0))
print((lambda a, b=2, /, c=3, *d, e, f=6, **g: [a, b, c, d, e, f, g])(1, e=5, g=7), (lambda **kw: kw)(**{"not an identifier": 1}))
