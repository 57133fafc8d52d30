import collections
from collections import *


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


d = deque([1, 2, 3])
print(d, len(d), d[0], d[-1], list(reversed(d)), 2 in d, bool(d), bool(deque()))
d.append(4)
d.appendleft(0)
d.extend("ab")
d.extendleft("xy")
print(d)
print(d.pop(), d.popleft(), d)
d.rotate(2)
print(d)
d.rotate(-3)
print(d)
d.rotate()
print(d)
d.insert(2, "new")
d.insert(-1, "near end")
d.insert(100, "end")
d.insert(-100, "start")
print(d)
d.remove("new")
print(d, d.index(3), d.count(3), d.copy() == d, d.maxlen)
show("remove", lambda: d.remove("nope"))
show("index", lambda: d.index("nope"))
show("index range", lambda: d.index(3, 0, 1))
show("getitem", lambda: d[100])
show("getitem type", lambda: d["a"])
show("pop", lambda: deque().pop())
show("popleft", lambda: deque().popleft())
del d[0]
del d[-1]
d[1] = "set"
print(d)
d.reverse()
print(d)
b = deque(range(10), maxlen=3)
print(b, b.maxlen)
b.append(11)
b.appendleft(-1)
print(b)
show("insert full", lambda: b.insert(0, 1))
show("maxlen neg", lambda: deque([], -1))
show("maxlen str", lambda: deque([], "a"))
show("too many", lambda: deque(1, 2, 3))
show("not iterable", lambda: deque(5))
print(deque([1]) + deque([2]), deque([1, 2]) * 2, 2 * deque("a"), deque([1, 2], maxlen=3) * 5)
show("add list", lambda: deque([1]) + [2])
e = deque([1])
e += [2, 3]
e *= 2
print(e, deque([1, 2]) < deque([1, 3]), deque([1]) == deque([1]), deque([1]) != [1], deque([1, 2, 3]) > deque([1, 2]))


def mutate():
    x = deque([1, 2, 3])
    for v in x:
        x.append(v)


show("mutate", mutate)
e.clear()
print(e, deque([[1], "a", 1.5]), deque([1, 2], 5))
x = deque(range(100))
for i in range(1000):
    x.append(x.popleft() + i)
print(sum(x), x[17], len(x))
x.extend(x)
print(len(x))


class D(deque):
    def __init__(self, *args):
        super().__init__(*args)
        self.extra = 1


s = D([1, 2])
print(s, s.extra, s.copy(), type(s.copy()).__name__, isinstance(s, deque))

# namedtuple
Point = namedtuple("Point", "x y")
p = Point(1, y=2)
print(p, p.x, p[1], p == (1, 2), p._asdict(), p._replace(x=5), Point._fields, Point._make([3, 4]), Point.__doc__, Point.x.__doc__)
print(p + (3,), list(p), hash(p) == hash((1, 2)), Point.__name__, Point.__module__, Point.__slots__, Point.__match_args__)
x, y = p
print(x, y, isinstance(p, tuple), len(p), max(p), Point.__new__.__defaults__)
D3 = namedtuple("D3", ["a", "b", "c"], defaults=[2, 3])
print(D3(1), D3(1, 5), D3(1, c=9), D3._field_defaults)
show("missing", lambda: Point(1))
show("missing both", lambda: Point())
show("too many", lambda: Point(1, 2, 3))
show("too many defaults", lambda: D3(1, 2, 3, 4))
show("unexpected", lambda: Point(1, 2, z=3))
show("multiple", lambda: Point(1, x=3))
show("make", lambda: Point._make([1]))
show("replace", lambda: p._replace(z=1))
show("setattr", lambda: setattr(p, "x", 1))
show("new attr", lambda: setattr(p, "zz", 1))
show("keyword", lambda: namedtuple("A", "class def"))
show("dup", lambda: namedtuple("A", "a a"))
show("underscore", lambda: namedtuple("A", "_a"))
show("ident", lambda: namedtuple("A", "1a"))
show("typename", lambda: namedtuple("1A", "a"))
print(namedtuple("R", "a class a _x 1", rename=True)._fields)
show("defaults", lambda: namedtuple("A", "a", defaults=[1, 2]))
print(namedtuple("E", [])(), namedtuple("C", "a, b")(1, 2))


class P3(namedtuple("Base", "x y z")):
    __slots__ = ()

    def norm(self):
        return self.x + self.y + self.z


q = P3(1, 2, 3)
print(q, q.norm(), q._replace(z=0), P3._make("abc"))
match q:
    case P3(x, y=2):
        print("matched", x)
print(sorted([Point(2, 1), Point(1, 5)]), {Point(1, 2): "v"}[(1, 2)])

