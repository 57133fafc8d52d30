# Customization: __new__, __init__, __call__, copying by hand, hashing and equality, ordering, containers, attribute protocols.
class Interned:
    pool = {}
    def __new__(cls, v):
        if v in cls.pool: return cls.pool[v]
        self = super().__new__(cls)
        cls.pool[v] = self
        return self
    def __init__(self, v): self.v = v; self.inits = getattr(self, "inits", 0) + 1
a, b = Interned(1), Interned(1)
print(a is b, a.inits, Interned(2) is a, len(Interned.pool))
class NotInstance:
    def __new__(cls): return 42
    def __init__(self): print("never")
print(NotInstance())
class Sub(int):
    def __new__(cls, x, extra=None): self = super().__new__(cls, x); self.extra = extra; return self
    def __init__(self, x, extra=None): self.inited = True
s = Sub(5, "e")
print(s, s.extra, s.inited, s + 1, type(s + 1), s.__dict__)
class NoInit:
    def __new__(cls, *a, **k): return super().__new__(cls)
for f in (lambda: NoInit(1, 2), lambda: object.__new__(int), lambda: object.__new__(5), lambda: int.__new__(str), lambda: object.__init__(5, 1), lambda: type("T", (), {"__init__": lambda self: 5})(), lambda: type("T", (), {})(1)):
    try:
        print(type(f()).__name__)
    except TypeError as e:
        print(e)
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y) if isinstance(o, Point) else NotImplemented
    def __hash__(self): return hash((self.x, self.y))
    def __repr__(self): return f"{type(self).__name__}({self.x}, {self.y})"
    def __iter__(self): yield self.x; yield self.y
    def __copy__(self): return type(self)(self.x, self.y)
    def __lt__(self, o): return tuple(self) < tuple(o)
    def __getitem__(self, i): return tuple(self)[i]
p = Point(1, 2)
x, y = p
print(x, y, p == Point(1, 2), p != Point(1, 2), p == 5, {p, Point(1, 2), Point(2, 1)} == {Point(2, 1), p}, {p: "v"}[Point(1, 2)], sorted([Point(2, 1), p]), p[0], p.__copy__(), list(p), max(Point(0, 9), p), [p, 1].index(Point(1, 2)), p in [Point(1, 2)], (p,) == (Point(1, 2),))
class EqOnly:
    def __eq__(self, o): return True
class HashNone(Point): __hash__ = None
class EqSub(Point):
    def __eq__(self, o): return super().__eq__(o)
for c in (EqOnly(), HashNone(1, 2), EqSub(1, 2)):
    try:
        hash(c)
    except TypeError as e:
        print(e)
class Money:
    __slots__ = ("cents",)
    def __init__(self, c): object.__setattr__(self, "cents", c)
    def __setattr__(self, *a): raise AttributeError("immutable")
    def __delattr__(self, n): raise AttributeError("immutable")
    def __add__(self, o): return Money(self.cents + (o.cents if isinstance(o, Money) else o))
    __radd__ = __add__
    def __str__(self): return f"${self.cents // 100}.{self.cents % 100:02d}"
    def __format__(self, spec): return format(str(self), spec) if spec else str(self)
    def __bool__(self): return self.cents != 0
print(sum([Money(150), Money(275)]), f"{Money(5):>8}|{Money(99999)}", bool(Money(0)), str(Money(5) + 10))
for f in (lambda: setattr(Money(1), "cents", 2), lambda: delattr(Money(1), "cents"), lambda: setattr(Money(1), "new", 2)):
    try:
        f()
    except AttributeError as e:
        print(e)
class Stack(list):
    def push(self, x): self.append(x); return self
    def __iter__(self): return reversed(self[:])
    def __getitem__(self, i): r = super().__getitem__(i); return list(r) if isinstance(i, slice) else r
    def __missing__(self, k): return None
st = Stack().push(1).push(2)
print(list(st), st, len(st), st[0], st[:1], 2 in st, [*st], sum(st), st == [1, 2], tuple(st), st.copy(), type(st.copy()))
class CaseDict(dict):
    def __getitem__(self, k): return super().__getitem__(k.lower())
    def __setitem__(self, k, v): super().__setitem__(k.lower(), v)
    def __contains__(self, k): return super().__contains__(k.lower())
    def get(self, k, d=None): return self[k] if k in self else d
c = CaseDict()
c["ABC"] = 1
print(c["abc"], "aBc" in c, c.get("ABC"), c.get("zz", 0), dict(c), {**c}, c)
class Str(str):
    def __add__(self, o): return Str(super().__add__("+" + o))
    def __getitem__(self, i): return Str(super().__getitem__(i))
    def shout(self): return self.upper() + "!"
z = Str("ab")
print(z + "c", type(z + "c"), z[0], type(z[0]), z.shout(), type(z.upper()), "x" + z, f"{z}", z == "ab", {z: 1}["ab"], "-".join([z, z]), z in "cab", len(z), z % () if "%" in z else z.replace("a", "b"))
class Callable:
    def __init__(self): self.calls = []
    def __call__(self, *a, **k): self.calls.append((a, k)); return self
f = Callable()
f(1)(2, x=3)()
print(f.calls, callable(f), list(map(f, [1]))[0] is f, sorted([2, 1], key=lambda v: f(v) and v))
class Chain:
    def __init__(self, path=""): self._path = path
    def __getattr__(self, n): return Chain(f"{self._path}/{n}")
    def __call__(self, *a): return Chain(self._path + "(" + ",".join(map(str, a)) + ")")
    def __truediv__(self, o): return Chain(f"{self._path}/{o}")
    __str__ = lambda self: self._path
print(Chain().users(5).posts / "x" / 3, Chain().a.b.c)
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return iter(range(self.n, 0, -1))
    def __reversed__(self): return iter(range(1, self.n + 1))
    def __len__(self): return self.n
    def __contains__(self, x): return isinstance(x, int) and 0 < x <= self.n
    def __getitem__(self, i):
        if isinstance(i, slice): return [self[j] for j in range(*i.indices(self.n))]
        if i < 0: i += self.n
        if not 0 <= i < self.n: raise IndexError(i)
        return self.n - i
cd = Countdown(5)
print(list(cd), list(reversed(cd)), len(cd), 3 in cd, 9 in cd, cd[0], cd[-1], cd[1:4], cd[::-1], max(cd), [*cd][2], list(zip(cd, "ab")), bool(Countdown(0)))
