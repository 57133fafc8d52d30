# __slots__.
class P:
    __slots__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
p = P(1, 2)
p.x = 10
print(p.x, p.y, hasattr(p, "__dict__"), P.__slots__, type(P.x).__name__, P.x.__get__(p), P.y.__set__(p, 5), p.y)
for f in (lambda: setattr(p, "z", 1), lambda: p.z, lambda: P.x.__get__(5), lambda: vars(p)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
del p.x
try:
    p.x
except AttributeError as e:
    print(e)
try:
    del p.x
except AttributeError as e:
    print(e)
class Q(P):
    __slots__ = "z"
    def __init__(self): super().__init__(1, 2); self.z = 3
q = Q()
print(q.x, q.z, hasattr(q, "__dict__"))
class R(P): pass
r = R(1, 2)
r.w = 4
print(r.__dict__, r.x, r.w)
class D:
    __slots__ = ["a", "__dict__"]
d = D()
d.a = 1; d.b = 2
print(d.__dict__, d.a)
class Priv:
    __slots__ = ("__s",)
    def __init__(self): self.__s = 1
    def get(self): return self.__s
print(Priv().get(), [n for n in Priv.__dict__ if "s" in n and "Priv" in n])
for body in ({"__slots__": ("a",), "a": 1}, {"__slots__": (1,)}, {"__slots__": ("a b",)}, {"__slots__": 5}):
    try:
        type("Bad", (), body)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
try:
    type("M", (P, type("O", (), {"__slots__": ("o",)})), {})
except TypeError as e:
    print(e)
class Empty: __slots__ = ()
class Both(P, Empty): __slots__ = ()
print(Both(1, 2).x, Empty().__slots__)
try:
    Empty().v = 1
except AttributeError as e:
    print(e)
class IntSlots(int):
    __slots__ = ()
print(IntSlots(5) + 1, hasattr(IntSlots(1), "__dict__"))
class Def:
    __slots__ = {"a": "doc of a", "b": "doc of b"}
x = Def()
x.a = 1
print(x.a, sorted(Def.__slots__))
