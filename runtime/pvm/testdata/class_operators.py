# Special methods: operators, reflected and in-place forms, containers, calls.
class V:
    def __init__(self, *c): self.c = c
    def __repr__(self): return "V" + str(self.c)
    def __add__(self, o): return V(*(a + b for a, b in zip(self.c, o.c))) if isinstance(o, V) else NotImplemented
    def __radd__(self, o): return ("radd", o, self)
    def __sub__(self, o): return ("sub", o)
    def __rsub__(self, o): return ("rsub", o)
    def __mul__(self, k): return V(*(a * k for a in self.c)) if isinstance(k, (int, float)) else NotImplemented
    __rmul__ = __mul__
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.c, o.c))
    def __truediv__(self, k): return ("truediv", k)
    def __floordiv__(self, k): return ("floordiv", k)
    def __mod__(self, k): return ("mod", k)
    def __divmod__(self, k): return ("divmod", k)
    def __pow__(self, k, m=None): return ("pow", k, m)
    def __rpow__(self, k): return ("rpow", k)
    def __lshift__(self, k): return ("lshift", k)
    def __rrshift__(self, k): return ("rrshift", k)
    def __and__(self, k): return ("and", k)
    def __or__(self, k): return ("or", k)
    def __xor__(self, k): return ("xor", k)
    def __neg__(self): return V(*(-a for a in self.c))
    def __pos__(self): return "pos"
    def __invert__(self): return "invert"
    def __abs__(self): return sum(abs(a) for a in self.c)
    def __round__(self, n=None): return ("round", n)
    def __iadd__(self, o): self.c += (o,); return self
    def __len__(self): return len(self.c)
    def __getitem__(self, i): return self.c[i]
    def __contains__(self, x): return x == "magic" or x in self.c
    def __iter__(self): return iter(self.c)
    def __reversed__(self): return "reversed!"
    def __call__(self, *a, **k): return (a, k)
    def __eq__(self, o): return isinstance(o, V) and self.c == o.c
    def __hash__(self): return hash(self.c)
    def __bool__(self): return any(self.c)
    def __int__(self): return 42
    def __float__(self): return 4.5
    def __index__(self): return 1
    def __str__(self): return "<" + ",".join(map(str, self.c)) + ">"
    def __format__(self, s): return f"fmt[{s}]"
    def __bytes__(self): return bytes(self.c)
    def __enter__(self): return "entered"
    def __exit__(self, *a): return True
    def __trunc__(self): return 3
    def __floor__(self): return "floor"
v, w = V(1, 2), V(3, 4)
print(v + w, 5 + v, v - 1, 1 - v, v * 3, 3 * v, v @ w, v / 2, v // 2, v % 2, divmod(v, 3), v ** 2, pow(v, 2, 3), 2 ** v, v << 1, 8 >> v, v & 1, v | 1, v ^ 1)
print(-v, +v, ~v, abs(V(-1, -2)), round(v), round(v, 2), len(v), v[0], v[-1], "magic" in v, 7 in v, list(v), reversed(v), v(1, k=2), v == V(1, 2), v != w, {V(1, 2): "found"}[v])
print(bool(v), bool(V(0, 0)), int(v), float(v), [10, 20][v], str(v), repr(v), f"{v:spec} {v} {v!s} {v!r}", "%s %r" % (v, v), bytes(v), [*v], tuple(v), max(v), sum(v), hex(v), bin(v), range(5)[v])
v += 9
print(v, v.c)
with v as e:
    print(e)
    1 / 0
for f in (lambda: v + 1, lambda: v * "x", lambda: v < w, lambda: w >> 1, lambda: v[9], lambda: sorted([v, w])):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Base:
    def __add__(self, o): return "Base.add"
    def __radd__(self, o): return "Base.radd"
    def __eq__(self, o): return "Base.eq"
    def __lt__(self, o): return "Base.lt"
    def __gt__(self, o): return "Base.gt"
class Derived(Base):
    def __radd__(self, o): return "Derived.radd"
    def __eq__(self, o): return "Derived.eq"
    def __gt__(self, o): return "Derived.gt"
class Plain(Base): pass
print(Base() + Derived(), Base() + Plain(), Derived() + Base(), Base() == Derived(), Base() < Derived(), Base() > Derived(), 1 + Derived(), 1 == Derived(), 1 < Base(), 1 > Base())
class Ord:
    def __init__(self, n): self.n = n
    def __lt__(self, o): return self.n < o.n
    def __le__(self, o): return self.n <= o.n
    def __repr__(self): return f"O{self.n}"
print(sorted([Ord(3), Ord(1), Ord(2)]), max(Ord(1), Ord(5)), min([Ord(4), Ord(2)]), Ord(1) > Ord(0), Ord(1) >= Ord(1), Ord(1) == Ord(1), Ord(1) != Ord(1))
class NotImpl:
    def __eq__(self, o): return NotImplemented
    def __add__(self, o): return NotImplemented
    def __iadd__(self, o): return NotImplemented
n = NotImpl()
print(n == n, n == 1, n != 1)
for f in (lambda: n + 1, lambda: 1 + n, lambda: -n, lambda: len(n), lambda: n[0], lambda: n(), lambda: iter(n), lambda: 1 in n, lambda: hash(n), lambda: next(n), lambda: n @ n, lambda: int(n), lambda: n.__setitem__, lambda: [].__getitem__(n)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
try:
    n += 1
except TypeError as e:
    print(e)
class Getitem:
    def __getitem__(self, i):
        if i > 3: raise IndexError(i)
        return i * i
g = Getitem()
print(list(g), 4 in g, 5 in g, [*g], tuple(g), max(g), sum(g), dict(enumerate(g)), list(zip(g, "abc")))
class Items:
    def __init__(self): self.log = []
    def __getitem__(self, k): self.log.append(("get", k)); return 10
    def __setitem__(self, k, v): self.log.append(("set", k, v))
    def __delitem__(self, k): self.log.append(("del", k))
i = Items()
i["a"] = 1; i["a"] += 5; del i["b"]; i[1:2] = 3; i[1, 2]; i[...]
print(i.log)
class NoHash:
    def __eq__(self, o): return True
try:
    hash(NoHash())
except TypeError as e:
    print(e)
class BadLen:
    def __len__(self): return self.v
for val in (-1, "x", 2**70, 1.5):
    b = BadLen(); b.v = val
    try:
        len(b)
    except Exception as e:
        print(type(e).__name__, e)
class Bad:
    def __repr__(self): return 5
    def __str__(self): return None
    def __hash__(self): return "x"
    def __iter__(self): return 5
    def __index__(self): return "i"
    def __bool__(self): return "b"
for f in (lambda: repr(Bad()), lambda: str(Bad()), lambda: hash(Bad()), lambda: iter(Bad()), lambda: [1][Bad()], lambda: bool(Bad()), lambda: not Bad()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
