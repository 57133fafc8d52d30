# Changing the bases of a class, resolution orders that a metaclass makes, slots and layouts.


def tried(label, f, *args):
    try:
        print(label, f(*args))
    except Exception as e:
        print(label, type(e).__name__, e)


class Base:
    def who(self):
        return "Base"


class Other:
    def who(self):
        return "Other"

    def __len__(self):
        return 3

    def __add__(self, x):
        return "added", x


class A(Base):
    pass


class B(A):
    pass


b = B()
print(b.who(), [c.__name__ for c in B.__mro__])
A.__bases__ = (Other,)
print(b.who(), len(b), b + 1, [c.__name__ for c in B.__mro__])
print(Base.__subclasses__(), [c.__name__ for c in Other.__subclasses__()], A.__base__.__name__)
A.__bases__ = (Base, Other)
print(b.who(), len(b), [c.__name__ for c in B.__mro__])
A.__bases__ = (Base,)
tried("len", len, b)
tried("add", lambda: b + 1)


def set_bases(c, bases):
    c.__bases__ = bases


tried("cycle", set_bases, A, (B,))
tried("empty", set_bases, A, ())
tried("list", set_bases, A, [Base])
tried("number", set_bases, A, (1,))
tried("builtin", set_bases, int, (object,))
tried("final", set_bases, A, (bool,))
tried("delete", lambda: delattr(A, "__bases__"))


class L(list):
    pass


tried("layout", set_bases, L, (Base,))
tried("layout", set_bases, A, (dict,))


# An order that cannot be made leaves everything as it was.
class X:
    pass


class Y(X):
    pass


class Z(X, ):
    pass


class W(Y, Z):
    pass


tried("conflict", set_bases, Z, (Y, X))
print([c.__name__ for c in W.__mro__], [c.__name__ for c in Z.__bases__])
tried("conflict", set_bases, Y, (Z,))
print([c.__name__ for c in W.__mro__], [c.__name__ for c in Y.__bases__])


# Orders by metaclass.
class Reversed(type):
    def mro(cls):
        return super().mro()[::-1]


class P:
    def f(self):
        return "P"


class Q(P, metaclass=Reversed):
    def f(self):
        return "Q"


print(Q().f(), [c.__name__ for c in Q.__mro__])


def devious(result):
    class Meta(type):
        def mro(cls):
            return [cls if c == "cls" else c for c in result]

    class C(metaclass=Meta):
        pass

    return [c.__name__ for c in C.__mro__]


tried("layout", devious, ["cls", dict, object])
tried("layout", devious, ["cls", int])
tried("no class", devious, [1])
tried("fine", devious, ["cls", P, object])


class Slotted:
    __slots__ = ("s",)


tried("slots", devious, ["cls", Slotted, object])


# Slots lie in the order of their names, so these can trade instances.
class G:
    __slots__ = ("b", "a")


class H:
    __slots__ = ("a", "b")


class J:
    __slots__ = ("a", "c")


g = G()
g.a, g.b = 1, 2
g.__class__ = H
print(type(g).__name__, g.a, g.b, H.a.__get__(g))


def set_class(x, c):
    x.__class__ = c


tried("class", set_class, g, J)
tried("class", set_class, L(), A)
tried("class", set_class, 1, A)


class D1(dict):
    pass


class D2(dict):
    pass


d = D1(k=1)
d.extra = 5
d.__class__ = D2
print(type(d).__name__, d, d.extra)

for slots in ("é", "1x", "a b", ("__dict__", "__dict__"), ("__weakref__", "__weakref__"), ("x", "x"), b"x", "ok"):
    tried("slots " + repr(slots), lambda: type("S", (), {"__slots__": slots}).__name__)
tried("slots", lambda: type("S", (Base,), {"__slots__": "__dict__"}))
tried("slots", lambda: type("S", (int,), {"__slots__": "x"}))

# What a class checks cannot be passed by.
tried("set", object.__setattr__, A, "who", 1)
tried("set", object.__setattr__, str, "foo", 1)
tried("del", object.__delattr__, A, "who")
tried("doc", lambda: delattr(A, "__doc__"))
tried("abstract", lambda: A.__abstractmethods__)
tried("abstract", lambda: type.__abstractmethods__)
tried("alias", lambda: type("M", (list[int],), {}))

# Deleting one special method of a slot leaves the others at work.


class Cmp:
    def __eq__(self, other):
        return "eq"

    def __lt__(self, other):
        return "lt"

    def __getattribute__(self, name):
        return "always " + name

    def __getattr__(self, name):
        return "missing " + name

    def __setattr__(self, name, value):
        print("set", name)

    def __delattr__(self, name):
        print("del", name)


c = Cmp()
print(c == 1, c < 1, c.x)
del Cmp.__lt__, Cmp.__getattribute__, Cmp.__setattr__
print(c == 1, c.x)
del c.x
c.y = 1
print(c.y)
tried("lt", lambda: c < 1)
