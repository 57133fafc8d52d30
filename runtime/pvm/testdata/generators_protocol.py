# Generators: send, throw, close, return values, yield from, delegation.
def echo():
    got = yield "start"
    while True:
        try:
            got = yield ("got", got)
        except ValueError as e:
            got = "caught " + str(e)
        except GeneratorExit:
            print("closing")
            return
g = echo()
print(next(g), g.send(1), g.send(None), g.throw(ValueError("boom")), g.send(2))
g.close(); g.close()
for f in (lambda: next(g), lambda: g.send(1), lambda: g.throw(KeyError("k")), lambda: echo().send(5), lambda: echo().throw(ValueError("early"))):
    try:
        print(f())
    except BaseException as e:
        print(type(e).__name__, e)
def ret():
    yield 1
    return "value"
r = ret()
next(r)
try:
    next(r)
except StopIteration as e:
    print(e.value, e.args)
def delegate():
    x = yield from ret()
    print("sub returned", x)
    y = yield from [10, 20]
    print("list returned", y)
    z = yield from (i * i for i in range(2))
    return x, y, z
def run(gen):
    out = []
    while True:
        try:
            out.append(next(gen))
        except StopIteration as e:
            return out, e.value
print(run(delegate()))
def inner():
    try:
        while True:
            v = yield
            print("inner got", v)
    except KeyError as e:
        print("inner caught", e)
        yield "handled"
    finally:
        print("inner finally")
    return "inner done"
def outer():
    r = yield from inner()
    print("outer got", r)
    yield "last"
o = outer()
next(o)
o.send("a"); o.send("b")
print(o.throw(KeyError("k")), next(o))
o2 = outer()
next(o2)
o2.close()
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
def take(n, it):
    for x in it:
        if n <= 0: return
        n -= 1
        yield x
def filt(p, it):
    for x in it:
        if p(x): yield x
print(list(take(10, fib())), list(take(5, filt(lambda x: x % 2 == 0, fib()))), sum(take(20, fib())))
def tree(n): 
    if n: yield from tree(n - 1); yield n; yield from tree(n - 1)
print(list(tree(3)), max(tree(5)))
def flatten(x):
    for i in x:
        if isinstance(i, list): yield from flatten(i)
        else: yield i
print(list(flatten([1, [2, [3, [4]], 5], [], [[6]]])))
def ignore_exit():
    try:
        yield 1
    except GeneratorExit:
        yield 2
i = ignore_exit()
next(i)
try:
    i.close()
except RuntimeError as e:
    print(e)
def reenter():
    yield next(me)
me = reenter()
try:
    next(me)
except ValueError as e:
    print(e)
del me
def stop_in():
    yield 1
    next(iter([]))
    yield 2
try:
    list(stop_in())
except RuntimeError as e:
    print(e, type(e.__cause__).__name__)
def throw_types():
    while True:
        try:
            yield
        except Exception as e:
            print(type(e).__name__, e.args)
t = throw_types()
next(t)
t.throw(ValueError); t.throw(ValueError, "msg"); t.throw(ValueError("inst")); t.throw(KeyError, KeyError("k"))
for bad in (5, "x", int):
    try:
        t.throw(bad)
    except TypeError as e:
        print(e)
def accumulate():
    total = 0
    while True:
        x = yield total
        if x is None: return total
        total += x
acc = accumulate()
next(acc)
print([acc.send(x) for x in (1, 2, 3)])
try:
    acc.send(None)
except StopIteration as e:
    print("total", e.value)
print(type(g).__name__, hasattr(g, "__next__"), iter(r) is r, g.gi_running if False else "", echo.__name__, echo().__name__, delegate().__qualname__)
class Iter:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 3: raise StopIteration("end")
        return self.n
    def send(self, v): return ("sent", v)
    def throw(self, *a): return ("thrown", a[0])
    def close(self): print("iter close")
def from_iter():
    r = yield from Iter()
    print("r", r)
f = from_iter()
print(next(f), f.send("x"), f.throw(ValueError("x")).__class__, next(f))
f.close()
def gen_with_finally(log):
    try:
        yield 1
        yield 2
    finally:
        log.append("fin")
log = []
for x in gen_with_finally(log): pass
h = gen_with_finally(log)
next(h); h.close()
print(log)
def expr_yield():
    x = [(yield 1), (yield 2)]
    return x, (yield)
e = expr_yield()
print(next(e), e.send("a"), e.send("b"))
try:
    e.send("c")
except StopIteration as s:
    print(s.value)
def pipeline():
    def src(): yield from range(10)
    def double(it): return (x * 2 for x in it)
    def chunk(it, n):
        buf = []
        for x in it:
            buf.append(x)
            if len(buf) == n: yield buf; buf = []
        if buf: yield buf
    return list(chunk(double(src()), 3))
print(pipeline())
lam = lambda: (yield 5)
print(list(lam()), [*fib.__call__().__class__.__mro__][0].__name__, any(x > 100 for x in fib()), next((x for x in fib() if x > 1000)))
