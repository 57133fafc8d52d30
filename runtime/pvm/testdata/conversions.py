# int(), float(), complex(), bytes(), round() and operators on classes that have their own say.


def attempt(f, *args):
    try:
        r = f(*args)
        print(repr(r), type(r).__name__)
    except Exception as e:
        print(type(e).__name__, e)


class I(int):
    def __int__(self):
        return 42


class F(float):
    def __float__(self):
        return 42.0


class FI(float):
    def __int__(self):
        return 7


class T(str):
    def __float__(self):
        return float(str(self)) + 1

    def __int__(self):
        return 99


class C(complex):
    def __complex__(self):
        return 42j


class Trunc:
    def __init__(self, r):
        self.r = r

    def __trunc__(self):
        return self.r


class Bits(bytes):
    __bytes__ = None


class X(int):
    def __index__(self):
        return 5


attempt(int, I(7))
attempt(float, F(7))
attempt(int, FI(2.5))
attempt(float, T("8"))
attempt(int, T("8"))
attempt(complex, C(1j))
attempt(int, Trunc(3))
attempt(int, Trunc(True))
attempt(int, Trunc("x"))
attempt(int, Trunc(2.0))
attempt(lambda: [0, 1, 2, 3, 4, 5, 6, 7][X(2)])
attempt(range, X(2))
attempt(bytes, Bits(b"x"))
attempt(int, memoryview(b"123")[1:])
attempt(float, memoryview(b"12.5"))
attempt(float, bytearray(b" 12.5 "))
attempt(int, "1", 1 << 200)
attempt(int, "1", -(1 << 200))
attempt(round, 123.456, 1 << 200)
attempt(round, 123.456, -(1 << 200))
attempt(round, 7, 1 << 100)
attempt(str, memoryview(b"abc"), "utf-8")
attempt(str, "abc", "utf-8")
attempt(str, 3, "utf-8")
attempt(complex, {})
attempt(complex, {}, 1)
attempt(complex, 1, {})
attempt(complex, "1", 2)
attempt(lambda: "a" * -(1 << 90))
attempt(lambda: [] * (1 << 90))
attempt("abc".__mul__, "x")
attempt("abc".__add__, 3)
attempt([1].__add__, (2,))
attempt((1,).__rmul__, 2)
attempt((1).__add__, "x")


class Len:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


attempt(len, Len(-1))
attempt(len, Len(-(1 << 90)))
attempt(len, Len(1 << 90))
attempt(len, Len("3"))


class Num:
    def __int__(self):
        return 10

    def __index__(self):
        return 11


print("%d %i %x %o %c" % (Num(), Num(), Num(), Num(), Num()))


# A method that is None blocks what would come next.
class NoAdd:
    __add__ = None


class NoRadd:
    __radd__ = None


class Eq:
    __eq__ = None


class Boo:
    def __add__(self, other):
        return NotImplemented


attempt(lambda: NoAdd() + Boo())
attempt(lambda: Boo() + NoRadd())
attempt(lambda: 1 + NoRadd())
attempt(lambda: Eq() == 1)
attempt(lambda: 1 != Eq())


class Fails:
    __eq__ = property(lambda self: 1 / 0)
    __lt__ = property(lambda self: 1 / 0)


f = Fails()
attempt(lambda: f == f)
attempt(lambda: f == 1)
attempt(lambda: f < 1)


# Calls.
class Twice:
    def keys(self):
        return ["x", "x"]

    def __getitem__(self, k):
        return 1


def g(**kw):
    return kw


attempt(lambda: g(**Twice()))
attempt(lambda: g(x=1, **{"x": 2}))
attempt(lambda: object(1))
attempt(lambda: object.__init__(object(), 1))


class O:
    pass


attempt(lambda: O(1))
attempt(lambda: O.__init__(O(), 1))
attempt(lambda: type("N\udcdc", (), {}))
attempt(lambda: type("N", (), {"__doc__": "\udcdc"}))
attempt(lambda: setattr(O, "__name__", "a\0b"))


class S:
    pass


S.__repr__ = S.__str__
for f in (str, repr):
    try:
        f(S())
    except RecursionError:
        print("RecursionError")
alias = list[int]
print(*alias, tuple[int, str].__unpacked__, next(iter(tuple[int])).__unpacked__, set(dir(list)) <= set(dir(alias)))
print(dict[str, *tuple[int]], hash(alias) == hash(list[int]), next(iter(alias)) == alias)
d = {0: 0}
try:
    for k in d:
        del d[0]
        d[0] = 0
except RuntimeError as e:
    print(e)
