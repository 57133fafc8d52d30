# Simulation: discrete events, state machines, observers, elevator, bank queue, producer-consumer with generators.
import functools
class Sim:
    def __init__(self): self.now, self.queue, self.seq, self.log = 0, [], 0, []
    def at(self, delay, fn, *a):
        self.seq += 1
        item = (self.now + delay, self.seq, fn, a)
        lo, hi = 0, len(self.queue)
        while lo < hi:
            mid = (lo + hi) // 2
            if self.queue[mid][:2] < item[:2]: lo = mid + 1
            else: hi = mid
        self.queue.insert(lo, item)
    def run(self, until=100):
        while self.queue and self.queue[0][0] <= until:
            self.now, _, fn, a = self.queue.pop(0)
            fn(*a)
        return self.log
sim = Sim()
def ping(n):
    sim.log.append((sim.now, "ping", n))
    if n: sim.at(n, pong, n - 1)
def pong(n): sim.log.append((sim.now, "pong", n)); sim.at(1, ping, n)
sim.at(0, ping, 3); sim.at(2, lambda: sim.log.append((sim.now, "timer")))
print(sim.run())
class Machine:
    def __init__(self, table, state): self.table, self.state, self.history = table, state, [state]
    def fire(self, event):
        try: self.state = self.table[self.state, event]
        except KeyError: raise ValueError(f"no transition from {self.state} on {event}") from None
        self.history.append(self.state)
        return self
door = Machine({("closed", "open"): "opened", ("opened", "close"): "closed", ("closed", "lock"): "locked", ("locked", "unlock"): "closed"}, "closed")
print(door.fire("open").fire("close").fire("lock").history)
try:
    door.fire("open")
except ValueError as e:
    print(e, e.__cause__, e.__suppress_context__)
class Signal:
    def __init__(self): self.handlers = {}
    def connect(self, event, fn=None, *, once=False, priority=0):
        if fn is None: return functools.partial(self.connect, event, once=once, priority=priority)
        self.handlers.setdefault(event, []).append((-priority, len(self.handlers.get(event, ())), fn, once))
        self.handlers[event].sort(key=lambda h: h[:2])
        return fn
    def emit(self, event, *a, **k):
        out = []
        for h in list(self.handlers.get(event, ())):
            out.append(h[2](*a, **k))
            if h[3]: self.handlers[event].remove(h)
        return out
sig = Signal()
@sig.connect("x")
def first(v): return "first", v
@sig.connect("x", priority=5)
def urgent(v): return "urgent", v
sig.connect("x", lambda v: "once", once=True)
print(sig.emit("x", 1), sig.emit("x", 2), sig.emit("nothing"))
def lcg(seed):
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 33
rng = lcg(42)
def bank(n, tellers):
    free, t, waits = [0] * tellers, 0, []
    for _ in range(n):
        t += next(rng) % 10
        k = min(range(tellers), key=lambda i: (free[i], i))
        start = max(t, free[k])
        waits.append(start - t)
        free[k] = start + 5 + next(rng) % 10
    return waits
w = bank(50, 2)
print(sum(w), max(w), w[:10], [sum(bank(50, k)) for k in (1, 2, 3)])
class Elevator:
    def __init__(self): self.floor, self.dir, self.stops, self.trace = 0, 0, set(), []
    def call(self, f): self.stops.add(f)
    def step(self):
        if self.floor in self.stops: self.stops.discard(self.floor); self.trace.append(f"*{self.floor}"); return
        if not self.stops: self.dir = 0; return
        if self.dir >= 0 and max(self.stops) > self.floor: self.dir = 1
        elif min(self.stops) < self.floor: self.dir = -1
        else: self.dir = 1
        self.floor += self.dir
        self.trace.append(str(self.floor))
e = Elevator()
for f in (3, 1, 5): e.call(f)
for i in range(14):
    if i == 4: e.call(0)
    e.step()
print(" ".join(e.trace))
def producer(items, consumer):
    next(consumer)
    for i in items: consumer.send(i)
    consumer.close()
def broadcast(*targets):
    for t in targets: next(t)
    try:
        while True:
            x = yield
            for t in targets: t.send(x)
    finally:
        for t in targets: t.close()
def collector(out, pred=lambda x: True):
    try:
        while True:
            x = yield
            if pred(x): out.append(x)
    finally:
        out.append("closed")
evens, big = [], []
producer(range(10), broadcast(collector(evens, lambda x: x % 2 == 0), collector(big, lambda x: x > 6)))
print(evens, big)
class Task:
    def __init__(self, name, gen): self.name, self.gen, self.wake = name, gen, 0
def scheduler(tasks):
    now, log = 0, []
    while tasks:
        ready = [t for t in tasks if t.wake <= now]
        if not ready: now = min(t.wake for t in tasks); continue
        for t in ready:
            try:
                delay = next(t.gen)
                log.append((now, t.name, delay)); t.wake = now + delay
            except StopIteration as s:
                log.append((now, t.name, "done", s.value)); tasks.remove(t)
        now += 1
    return log
def job(n):
    for i in range(n): yield i + 1
    return n * n
for entry in scheduler([Task("a", job(2)), Task("b", job(3)), Task("c", job(0))]): print(entry)
traffic = {"red": ("green", 3), "green": ("yellow", 2), "yellow": ("red", 1)}
s, out = "red", []
for _ in range(7): out.append(s); s, d = traffic[s]
print(out, d)
