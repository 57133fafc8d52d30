# with: protocol, suppression, several managers, targets.
class CM:
    def __init__(self, name, suppress=False, fail=None): self.name, self.suppress, self.fail = name, suppress, fail
    def __enter__(self):
        print("enter", self.name)
        if self.fail == "enter": raise RuntimeError("enter " + self.name)
        return self.name.upper()
    def __exit__(self, t, v, tb):
        print("exit", self.name, t and t.__name__, v, tb is not None)
        if self.fail == "exit": raise RuntimeError("exit " + self.name)
        return self.suppress
with CM("a") as a, CM("b") as b: print(a, b)
with (CM("c") as c, CM("d"),): print(c)
with CM("s", suppress=True): raise ValueError("gone")
print("after")
try:
    with CM("x") as x, CM("y", suppress=False): raise ValueError("kept")
except ValueError as e:
    print("caught", e)
for kw in ({"fail": "enter"}, {"fail": "exit"}, {"fail": "exit", "suppress": True}):
    try:
        with CM("o"), CM("i", **kw): print("body")
    except RuntimeError as e:
        print(type(e).__name__, e, repr(e.__context__))
def f():
    with CM("ret") as r: return r
def g():
    for i in range(3):
        with CM(str(i)):
            if i == 0: continue
            if i == 1: break
    return i
print(f(), g())
class Multi:
    def __enter__(self): return (1, [2, 3])
    def __exit__(self, *a): return None
d = {}
with Multi() as (p, [q, r]), Multi() as d["k"], Multi() as CM.attr: print(p, q, r, d, CM.attr)
class NoExit:
    def __enter__(self): pass
class NoEnter:
    def __exit__(self, *a): pass
for c in (NoExit, NoEnter, object, lambda: 5):
    try:
        with c(): print("no")
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
class Stack:
    def __init__(self): self.cbs = []
    def push(self, f): self.cbs.append(f)
    def __enter__(self): return self
    def __exit__(self, *exc):
        while self.cbs: self.cbs.pop()(*exc)
with Stack() as s:
    s.push(lambda *e: print("first", e)); s.push(lambda *e: print("second", e))
class Instance: pass
i = Instance()
i.__enter__ = lambda: 1
i.__exit__ = lambda *a: None
try:
    with i: pass
except TypeError as e:
    print(e)
class Raises:
    def __enter__(self): return self
    def __exit__(self, t, v, tb):
        if t is KeyError: raise ValueError("translated") from v
try:
    with Raises(): {}["missing"]
except ValueError as e:
    print(e, repr(e.__cause__))
def gen():
    with CM("gen"): yield 1; yield 2
it = gen()
print(next(it)); it.close()
class Tx:
    def __init__(self, db): self.db = db
    def __enter__(self): self.saved = dict(self.db); return self.db
    def __exit__(self, t, *a):
        if t: self.db.clear(); self.db.update(self.saved)
        return t is ValueError
db = {"x": 1}
with Tx(db) as t: t["x"] = 2
with Tx(db) as t: t["x"] = 3; raise ValueError
print(db)
with CM("truthy", suppress="yes"): raise KeyError("k")
with CM("outer"):
    with CM("inner", suppress=True): raise IndexError("i")
    print("continues")
