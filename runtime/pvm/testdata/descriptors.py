# Descriptors, properties, __getattr__ and friends.
class Data:
    def __init__(self, name): self.name = name
    def __get__(self, o, t): return f"get {self.name} {o is not None} {t.__name__}"
    def __set__(self, o, v): print("set", self.name, v)
    def __delete__(self, o): print("delete", self.name)
class NonData:
    def __get__(self, o, t=None): return "nondata"
class SetOnly:
    def __set__(self, o, v): o.__dict__["so"] = v * 2
class H:
    d = Data("d")
    n = NonData()
    so = SetOnly()
h = H()
print(h.d, H.d, h.n, H.n)
h.d = 5; del h.d
h.__dict__["d"] = "shadow"; h.__dict__["n"] = "instance wins"
h.so = 4
print(h.d, h.n, h.so, H.__dict__["d"].name, type(H.__dict__["so"]).__name__)
try:
    del h.so
except AttributeError as e:
    print(type(e).__name__, e)
H.d = "replaced"
print(h.d, H.d)
class Typed:
    def __init__(self, kind): self.kind = kind
    def __set_name__(self, owner, name): self.slot = "_" + name
    def __get__(self, o, t=None): return self if o is None else getattr(o, self.slot, None)
    def __set__(self, o, v):
        if not isinstance(v, self.kind): raise TypeError(f"{self.slot[1:]} must be {self.kind.__name__}, not {type(v).__name__}")
        setattr(o, self.slot, v)
class Point:
    x = Typed(int); y = Typed((float))
    def __init__(self, x, y): self.x, self.y = x, y
p = Point(1, 2.0)
print(p.x, p.y, vars(p))
try:
    p.x = "s"
except TypeError as e:
    print(e)
class Attr:
    def __init__(self): self.real = 1
    def __getattr__(self, n):
        if n.startswith("_"): raise AttributeError(n)
        return f"dynamic {n}"
    def __setattr__(self, n, v):
        if n == "locked": raise AttributeError("locked!")
        object.__setattr__(self, n, v)
    def __delattr__(self, n): print("del", n); object.__delattr__(self, n)
a = Attr()
print(a.real, a.foo, getattr(a, "bar"), hasattr(a, "_x"), getattr(a, "_x", "default"))
a.z = 2
del a.z
for f in (lambda: setattr(a, "locked", 1), lambda: a._y, lambda: delattr(a, "q")):
    try:
        f()
    except AttributeError as e:
        print(type(e).__name__, e)
class GA:
    x = "class x"
    def __getattribute__(self, n):
        if n == "secret": return "intercepted"
        if n == "fall": raise AttributeError("fell")
        return super().__getattribute__(n)
    def __getattr__(self, n): return f"getattr {n}"
g = GA()
g.y = 1
print(g.x, g.y, g.secret, g.fall, g.missing)
class Prop:
    def __init__(self): self._v = 0
    @property
    def v(self):
        "The doc."
        return self._v
    @v.setter
    def v(self, value):
        if value < 0: raise ValueError("negative")
        self._v = value
    ro = property(lambda self: "read only")
    wo = property(None, lambda self, v: print("wrote", v))
    full = property(lambda s: "g", lambda s, v: print("s", v), lambda s: print("d"), "doc string")
q = Prop()
q.v = 5
q.wo = 1; q.full = 2; del q.full
print(q.v, q.ro, q.full, Prop.v.__doc__, Prop.full.__doc__, type(Prop.v).__name__, Prop.v.fget(q), Prop.v.fdel)
for f in (lambda: setattr(q, "v", -1), lambda: setattr(q, "ro", 1), lambda: q.wo, lambda: delattr(q, "v"), lambda: delattr(q, "ro")):
    try:
        print(f())
    except (AttributeError, ValueError) as e:
        print(type(e).__name__, e)
class Sub(Prop):
    @Prop.v.getter
    def v(self): return "sub " + str(self._v)
s = Sub()
s.v = 3
print(s.v)
class Method:
    def f(self): return self
    cm = classmethod(lambda cls, x=1: (cls.__name__, x))
    sm = staticmethod(lambda x=2: x)
    g = f
m = Method()
print(m.f() is m, Method.f(5), m.cm(), Method.cm(3), m.sm(), Method.sm(4), type(m.f).__name__, type(Method.f).__name__, type(Method.__dict__["cm"]).__name__, Method.__dict__["sm"](9), m.f.__get__(1)() is m, Method.f.__get__(7)(), Method.f.__get__(None, Method)(8))
class Lazy:
    def __init__(self, f): self.f, self.name = f, f.__name__
    def __get__(self, o, t=None):
        if o is None: return self
        v = o.__dict__[self.name] = self.f(o)
        return v
class Uses:
    calls = 0
    @Lazy
    def value(self): Uses.calls += 1; return 99
u = Uses()
print(u.value, u.value, Uses.calls, u.__dict__)
class CallDesc:
    def __get__(self, o, t): return lambda *a: ("called", a)
class CD: f = CallDesc()
print(CD().f(1), CD.f(2), int.__add__(1, 2), "abc".upper.__name__, str.upper("x"), [].append.__self__, int.real.__get__(5), dict.__dict__["get"].__name__)
class Op:
    pass
o = Op()
o.__len__ = lambda: 5
o.__call__ = lambda: 6
for f in (lambda: len(o), lambda: o()):
    try:
        print(f())
    except TypeError as e:
        print(e)
