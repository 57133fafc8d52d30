# OrderedDict stores items as its subclasses say.
from collections import OrderedDict
class L(OrderedDict):
    def __setitem__(self, k, v):
        print("set", k, v)
        super().__setitem__(k, v)
        self.move_to_end(k)
    def __missing__(self, k): return "missing"
d = L([(1, 2)], a=3)
d.update({5: 6}, b=7)
d.update([(1, 9)])
class K:
    def keys(self): return ["k"]
    def __getitem__(self, k): return k * 2
class I:
    def items(self): return [("i", 1)]
d.update(K())
d.update(I())
d |= {7: 8}
print(d, d | {9: 9}, {9: 8} | d, d.setdefault(20, 21), d["nope"])
print(L.fromkeys("ab"))
d.__init__({1: "x"})
print(d, d.copy())
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for x in ([0], [()], [(1,)], [(1, 2, 3)], 5, None, "ab", ["ab"], [[1, 2]], {1: 2}, {1}, [{1, 2}], iter([(1, 2)]), K(), I()):
    t(lambda: OrderedDict(x))
    t(lambda: OrderedDict().update(x))
t(lambda: OrderedDict(1, 2))
t(lambda: OrderedDict().update(1, 2))
t(lambda: OrderedDict(self=1, other=2))
t(lambda: OrderedDict().update(self=1, other=2))
class P(OrderedDict):
    def __delitem__(self, k): print("del", k); super().__delitem__(k)
    def __getitem__(self, k): print("get", k); return super().__getitem__(k)
p = P(a=1, b=2, c=3)
print(p.pop("a"), p.popitem(), p.popitem(False), p.pop("z", 5))
p["q"] = 1
print(p.get("q"), list(p.items()), p == {"q": 1}, p.setdefault("q", 5))
t(lambda: p.pop("z"))
t(lambda: OrderedDict().popitem())
t(lambda: OrderedDict().popitem(last=False))
t(lambda: OrderedDict(a=1).pop("a", default=3))
t(lambda: OrderedDict(a=1).move_to_end("a", last=False))
t(lambda: OrderedDict(a=1) == OrderedDict(a=1.0))
t(lambda: OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1))
t(lambda: OrderedDict(a=1, b=2) == dict(b=2, a=1))
t(lambda: reversed(OrderedDict(a=1, b=2).keys()).__next__())
