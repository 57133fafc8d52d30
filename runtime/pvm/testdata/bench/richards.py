class Packet:
    def __init__(self, link, ident, kind):
        self.link, self.ident, self.kind, self.datum = link, ident, kind, 0
        self.data = [0] * 4
    def append_to(self, queue):
        self.link = None
        if queue is None:
            return self
        p = queue
        while p.link is not None:
            p = p.link
        p.link = self
        return queue
class Task:
    tasks = {}
    def __init__(self, ident, priority, queue):
        self.ident, self.priority, self.queue = ident, priority, queue
        self.waiting, self.holding, self.runs = False, False, 0
        Task.tasks[ident] = self
    def add(self, packet):
        self.queue = packet.append_to(self.queue)
        self.waiting = False
    def run(self):
        self.runs += 1
        packet, p = None, self.queue
        if p is None:
            self.waiting = True
        else:
            packet, self.queue = p, p.link
        return self.step(packet)
    def step(self, packet):
        return None
class Idle(Task):
    def __init__(self, ident, count):
        super().__init__(ident, 0, None)
        self.control, self.count = 1, count
    def step(self, packet):
        self.waiting = False
        self.count -= 1
        if self.count == 0:
            self.holding = True
            return None
        if self.control & 1 == 0:
            self.control >>= 1
            return Task.tasks[4]
        self.control = self.control >> 1 ^ 0xd008
        return Task.tasks[5]
class Worker(Task):
    def __init__(self, ident, priority, queue):
        super().__init__(ident, priority, queue)
        self.dest, self.n = 4, 0
    def step(self, packet):
        if packet is None:
            return None
        self.dest = 9 - self.dest
        packet.ident, packet.datum = self.dest, 0
        for i in range(4):
            self.n = self.n % 26 + 1
            packet.data[i] = 64 + self.n
        Task.tasks[self.dest].add(packet)
        return Task.tasks[self.dest]
class Device(Task):
    def step(self, packet):
        if packet is None:
            return None
        packet.datum += sum(packet.data) & 7
        Task.tasks[2].add(packet)
        return Task.tasks[2]
def schedule(order):
    steps = 0
    while True:
        ran = False
        for t in order:
            if not (t.waiting or t.holding):
                nxt = t
                while nxt is not None and not nxt.holding and steps < 400000:
                    steps += 1
                    nxt = nxt.run()
                ran = True
        if not ran or steps >= 400000:
            return steps
def run():
    q = None
    for i in range(3):
        q = Packet(None, 2, 1).append_to(q)
    order = [Idle(1, 100000), Worker(2, 1000, q), Device(4, 2000, None), Device(5, 3000, None)]
    n = schedule(order)
    return n, [t.runs for t in order]
result = run()
Task.tasks.clear()
print(result)
