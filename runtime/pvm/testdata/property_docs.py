# Docstrings, names and fields of properties, and descriptors of native fields.


class C:
    @property
    def a(self):
        "doc of a"

    b = property(doc="doc of b")

    @b.getter
    def b(self):
        "not this one"

    c = a.getter(lambda self: 1)
    d = a.setter(lambda self, v: None)

    def _e(self):
        "doc of e"

    e = property(_e, doc="mine")


for n in "abcde":
    p = C.__dict__[n]
    print(n, p.__doc__, p.fget is not None, p.fset is not None)


class Sub(property):
    """of the subclass"""


class D:
    @Sub
    def a(self):
        "doc of a"

    @Sub
    def b(self):
        pass

    c = a.setter(lambda self, v: None)
    d = Sub(lambda self: 1, doc="given")
    e = a.getter(lambda self: 2)


for n in "abcde":
    print(n, D.__dict__[n].__doc__, type(D.__dict__[n]).__name__)


class Tight(property):
    __slots__ = ()


def documented(self):
    "text"


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: Tight(documented))
attempt(lambda: setattr(C.a, "fget", 1))
attempt(lambda: setattr(1j, "real", 1))
attempt(lambda: setattr(slice(1), "start", 1))
attempt(lambda: setattr(range(1), "stop", 1))
attempt(lambda: setattr(C().__init__, "x", 1))
attempt(lambda: C.a.__set_name__())
attempt(lambda: C().b)
attempt(lambda: setattr(C(), "a", 1))
attempt(lambda: delattr(C(), "a"))
for d in (complex.real, property.fget, slice.start, range.step, int.real):
    print(type(d).__name__, d, d.__qualname__)


# super objects.
class A:
    def f(self):
        return "A"


class B(A):
    def f(self):
        return "B" + super().f()


class Named(super):
    pass


class E(B):
    def f(self):
        return type(self.sup).__name__ + self.sup.f()


E.sup = Named(E)
print(E().f())


class Proxy:
    def __init__(self, obj):
        self.__obj = obj

    def __getattribute__(self, name):
        if name.startswith("_Proxy__"):
            return object.__getattribute__(self, name)
        return getattr(self.__obj, name)


print(B.__dict__["f"](Proxy(B())))
attempt(lambda: super(B, A()).f)
print([type(x).__name__ for x in (A.__dict__["__dict__"], A.__dict__["__doc__"])])


class Meta(A, type):
    pass


class K(metaclass=Meta):
    pass


attempt(lambda: A.__dict__["__dict__"].__set__(K, {}))
attempt(lambda: A.__dict__["__dict__"].__get__(K)["f"])
a = A()
a.x = 1
del a.__dict__
print(a.__dict__, hasattr(a, "x"))
a.y = 2
print(a.__dict__)
