class A:
    """doc"""
    count = 0
    def __init__(self, x):
        self.x = x
        A.count += 1
    def __repr__(self):
        return f"A({self.x!r})"
    def __eq__(self, o):
        return isinstance(o, A) and self.x == o.x
    def __hash__(self):
        return hash(self.x)
    def __lt__(self, o):
        return self.x < o.x
    def __add__(self, o):
        if isinstance(o, int):
            return A(self.x + o)
        return NotImplemented
    def __radd__(self, o):
        return A(o + self.x)
    def __iadd__(self, o):
        self.x += o
        return self
    def __getitem__(self, k):
        return self.x * k
    def __len__(self):
        return self.x
    def __bool__(self):
        return self.x > 0
    def __contains__(self, k):
        return k == self.x
    def __call__(self, *a, **k):
        return a, k
    def __neg__(self):
        return A(-self.x)
    def __int__(self):
        return self.x
    def __index__(self):
        return self.x
    @property
    def double(self):
        return self.x * 2
    @double.setter
    def double(self, v):
        self.x = v // 2
    @staticmethod
    def s(a):
        return a
    @classmethod
    def c(cls, a):
        return cls.__name__, a
a = A(3)
print(a, a == A(3), a != A(4), a < A(4), sorted([A(3), A(1), A(2)]))
print(a + 1, 1 + a, a[4], len(a), bool(a), bool(A(0)), 3 in a, 4 in a, a(1, k=2))
a += 5
print(a, -a, int(a), [1, 2, 3, 4, 5, 6, 7, 8, 9][a], a.double)
a.double = 20
print(a.x, A.s(1), a.s(2), A.c(3), a.c(4), A.count, A.__doc__, A.__name__, A.__module__)
print({A(1): 2}[A(1)], A(1) in {A(1)})
try:
    a + "x"
except TypeError as e:
    print(e)
try:
    a.nope
except AttributeError as e:
    print(e, e.name)
try:
    a.double = 1
    del a.double
except AttributeError as e:
    print(e)

class B(A):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y
    def c2(self):
        return super().c(9)
    def __repr__(self):
        return "B" + super().__repr__()
b = B(1, 2)
print(b, b.c2(), isinstance(b, A), issubclass(B, A), B.__mro__, B.__bases__)

class X: pass
class Y(X): pass
class Z(X): pass
class W(Y, Z): pass
print([c.__name__ for c in W.__mro__])
try:
    class Bad(X, Y): pass
except TypeError as e:
    print(e)

class Meta(type):
    def __new__(mcs, name, bases, ns, **kw):
        ns["made_by"] = mcs.__name__
        return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw):
        cls.kw = kw
        super().__init__(name, bases, ns)
    def __call__(cls, *a):
        o = super().__call__(*a)
        o.called = True
        return o
    def __len__(cls):
        return 42
    @property
    def meta_prop(cls):
        return "mp " + cls.__name__
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, kw)
        return {}
class M(metaclass=Meta, opt=1):
    pass
print(M.made_by, M.kw, M().called, len(M), M.meta_prop, type(M).__name__)
class N(M): pass
print(type(N).__name__, N.made_by)

class Base:
    subs = []
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.subs.append((cls.__name__, tag))
class S1(Base, tag="t"): pass
class S2(Base): pass
print(Base.subs)

class Desc:
    def __set_name__(self, owner, name):
        self.name = name
        print("set_name", owner.__name__, name)
    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.get(self.name, "unset")
    def __set__(self, obj, v):
        obj.__dict__[self.name] = v * 2
    def __delete__(self, obj):
        del obj.__dict__[self.name]
class D:
    f = Desc()
d = D()
print(d.f); d.f = 4; print(d.f); del d.f; print(d.f, type(D.f).__name__)

class NonData:
    def __get__(self, obj, owner): return "nd"
class D2:
    g = NonData()
d2 = D2(); print(d2.g); d2.__dict__["g"] = 1; print(d2.g)

class Slots:
    __slots__ = ("a", "b")
    def __init__(self): self.a = 1
