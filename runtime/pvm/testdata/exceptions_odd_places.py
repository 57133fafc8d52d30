# Exceptions from unusual places, and state afterwards.
class Boom(Exception): pass
def boom(*a, **k): raise Boom("boom")
class A:
    def __init__(self, fail=False):
        self.started = True
        if fail: boom()
        self.done = True
    __getattr__ = __getitem__ = __setitem__ = __delitem__ = __contains__ = __len__ = __iter__ = __call__ = __add__ = __radd__ = __eq__ = __lt__ = __neg__ = __bool__ = __str__ = __repr__ = __format__ = __index__ = __int__ = __float__ = __hash__ = __enter__ = __reversed__ = __abs__ = __round__ = __bytes__ = boom
    prop = property(boom)
    @classmethod
    def cm(cls): boom()
a = object.__new__(A)
cases = [lambda: A(True), lambda: a.missing, lambda: a[0], lambda: a.__setitem__(0, 1), lambda: 1 in a, lambda: len(a), lambda: iter(a), lambda: [*a], lambda: list(a), lambda: a(), lambda: a + 1, lambda: 1 + a, lambda: a == 1, lambda: 1 == a, lambda: a != 1, lambda: a < 1, lambda: -a, lambda: bool(a), lambda: not a, lambda: str(a), lambda: repr(a), lambda: f"{a}", lambda: "%s" % a, lambda: "{}".format(a), lambda: [1][a], lambda: range(a), lambda: int(a), lambda: float(a), lambda: hash(a), lambda: {a: 1}, lambda: {a}, lambda: reversed(a), lambda: abs(a), lambda: round(a), lambda: bytes(a), lambda: a.prop, lambda: A.cm(), lambda: sorted([a, a]), lambda: max(a, a), lambda: [x for x in a], lambda: dict(a), lambda: sum(a), lambda: "".join(a), lambda: a if a else 1, lambda: a and 1, lambda: a or 1, lambda: print(a), lambda: [a].index(1), lambda: [a].count(2), lambda: (1, a) == (1, 2), lambda: {1: a} == {1: 2}, lambda: next(map(boom, [1])), lambda: list(filter(boom, [1])), lambda: sorted([1, 2], key=boom), lambda: max([1], key=boom), lambda: min(1, 2, key=boom), lambda: [1].sort(key=boom), lambda: any(boom() for _ in [1]), lambda: dict(x=boom()), lambda: boom(*[1], **{"k": 2}), lambda: isinstance(1, type("M", (type,), {"__instancecheck__": boom})("X", (), {})), lambda: type("Y", (), {"x": type("D", (), {"__set_name__": boom})()}), lambda: getattr(a, "x", 1), lambda: hasattr(a, "x"), lambda: vars(a)["q"], lambda: divmod(a, 1), lambda: pow(2, a), lambda: a ** 2, lambda: [1, 2][a:], lambda: a[1:2], lambda: exec_with()]
def exec_with():
    with a: pass
for i, c in enumerate(cases):
    try:
        print(i, c())
    except Exception as e:
        print(i, type(e).__name__, e, "cause" if e.__cause__ else "", end="; ")
    if i % 6 == 5: print()
print()
def it():
    yield 1
    boom()
out = []
try:
    out.extend(it())
except Boom:
    print(out)
out = [0]
try:
    out += it()
except Boom:
    print(out)
try:
    out[1:1] = it()
except Boom:
    print(out)
d = {}
try:
    d.update((k, boom() if k > 2 else k) for k in range(5))
except Boom:
    print(d)
s = set()
try:
    s.update(x if x < 2 else boom() for x in range(5))
except Boom:
    print(sorted(s))
try:
    x, y = it()
except Boom:
    print("unpack", "x" in globals())
g = it()
next(g)
try:
    next(g)
except Boom:
    print(next(g, "exhausted"))
class Ctx:
    def __enter__(self): return boom()
    def __exit__(self, *a): print("not called")
try:
    with Ctx(): pass
except Boom as e:
    print("enter failed")
def f(x=[]):
    x.append(1)
    if len(x) == 2: boom()
    return x
f()
try:
    f()
except Boom:
    print(f())
def fin():
    for i in range(3):
        try:
            if i == 1: boom()
        except Boom:
            continue
        finally:
            print("fin", i, end=" ")
        print("end", i, end=" ")
fin()
try:
    try: boom()
    finally: undefined_name
except NameError as e:
    print(type(e.__context__).__name__)
class P:
    @property
    def x(self): return self.missing_attr
    def __getattr__(self, n): raise AttributeError(f"no {n}")
try:
    P().x
except AttributeError as e:
    print(e)
class It:
    def __iter__(self): return self
    def __next__(self): raise Boom("next")
for f in (lambda: list(It()), lambda: [*It()], lambda: zip(It(), [1]).__next__(), lambda: sum(It()), lambda: dict(zip("a", It())), lambda: "".join(It()), lambda: max(It()), lambda: tuple(It()), lambda: 1 in It(), lambda: sorted(It()), lambda: set(It()), lambda: b"".join(It()), lambda: bytes(It())):
    try:
        f()
    except Boom as e:
        print(e, end=" ")
print()
try:
    raise Boom from boom
except TypeError as e:
    print(e)
try:
    raise Boom(boom())
except Boom as e:
    print(e.args, e.__context__)
