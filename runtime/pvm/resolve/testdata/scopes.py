x = 1
def f(a, b=x, *args, c: int = 2, d, **kw):
    global g
    g = a
    def inner():
        nonlocal b
        b = [a + i + y for i in args if (lambda: i)()]
        return lambda: (b, c, undefined)
    y = {k: v for k, v in kw.items() for z in [k] if (w := z)}
    return inner, w, (q for q in y if q != a)
class A(object, metaclass=type):
    z = x
    __private = z
    def m(self, /):
        return super().m(), self.__private, __class__, [super for _ in z]
    class B:
        zz = [z for z in range(3) if x]
        def n(self): return __class__, z
    def gen(self):
        yield from (yield self.__x__)
def outer():
    x = 1
    class C:
        x = x
        y = [x for _ in range(2)]
        def m(self): return x
        class D:
            print(x, __class__)
    class E:
        nonlocal x
        x = 5
        global gg
        gg = [gg]
        def gg2(self): return gg
    def h():
        global x
        def i():
            return x
        x = lambda: (yield)
    try: pass
    except Exception as e: lambda: e
    import os.path as p, sys.path, a.b
    from m import nn
    return [(lambda: (j, p, sys))() for j in x for k in j if [l for l in k if j]]
async def co(a):
    async with a as b: await b
    async for c in b: pass
    d = [e async for e in c]
    f = [[await h for h in g] for g in d]
    return (i async for i in f), (await j for j in f), {k: await l for k, l in f}
async def ag():
    yield 1
    match x:
        case [a, *rest, {"k": v, **kw}, A(b=c) as d, 1 | 2]: lambda: (rest, kw)
        case y: pass
(m := 3)
print([n := o for o in range(3)])
def walrus(p):
    any((q := r) for r in p)
    global s
    [s := t for t in p]
    return [[u := v for v in w] for w in p], lambda: (x2 := 5)
def annotated():
    v: int = 1
    w: str
    (a): int
    a.b: int = 1
    return lambda: w
def deco():
    @staticmethod
    def d(x: x, y=lambda z: z) -> x: return d
    @d
    class K(d): d = d; e = lambda: d
    del d
    for i in K: print(i)
    else: K
    with d() as (a, [b, *c]): pass
    def _(): return a, b, c
    while (ww := x): break
    return lambda: ww
class _: __x = 1
class __: __x = 1
class ___Foo:
    def __m(self, __a): __b = __a; return __b, self.__c, __d__, lambda: __a
    import __mod, q.__r as __s
    global __g
    __g = 1