# defaultdict
dd = defaultdict(list)
dd["a"].append(1)
dd["b"]
print(dd, dd.get("zz"), "zz" in dd, dd.default_factory is list)
di = defaultdict(int, {"a": 1}, b=2)
for ch in "hello":
    di[ch] += 1
print(dict(di), di == {"a": 1, "b": 2, "h": 1, "e": 1, "l": 2, "o": 1})
show("none", lambda: defaultdict()["x"])
show("bad", lambda: defaultdict(5))
print(repr(defaultdict(None, {1: 2})), defaultdict(int, a=1) | {"b": 2}, {"b": 2} | defaultdict(int, a=1))
c = dd.copy()
c["new"]
print(type(c).__name__, "new" in dd, isinstance(c, dict), len(c))
nested = defaultdict(lambda: defaultdict(int))
nested["x"]["y"] += 1
print({k: dict(v) for k, v in nested.items()})

# Counter
c = Counter("abracadabra")
print(c, c["a"], c["zz"], c.most_common(2), c.most_common(), c.total())
print(Counter(a=3, b=1) + Counter(a=1, b=2), Counter(a=3, b=1) - Counter(a=1, b=2), Counter(a=3, b=1) & Counter(a=1, b=2), Counter(a=3, b=1) | Counter(a=1, b=2))
print(+Counter(a=1, b=-1), -Counter(a=1, b=-1), sorted(Counter(a=2, b=0, c=1).elements()))
c.update("aaa")
c.update({"z": 5})
c.subtract("ab")
print(c)
del c["nope"]
del c["z"]
print("z" in c, Counter() == Counter(a=0), Counter(a=1) <= Counter(a=2, b=1), Counter(a=1) < Counter(a=1), Counter(a=2) >= Counter(a=1), Counter(a=2) > Counter(b=1))
k = Counter(a=1, b=2)
k += Counter(a=5)
k -= Counter(b=5)
print(k)
k |= Counter(q=3)
k &= Counter(a=2, q=9)
print(k, Counter({"x": 1.5, "y": 2}).most_common(1), Counter([3, 1, 3]), Counter(), Counter(None))
show("fromkeys", lambda: Counter.fromkeys("abc"))
show("unhashable", lambda: Counter([[1]]))
print(Counter(a=1).copy(), type(Counter(a=1).copy()).__name__, Counter(a="x", b=1))
print(Counter("mississippi").most_common(), Counter(a=3)._keep_positive() if False else "")

# OrderedDict
o = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
o.move_to_end("a")
print(o, list(o))
o.move_to_end("c", last=False)
print(o, list(reversed(o)))
print(o.popitem(), o.popitem(last=False), o)
print(OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == {"b": 2, "a": 1}, OrderedDict(), OrderedDict.fromkeys("ab", 0))
show("popitem", lambda: OrderedDict().popitem())
show("move", lambda: o.move_to_end("zz"))
print(o.setdefault("n", 5), o.pop("n"), o.pop("n", "dflt"), OrderedDict(a=1) | {"b": 2}, {"b": 2} | OrderedDict(a=1), o.copy())
show("pop", lambda: o.pop("q"))

# ChainMap
cm = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(cm, cm["a"], cm["b"], len(cm), list(cm), cm.maps, cm.get("z"), "b" in cm, cm.parents, cm.new_child({"q": 1}))
cm["b"] = 10
print(cm, dict(cm), cm.pop("b"), cm.popitem(), list(cm.items()))
show("key", lambda: cm["nope"])
show("del", lambda: cm.__delitem__("b"))
show("pop", lambda: cm.pop("b"))
show("popitem", lambda: ChainMap().popitem())
print(ChainMap({"a": 1}) | {"b": 2}, {"b": 2} | ChainMap({"a": 1}), bool(ChainMap()), ChainMap() == {})

# User classes
ud = UserDict(a=1)
ud["b"] = 2
print(ud, ud.data, dict(ud), len(ud), "a" in ud, ud | {"c": 3}, ud.copy(), ud.pop("a"), ud.get("zz"))


class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


print(Lower({"ABC": 1}), Lower(X=1).setdefault("Y", 2))
ul = UserList([3, 1, 2])
ul.sort()
ul.append(9)
print(ul, ul[1:], ul + [1], [0] + ul, ul * 2, ul == [1, 2, 3, 9], ul.index(2), len(ul), type(ul[1:]).__name__, ul < [2])
us = UserString("Hello")
print(us.upper(), us + " x", "x " + us, us[1:3], us * 2, us == "Hello", hash(us) == hash("Hello"), us.replace("l", "L"), type(us.lower()).__name__, us.find("l"), "ell" in us, us.split("l"), us % (), int(UserString("5")), us.center(11, "*"), us.join(["a", "b"]))
print(sorted(n for n in collections.__all__))
from collections import abc
print(abc.Mapping.__name__, collections.abc is abc)
show("nope", lambda: collections.nope)
