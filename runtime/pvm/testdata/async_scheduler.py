# An event loop written in Python: tasks, futures, sleep, gather, queues, cancellation, locks.
class Future:
    def __init__(self): self.done, self.value, self.error, self.waiters = False, None, None, []
    def set(self, v=None, error=None):
        self.done, self.value, self.error = True, v, error
        for t in self.waiters: loop.ready.append(t)
        self.waiters = []
    def __await__(self):
        if not self.done: yield self
        if self.error: raise self.error
        return self.value
class Cancelled(BaseException): pass
class Task(Future):
    def __init__(self, coro, name): super().__init__(); self.coro, self.name, self.cancelled = coro, name, False
    def step(self):
        try:
            if self.cancelled: self.cancelled = False; fut = self.coro.throw(Cancelled())
            else: fut = self.coro.send(None)
            if fut.done: loop.ready.append(self)
            else: fut.waiters.append(self)
        except StopIteration as e: self.set(e.value)
        except Cancelled: self.set(error=RuntimeError(f"{self.name} cancelled"))
        except Exception as e: self.set(error=e)
    def cancel(self): self.cancelled = True; loop.ready.append(self)
class Loop:
    def __init__(self): self.ready, self.timers, self.now, self.n = [], [], 0, 0
    def spawn(self, coro, name=None):
        self.n += 1
        t = Task(coro, name or f"task{self.n}")
        self.ready.append(t)
        return t
    def sleep(self, d):
        f = Future()
        self.n += 1
        self.timers.append((self.now + d, self.n, f)); self.timers.sort(key=lambda x: x[:2])
        return f
    def run(self, coro):
        main = self.spawn(coro, "main")
        while not main.done:
            while self.ready:
                t = self.ready.pop(0)
                if not t.done: t.step()
            if main.done: break
            if not self.timers: raise RuntimeError("deadlock")
            self.now, _, f = self.timers.pop(0)
            f.set()
        for _, _, f in self.timers: f.waiters.clear()
        if main.error: raise main.error
        return main.value
log = []
def say(*a): log.append((loop.now, *a))
async def worker(n, d):
    for i in range(n):
        await loop.sleep(d)
        say("worker", d, i)
    return d * n
async def gather(*coros):
    tasks = [loop.spawn(c) for c in coros]
    return [await t for t in tasks]
async def main1():
    r = await gather(worker(2, 3), worker(3, 2), worker(1, 1))
    say("results", r)
    return sum(r)
loop = Loop()
print(loop.run(main1()), log)
class Queue:
    def __init__(self, cap): self.items, self.cap, self.getters, self.putters = [], cap, [], []
    async def put(self, x):
        while len(self.items) >= self.cap:
            f = Future(); self.putters.append(f); await f
        self.items.append(x)
        if self.getters: self.getters.pop(0).set()
    async def get(self):
        while not self.items:
            f = Future(); self.getters.append(f); await f
        x = self.items.pop(0)
        if self.putters: self.putters.pop(0).set()
        return x
    def __aiter__(self): return self
    async def __anext__(self):
        x = await self.get()
        if x is None: raise StopAsyncIteration
        return x
async def produce(q, n):
    for i in range(n):
        await q.put(i); say("put", i)
    await q.put(None)
async def consume(q):
    out = []
    async for x in q:
        await loop.sleep(1)
        out.append(x * x); say("got", x)
    return out
async def main2():
    q = Queue(2)
    loop.spawn(produce(q, 4))
    return await consume(q)
loop, log = Loop(), []
print(loop.run(main2()), log)
class Lock:
    def __init__(self): self.held, self.waiting = False, []
    async def __aenter__(self):
        while self.held:
            f = Future(); self.waiting.append(f); await f
        self.held = True
        return self
    async def __aexit__(self, *a):
        self.held = False
        if self.waiting: self.waiting.pop(0).set()
async def critical(lock, name):
    async with lock:
        say(name, "in"); await loop.sleep(2); say(name, "out")
async def main3():
    lock = Lock()
    await gather(*(critical(lock, c) for c in "abc"))
    async def never():
        try:
            await loop.sleep(1000)
        except Cancelled:
            say("cleanup")
            raise
        finally:
            say("finally")
    t = loop.spawn(never(), "never")
    await loop.sleep(1)
    t.cancel()
    try:
        await t
    except RuntimeError as e:
        say(str(e))
    async def fails(): await loop.sleep(1); raise ValueError("inside")
    try:
        await gather(fails(), worker(1, 5))
    except ValueError as e:
        say("caught", str(e))
    async def timeout(coro, d):
        t = loop.spawn(coro, "timed")
        async def killer(): await loop.sleep(d); t.done or t.cancel()
        loop.spawn(killer())
        return await t
    try:
        await timeout(loop_forever(), 3)
    except RuntimeError as e:
        say(str(e))
    return await timeout(worker(1, 1), 3)
async def loop_forever():
    while True: await loop.sleep(1)
loop, log = Loop(), []
print(loop.run(main3()))
for e in log: print(e)
async def agen(n):
    for i in range(n):
        await loop.sleep(i)
        yield i
async def main4():
    return [x async for x in agen(4) if x != 2], {k: v async for k, v in pairs()}, sum([y async for y in agen(3)])
async def pairs():
    for c in "ab":
        await loop.sleep(1)
        yield c, c * 2
loop, log = Loop(), []
print(loop.run(main4()), loop.now)
loop = None
