# Coroutines driven by hand: await, async for, async with, async generators.
def drive(coro):
    sent = None
    trace = []
    while True:
        try:
            trace.append(coro.send(sent))
            sent = len(trace)
        except StopIteration as e:
            return trace, e.value
class Awaitable:
    def __init__(self, v): self.v = v
    def __await__(self):
        got = yield self.v
        return (self.v, got)
async def simple(): return 42
async def one(x):
    r = await Awaitable(x)
    return r
async def two():
    a = await one("a")
    b = await one("b")
    return a, b, await simple()
print(drive(simple()), drive(one(1)), drive(two()))
class ACM:
    def __init__(self, n, suppress=False): self.n, self.s = n, suppress
    async def __aenter__(self):
        await Awaitable("enter " + self.n)
        return self.n
    async def __aexit__(self, t, v, tb):
        await Awaitable("exit " + self.n + (" " + t.__name__ if t else ""))
        return self.s
async def withs():
    async with ACM("x") as x, ACM("y") as y:
        pass
    async with (ACM("z", True) as z):
        raise ValueError("suppressed")
    try:
        async with ACM("w"):
            raise KeyError("k")
    except KeyError as e:
        return x, y, z, str(e)
print(drive(withs()))
class AIter:
    def __init__(self, n): self.i, self.n = 0, n
    def __aiter__(self): return self
    async def __anext__(self):
        if self.i >= self.n: raise StopAsyncIteration
        self.i += 1
        await Awaitable(("tick", self.i))
        return self.i
async def fors():
    out = []
    async for x in AIter(3):
        if x == 2: continue
        out.append(x)
    else:
        out.append("else")
    async for y in AIter(5):
        if y > 1: break
    return out, y
print(drive(fors()))
async def agen(n):
    for i in range(n):
        got = yield i
        if got: await Awaitable(("got", got))
async def use_agen():
    out = [x async for x in agen(4) if x % 2]
    out2 = {x: await one(x) async for x in agen(2)}
    out3 = [y for y in [await one(9)]]
    g = agen(3)
    first = await g.__anext__()
    second = await g.asend("hello")
    await g.aclose()
    try:
        await g.__anext__()
    except StopAsyncIteration:
        closed = True
    s = {x async for x in agen(2)}
    lst = [i async for i in (j * 2 async for j in agen(3))]
    return out, out2, out3, first, second, closed, sorted(s), lst
print(drive(use_agen()))
async def athrow():
    async def g():
        try:
            yield 1
        except ValueError as e:
            yield "caught " + str(e)
        finally:
            await Awaitable("cleanup")
    it = g()
    a = await it.__anext__()
    b = await it.athrow(ValueError("v"))
    await it.aclose()
    return a, b
print(drive(athrow()))
async def raises():
    await Awaitable(1)
    raise RuntimeError("from coroutine")
async def catches():
    try:
        await raises()
    except RuntimeError as e:
        return "caught", str(e)
    finally:
        await Awaitable("finally")
print(drive(catches()))
c = one("t")
print(c.send(None))
try:
    c.throw(ValueError("thrown in"))
except ValueError as e:
    print("out", e)
d = one("u")
d.send(None); d.close()
for f in (lambda: d.send(None), lambda: iter(simple()), lambda: drive(bad_await()), lambda: drive(bad_for()), lambda: drive(bad_with())):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
async def bad_await(): await 5
async def bad_for():
    async for x in [1]: pass
async def bad_with():
    async with 5: pass
for f in (bad_await, bad_for, bad_with):
    try:
        drive(f())
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
co = simple()
print(type(co).__name__, type(agen(1)).__name__, simple.__name__, co.__name__, hasattr(co, "__await__"), type(co.__await__()).__name__)
co.close()
class Sched:
    def __init__(self): self.queue, self.log = [], []
    def spawn(self, name, coro): self.queue.append((name, coro))
    def run(self):
        while self.queue:
            name, coro = self.queue.pop(0)
            try:
                self.log.append((name, coro.send(None)))
                self.queue.append((name, coro))
            except StopIteration as e:
                self.log.append((name, "done", e.value))
        return self.log
async def worker(n):
    for i in range(n): await Awaitable(i)
    return n * 10
s = Sched()
for i in range(3): s.spawn(f"w{i}", worker(i))
print(s.run())
async def nested_comp(): return [[await one(i + j) for j in range(2)] for i in range(2)]
print(drive(nested_comp()))
async def aiter_builtin():
    it = aiter(AIter(2))
    return await anext(it), await anext(it), await anext(it, "default")
print(drive(aiter_builtin()))
async def lam(): return (lambda: 5)(), await (lambda: one(3))()
print(drive(lam()))
