# Classes: attributes, methods, inheritance, special names.
class A:
    "Doc of A."
    count = 0
    items: list = []
    x: int
    def __init__(self, v=1, *a, k=2):
        self.v, self.k = v, k
        A.count += 1
    def m(self, y): return self.v + y
    def __repr__(self): return f"A({self.v})"
    @classmethod
    def make(cls, v): return cls(v * 2)
    @staticmethod
    def add(a, b): return a + b
    @property
    def double(self): return self.v * 2
    @double.setter
    def double(self, value): self.v = value // 2
    @double.deleter
    def double(self): self.v = None
a = A(5)
print(a, a.v, a.k, a.m(1), A.m(a, 2), A.make(3), a.make(4).v, A.add(1, 2), a.add(3, 4), a.double, A.count, a.count)
a.double = 50
print(a.v, a.double)
del a.double
print(a.v, A.__doc__, A.__name__, A.__qualname__, A.__module__, A.__bases__, A.__mro__, A.__annotations__, a.__class__, type(a) is A, A.__class__)
a.new = 1
a.count = 99
print(a.new, a.count, A.count, sorted(a.__dict__.items(), key=str), hasattr(a, "zzz"), getattr(a, "zzz", "d"), "new" in vars(a))
del a.new
setattr(a, "dyn", 3); delattr(a, "count")
print(a.dyn, a.count, hasattr(a, "new"), A.items is a.items)
class B(A):
    def __init__(self, *args):
        super().__init__(*args)
        self.b = True
    def m(self, y): return super().m(y) * 10
    @classmethod
    def make(cls, v): return super().make(v + 1)
    @property
    def double(self): return super().double + 1
b = B(3)
print(b, b.m(1), B.make(1), type(B.make(1)), b.double, isinstance(b, A), issubclass(B, A), issubclass(B, (int, A)), isinstance(b, (str, int)), B.__mro__, B.__base__, A.__subclasses__())
for f in (lambda: a.nope, lambda: A.nope, lambda: A(1, 2, 3, j=4), lambda: b.m(), lambda: A.m(1), lambda: A(), lambda: delattr(a, "nope"), lambda: setattr(b, "double", 1), lambda: object().x, lambda: setattr(object(), "x", 1), lambda: setattr(1, "x", 2), lambda: setattr(int, "x", 2),
          lambda: isinstance(1, 2), lambda: issubclass(1, int), lambda: type("X", (1,), {}), lambda: type("X", (bool,), {}), lambda: object(1), lambda: getattr(a, 1), lambda: A.__init__(), lambda: super(), lambda: super(A, 5).x):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Empty: pass
e = Empty()
e.__dict__["via"] = 1
print(e.via, vars(e), Empty.__doc__, Empty.__dict__.get("__module__"), sorted(k for k in Empty.__dict__ if not k.startswith("__")), type(Empty), Empty().__eq__(5), Empty() == Empty(), e == e, e != e)
def method(self): return "attached", self.v
A.late = method
a.inst = lambda: "instance function"
print(b.late(), a.inst(), A.late is method, a.late.__func__ is method, a.late.__self__ is a, a.late == a.late, a.m.__name__, A.m.__qualname__)
m = a.m
a.v = 7
print(m(1), list(map(a.m, [1, 2])), [f(1) for f in (a.m, b.m)])
class Counter:
    n = 0
    def __init__(self): type(self).n += 1; self.id = self.n
class Sub(Counter): pass
Counter(); Sub(); Sub()
print(Counter.n, Sub.n, Counter().id)
X = type("X", (A,), {"extra": 1, "m": lambda self, y: y, "__module__": "mod"})
print(X, X(1).m(5), X.extra, X.__name__, X.__bases__, X(2), X.__module__)
A.__name__ = "Renamed"
print(A, A.__name__, A.__qualname__)
class Private:
    __secret = 1
    def __init__(self): self.__x = 2; self.__y__ = 3
    def get(self): return self.__x, self.__secret, Private.__secret
    def __hidden(self): return "hidden"
    def call(self): return self.__hidden()
p = Private()
print(p.get(), p.call(), p._Private__x, Private._Private__secret, p.__y__, hasattr(p, "__x"), sorted(p.__dict__))
class Nested:
    class Inner:
        v = 1
        class Deep: pass
    def f(self):
        class Local: pass
        return Local
print(Nested.Inner.v, Nested.Inner.Deep.__qualname__, Nested().f().__qualname__, Nested.Inner)
class K(A): v = property(lambda self: 42)
try:
    K(1)
except AttributeError as err:
    print(err)
for i in range(2):
    class Loop:
        if i: odd = True
        else: even = True
        vals = [j for j in range(3)]
    print(hasattr(Loop, "odd"), Loop.vals)
print(dir(Empty)[:3], [n for n in dir(a) if not n.startswith("_")], callable(A), callable(a), id(a) == id(a), repr(type), isinstance(A, type), isinstance(type, object))
