# Contract-like programs: token, escrow, auction, constant-product pool, voting, vesting, multisig.
class ContractError(Exception): pass
def require(cond, msg):
    if not cond: raise ContractError(msg)
class Token:
    def __init__(self, supply, owner): self.balances, self.allow, self.supply, self.events = {owner: supply}, {}, supply, []
    def _move(self, a, b, n):
        require(n >= 0, "negative amount")
        require(self.balances.get(a, 0) >= n, f"{a}: insufficient balance")
        self.balances[a] -= n
        self.balances[b] = self.balances.get(b, 0) + n
        self.events.append(("Transfer", a, b, n))
    def transfer(self, sender, to, n): self._move(sender, to, n)
    def approve(self, owner, spender, n): self.allow[owner, spender] = n
    def transfer_from(self, spender, a, b, n):
        require(self.allow.get((a, spender), 0) >= n, "allowance exceeded")
        self.allow[a, spender] -= n
        self._move(a, b, n)
    def invariant(self): return sum(self.balances.values()) == self.supply
t = Token(1000, "alice")
t.transfer("alice", "bob", 300); t.approve("bob", "carol", 100); t.transfer_from("carol", "bob", "dave", 60)
for f in (lambda: t.transfer("bob", "x", 10**6), lambda: t.transfer_from("carol", "bob", "dave", 60), lambda: t.transfer("bob", "x", -1)):
    try:
        f()
    except ContractError as e:
        print("reverted:", e)
print(t.balances, t.invariant(), t.events)
class Pool:
    FEE = 3
    def __init__(self, x, y): self.x, self.y, self.shares = x, y, {}
    def swap_x(self, dx, min_out=0):
        din = dx * (1000 - self.FEE)
        dy = self.y * din // (self.x * 1000 + din)
        require(dy >= min_out, f"slippage: {dy} < {min_out}")
        self.x += dx; self.y -= dy
        return dy
    @property
    def k(self): return self.x * self.y
p = Pool(10**6, 2 * 10**6)
k = p.k
print([p.swap_x(10**4 * i) for i in range(1, 5)], p.x, p.y, p.k >= k)
try:
    p.swap_x(10, 10**9)
except ContractError as e:
    print(e)
class Auction:
    def __init__(self, seller, end): self.seller, self.end, self.best, self.refunds = seller, end, (0, None), {}
    def bid(self, who, n, now):
        require(now < self.end, "ended"); require(n > self.best[0], "too low")
        if self.best[1]: self.refunds[self.best[1]] = self.refunds.get(self.best[1], 0) + self.best[0]
        self.best = (n, who)
    def settle(self, now): require(now >= self.end, "running"); return {"winner": self.best[1], "paid": self.best[0], "refunds": dict(sorted(self.refunds.items()))}
a = Auction("s", 10)
log = []
for who, n, now in (("u", 5, 1), ("v", 7, 2), ("u", 6, 3), ("u", 9, 4), ("w", 20, 11)):
    try:
        a.bid(who, n, now); log.append((who, n))
    except ContractError as e:
        log.append((who, str(e)))
print(log, a.settle(10))
class Vesting:
    def __init__(self, total, start, cliff, duration): self.total, self.start, self.cliff, self.duration, self.taken = total, start, cliff, duration, 0
    def vested(self, now): return 0 if now < self.start + self.cliff else min(self.total, self.total * (now - self.start) // self.duration)
    def claim(self, now): n = self.vested(now) - self.taken; self.taken += n; return n
v = Vesting(10000, 100, 25, 100)
print([v.claim(n) for n in (90, 110, 125, 130, 190, 250, 300)], v.taken)
class Multisig:
    def __init__(self, owners, need): self.owners, self.need, self.txs = set(owners), need, []
    def submit(self, who, fn): self.txs.append([fn, set(), False]); return self.confirm(who, len(self.txs) - 1)
    def confirm(self, who, i):
        require(who in self.owners, "not an owner")
        fn, ok, done = self.txs[i]
        require(not done, "executed"); ok.add(who)
        if len(ok) >= self.need: self.txs[i][2] = True; return "executed", fn()
        return "pending", self.need - len(ok)
m = Multisig("abc", 2)
print(m.submit("a", lambda: 42), m.confirm("a", 0), m.confirm("b", 0))
for f in (lambda: m.confirm("c", 0), lambda: m.confirm("z", 0)):
    try:
        f()
    except ContractError as e:
        print(e)
class Vote:
    def __init__(self, options, weights): self.weights, self.tally, self.voted, self.delegate = weights, dict.fromkeys(options, 0), {}, {}
    def resolve(self, who, seen=()):
        require(who not in seen, "delegation loop")
        return self.resolve(self.delegate[who], (*seen, who)) if who in self.delegate else who
    def cast(self, who, opt): require(who not in self.voted, "already voted"); self.voted[who] = opt
    def result(self):
        for w, n in self.weights.items():
            opt = self.voted.get(self.resolve(w))
            if opt: self.tally[opt] += n
        return max(self.tally.items(), key=lambda kv: kv[1]), self.tally
vt = Vote(["yes", "no"], {"a": 5, "b": 3, "c": 4, "d": 1})
vt.cast("a", "yes"); vt.cast("c", "no"); vt.delegate["b"] = "c"; vt.delegate["d"] = "b"
print(vt.result())
class Storage:
    "Journaled storage with nested checkpoints."
    def __init__(self): self.d, self.log = {}, []
    def set(self, k, v): self.log.append((k, self.d.get(k))); self.d[k] = v
    def __enter__(self): self.log.append(None); return self
    def __exit__(self, t, v, tb):
        while (e := self.log.pop()) is not None:
            if t:
                k, old = e
                if old is None: self.d.pop(k, None)
                else: self.d[k] = old
        return t is not None and issubclass(t, ContractError)
s = Storage()
with s: s.set("a", 1)
with s:
    s.set("a", 2); s.set("b", 3)
    require(False, "rollback")
print(s.d)
def fixed(x): return int(x * 10**9)
def mul(a, b): return a * b // 10**9
def interest(principal, rate, periods):
    for _ in range(periods): principal += mul(principal, rate)
    return principal
print(interest(fixed(1000), fixed(0.05), 10), [10**9 * i // 3 for i in range(4)], divmod(10**18, 7))
