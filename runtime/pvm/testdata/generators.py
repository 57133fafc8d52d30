def g():
    x = yield 1
    print("got", x)
    try:
        y = yield 2
    except ValueError as e:
        print("caught", e)
        y = "exc"
    print("y", y)
    return "result"
it = g()
print(next(it), it.send("a"))
try:
    it.throw(ValueError("bad"))
except StopIteration as e:
    print("stop", e.value)
def sub():
    a = yield "s1"
    print("sub got", a)
    b = yield "s2"
    return (a, b)
def outer():
    r = yield from sub()
    print("r", r)
    yield from [10, 20]
    return "end"
o = outer()
print(next(o), o.send("A"), o.send("B"), next(o))
try:
    next(o)
except StopIteration as e:
    print(e.value)
def closing():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        print("exit")
        raise
    finally:
        print("cleanup")
c = closing(); next(c); c.close()
def bad():
    try:
        yield 1
    except GeneratorExit:
        yield 2
b = bad(); next(b)
try:
    b.close()
except RuntimeError as e:
    print(e)
def stopper():
    yield 1
    raise StopIteration("x")
try:
    list(stopper())
except RuntimeError as e:
    print(e, repr(e.__cause__))
print(sum(x * x for x in range(10)), list(x + y for x in "ab" for y in "cd"))
def fibs():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
out = []
for f in fibs():
    if f > 100:
        break
    out.append(f)
print(out)
gen = (i for i in [1, 2, 3])
print(next(gen), list(gen), list(gen))
def inf():
    n = 0
    while True:
        r = yield n
        n = r if r is not None else n + 1
i = inf(); next(i); print(i.send(10), next(i))
try:
    h = g(); h.send(1)
except TypeError as e:
    print(e)
def deleg():
    try:
        yield from closing()
    except ValueError:
        print("deleg caught")
        yield "after"
d = deleg(); next(d); print(d.throw(ValueError("z")))
class Co:
    def __init__(self, v): self.v = v
    def __await__(self):
        r = yield self.v
        return r
async def co(n):
    x = await Co(n)
    return x * 2
async def main():
    a = await co(1)
    b = await co(2)
    return a + b
m = main()
print(m.send(None)); print(m.send(10))
try:
    m.send(20)
except StopIteration as e:
    print("result", e.value)
async def agen():
    for i in range(3):
        x = await Co(i)
        yield x
class ACM:
    async def __aenter__(self):
        print("aenter", await Co("e"))
        return "val"
    async def __aexit__(self, *a):
        print("aexit", await Co("x"), a[0])
        return True
async def use():
    out = []
    async for v in agen():
        out.append(v)
    else:
        out.append("else")
    async with ACM() as v:
        out.append(v)
        raise ValueError("q")
    comp = [v async for v in agen() if v != 101]
    gen = (v * 2 async for v in agen())
    async for z in gen:
        out.append(z)
    return out, comp
def drive(c):
    v, n = None, 0
    try:
        while True:
            y = c.send(v)
            print("yielded", y)
            v = 100 + n
            n += 1
    except StopIteration as e:
        return e.value
print(drive(use()))
class AIt:
    def __init__(self): self.n = 0
    def __aiter__(self): return self
    async def __anext__(self):
        self.n += 1
        if self.n > 3: raise StopAsyncIteration
        return self.n
async def use2():
    return [x async for x in AIt()], {x: y async for x in AIt() for y in [x]}
print(drive(use2()))
async def noawait(): return 1
try:
    for x in noawait(): pass
except TypeError as e:
    print(e)
ag = agen()
print(type(ag).__name__, type(noawait()).__name__)
def multi():
    x = yield
    while x:
        x = yield x + 1
mm = multi(); next(mm); print(mm.send(5), mm.send(6))
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)
print(list(tree(3)))
def swap():
    try:
        raise ValueError("in gen")
    except ValueError:
        yield 1
        try:
            raise
        except ValueError as e:
            yield str(e)
s = swap()
try:
    raise KeyError("outer")
except KeyError:
    next(s)
print(next(s))
def ctx():
    try:
        yield
    except ValueError as e:
        raise KeyError("k") from e
q = ctx(); next(q)
try:
    q.throw(ValueError, "vv")
except KeyError as e:
    print(repr(e), repr(e.__cause__))