s = Slots()
print(s.a)
try:
    s.c = 1
except AttributeError as e:
    print(e)
try:
    s.b
except AttributeError as e:
    print(e)
s.b = 5; del s.b
try:
    s.__dict__
except AttributeError as e:
    print(e)
class SlotsSub(Slots): pass
ss = SlotsSub(); ss.z = 1; print(ss.z, ss.a, vars(ss))

class GA:
    def __getattr__(self, n):
        if n.startswith("x"):
            return n.upper()
        raise AttributeError(n)
    def __setattr__(self, n, v):
        object.__setattr__(self, n, ("set", v))
    def __delattr__(self, n):
        print("del", n)
        object.__delattr__(self, n)
g = GA()
print(g.xyz); g.q = 1; print(g.q); del g.q
try:
    g.q
except AttributeError as e:
    print("AE", e)
class GAll:
    def __getattribute__(self, n):
        return "all:" + n
print(GAll().anything)

class L(list):
    def __init__(self, *a):
        super().__init__(*a)
        self.tag = "t"
    def append(self, x):
        super().append(x * 2)
l = L([1, 2]); l.append(3); print(l, l.tag, len(l), l == [1, 2, 6], isinstance(l, list))
class DD(dict):
    def __missing__(self, k): return "miss " + k
dd = DD(a=1); print(dd["a"], dd["b"], dd.get("b"))
class I(int):
    def __new__(cls, v): return super().__new__(cls, v + 1)
    def __add__(self, o): return "added"
i = I(4); print(i, i + 1, 1 + i, i * 2, type(i).__name__, isinstance(i, int))
class St(str):
    def shout(self): return self.upper() + "!"
print(St("ab").shout(), St("ab") + "c", len(St("abc")))
class T(tuple):
    def __new__(cls, a, b): return super().__new__(cls, (a, b))
    @property
    def first(self): return self[0]
print(T(1, 2), T(1, 2).first)
print(type("Dyn", (A,), {"z": 1}).z)
class E(Exception):
    def __init__(self, code, msg):
        super().__init__(msg)
        self.code = code
try:
    raise E(5, "boom")
except E as e:
    print(e.code, e, e.args, repr(e))
class K:
    def __class_getitem__(cls, item): return f"{cls.__name__}[{item}]"
print(K[int], list[int], dict[str, int])
print(hasattr(a, "x"), getattr(a, "zz", "def"), callable(a), callable(1))
o = object()
try:
    o.x = 1
except AttributeError as e:
    print(e)
try:
    object(1)
except TypeError as e:
    print(e)
try:
    X(1)
except TypeError as e:
    print(e)
try:
    A()
except TypeError as e:
    print(e)
class Eq:
    def __eq__(self, o): return True
try:
    hash(Eq())
except TypeError as e:
    print(e)
class Fmt:
    def __format__(self, spec): return "<" + spec + ">"
print(f"{Fmt():abc}", format(Fmt(), "z"))
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(It(3)), sum(It(4)), max(It(5)))
class Seq:
    def __getitem__(self, i):
        if i > 3: raise IndexError
        return i * 10
print(list(Seq()), 20 in Seq(), [x for x in Seq()])
class Outer:
    class Inner:
        pass
    def f(self):
        def g(): pass
        return g
print(Outer.Inner.__qualname__, Outer().f().__qualname__)
class Priv:
    def __init__(self): self.__x = 1
    def get(self): return self.__x
p = Priv(); print(p.get(), p._Priv__x)
print(super(B, b).__repr__())
class Cmp:
    def __init__(s, v): s.v = v
    def __lt__(s, o): return s.v < o.v
print(Cmp(1) > Cmp(0), max(Cmp(3), Cmp(5)).v)
class Ctr:
    total = 0
    def __enter__(self): return self
    def __exit__(self, *a): return False
with Ctr() as c: c.total += 1
print(c.total, Ctr.total)
def deco(c):
    c.decorated = True
    return c
@deco
class Decd: pass
print(Decd.decorated)
