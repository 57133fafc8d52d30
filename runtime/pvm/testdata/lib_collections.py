# collections.
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple, ChainMap, UserDict, UserList
P = namedtuple("P", "x y")
p = P(1, y=2)
print(p, p.x, p[1], p._asdict(), p._replace(x=9), P._fields, P._make([3, 4]), *p, p == (1, 2), p < P(1, 3), hash(p) == hash((1, 2)), len(p), isinstance(p, tuple), P.__doc__)
Q = namedtuple("Q", ["a", "b", "c"], defaults=[10, 20])
print(Q(1), Q(1, 2), Q._field_defaults, Q.__new__.__defaults__, repr(Q(c=1, a=2)))
for f in (lambda: P(1), lambda: P(1, 2, 3), lambda: P(1, z=2), lambda: setattr(p, "x", 5), lambda: p._replace(q=1), lambda: namedtuple("R", "a a"), lambda: namedtuple("R", "class"), lambda: namedtuple("R", "_x"), lambda: P._make([1]), lambda: namedtuple("1x", "a")):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(namedtuple("R", "a a class _b", rename=True)._fields)
class Sub(P):
    __slots__ = ()
    def norm(self): return self.x ** 2 + self.y ** 2
print(Sub(3, 4).norm(), Sub(1, 2)._replace(y=5), type(Sub(1, 2)._replace(y=5)).__name__)
c = Counter("abracadabra")
print(c, c["a"], c["zzz"], c.most_common(2), c.most_common()[-1], sorted(c.elements()), c.total(), len(c), "z" in c)
c.update("aab"); c.subtract({"a": 5, "q": 1}); del c["b"]
print(c, +c, -c, c + Counter(a=1), c - Counter(a=1), Counter(a=3, b=1) & Counter(a=1, b=5), Counter(a=3) | Counter(a=1, b=2), Counter(a=1) == Counter(a=1, b=0), Counter(a=1) <= Counter(a=2), dict(Counter(x=2)), Counter([1, 1, 2]).most_common(1))
d = defaultdict(list)
d["a"].append(1); d["a"].append(2); d["b"]
print(d, d.default_factory, dict(d), d.get("zz"), "zz" in d, defaultdict(int, {"k": 1})["new"], defaultdict(lambda: "dflt")[0], d.copy() == d)
try:
    defaultdict()["x"]
except KeyError as e:
    print("KeyError", e)
o = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
o.move_to_end("a"); o.move_to_end("c", last=False)
print(o, o.popitem(), o.popitem(last=False), o, OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == {"b": 2, "a": 1}, list(reversed(OrderedDict(x=1, y=2))))
q = deque([1, 2, 3], maxlen=4)
q.append(4); q.append(5); q.appendleft(0)
print(q, q.maxlen, q[0], q[-1], q.pop(), q.popleft(), len(q), 2 in q, list(q))
q.extend([7, 8, 9]); q.extendleft("ab"); q.rotate(1); q.rotate(-2)
print(q, q.count("a"), q.index("b") if "b" in q else None, deque("abc") + deque("d"), deque([1, 2]) * 2, deque() == deque([]), deque([1]) < deque([2]), q.copy(), bool(deque()))
q = deque(range(5)); q.insert(2, "x"); q.remove(3); q.reverse(); del q[0]; q[1] = "y"
print(q, list(reversed(q)), q.clear(), q)
for f in (lambda: deque().pop(), lambda: deque().popleft(), lambda: deque([1])[5], lambda: deque([1]).remove(2), lambda: deque(maxlen=-1), lambda: deque([1, 2], 2).insert(0, 5), lambda: deque([1]).index(9)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
try:
    q = deque([1, 2])
    for x in q: q.append(x)
except RuntimeError as e:
    print(e)
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
m["c"] = 4
print(m["a"], m["b"], sorted(m), m.maps, m.new_child({"z": 0})["b"], m.parents, len(m), "b" in m, m.get("nope"), dict(m) == {"a": 1, "b": 3, "c": 4})
class UD(UserDict):
    def __setitem__(self, k, v): super().__setitem__(k.upper(), v)
u = UD(a=1); u["b"] = 2
print(u, u.data, len(u), "A" in u, u.get("B"))
class UL(UserList):
    def append(self, x): super().append(x * 2)
l = UL([1]); l.append(5)
print(l, l + [1], l[0], len(l))
import collections.abc as abc
print(isinstance([], abc.Sequence), isinstance({}, abc.Mapping), isinstance(set(), abc.Set), isinstance("", abc.Iterable), isinstance(5, abc.Hashable), isinstance([], abc.Hashable), isinstance(len, abc.Callable), isinstance(iter([]), abc.Iterator), isinstance((x for x in []), abc.Generator), issubclass(dict, abc.MutableMapping), isinstance(range(3), abc.Sequence), isinstance(deque(), abc.MutableSequence))
class Seq(abc.Sequence):
    def __getitem__(self, i): return [10, 20, 30][i]
    def __len__(self): return 3
s = Seq()
print(list(s), 20 in s, s.index(30), s.count(10), list(reversed(s)))
class Mp(abc.MutableMapping):
    def __init__(self): self.d = {}
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
mm = Mp(); mm["a"] = 1; mm.update(b=2); mm.setdefault("c", 3)
print(dict(mm), mm.pop("a"), mm.get("zz", 0), list(mm.items()), "b" in mm, mm == {"b": 2, "c": 3}, mm.popitem(), len(mm))
try:
    abc.Sized()
except TypeError as e:
    print(e)
