# Method resolution order, super, multiple inheritance.
class A:
    def who(self): return ["A"]
    def only_a(self): return "only_a"
class B(A):
    def who(self): return ["B"] + super().who()
class C(A):
    def who(self): return ["C"] + super().who()
class D(B, C):
    def who(self): return ["D"] + super().who()
class E(C): pass
class F(D, E):
    def who(self): return ["F"] + super(F, self).who()
print(D().who(), F().who(), [c.__name__ for c in F.__mro__], [c.__name__ for c in F.mro()], F.__bases__, F().only_a(), B.who(D()))
for bases in ((A, B), (B, C, A, D), (D, F)):
    try:
        type("X", bases, {})
    except TypeError as e:
        print(e)
try:
    class Dup(A, A): pass
except TypeError as e:
    print(e)
class Mixin:
    def greet(self): return "mixin " + super().greet()
class Base:
    def greet(self): return "base"
    def __init__(self, **kw): self.rest = kw
class Named:
    def __init__(self, name=None, **kw):
        super().__init__(**kw)
        self.name = name
class Aged:
    def __init__(self, age=0, **kw):
        super().__init__(**kw)
        self.age = age
class Person(Named, Aged, Mixin, Base): pass
p = Person(name="Ann", age=5, extra=1)
print(p.name, p.age, p.rest, p.greet(), [c.__name__ for c in Person.__mro__])
class P1:
    @classmethod
    def cm(cls): return "P1", cls.__name__
    @staticmethod
    def sm(): return "P1.sm"
    @property
    def pr(self): return "P1.pr"
class P2(P1):
    @classmethod
    def cm(cls): return ("P2",) + super().cm()
    @staticmethod
    def sm(): return "P2.sm+" + super(P2, P2).sm()
    @property
    def pr(self): return "P2.pr+" + super().pr
print(P2.cm(), P2().cm(), P2.sm(), P2().pr, super(P2, P2()).cm(), super(P2, P2).cm())
class Outer:
    def f(self):
        def inner(): return super(Outer, self).__repr__()[:6], __class__.__name__
        return inner()
    def g(self): return (lambda: __class__)()
print(Outer().f()[1], Outer().g())
class S(int):
    def __new__(cls, v): return super().__new__(cls, v + 1)
    def __add__(self, o): return S(super().__add__(o))
    def __repr__(self): return f"S{int(self)}"
print(S(1), S(1) + 5, S(1).__class__.__mro__)
class Root:
    def __init_subclass__(cls, /, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag
        registry.append((cls.__name__, tag))
registry = []
class R1(Root, tag="one"): pass
class R2(R1): pass
class R3(R2, tag="three"): pass
print(registry, R1.tag, R2.tag, R3.tag, [c.__name__ for c in Root.__subclasses__()])
try:
    class R4(Root, nope=1): pass
except TypeError as e:
    print(e)
class NotSuper:
    def m(self): return super().nope
for f in (lambda: NotSuper().m(), lambda: super(A, B()).who(), lambda: super(B, A()), lambda: super(1, 2)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class X: pass
class Y(X):
    def m(self): return "Y.m"
class Z(X):
    def m(self): return "Z.m"
o = Y()
o.__class__ = Z
print(o.m(), type(o).__name__)
class Diamond:
    log = []
    def __init__(self): self.log.append("D")
class L(Diamond):
    def __init__(self): self.log.append("L"); super().__init__()
class R(Diamond):
    def __init__(self): self.log.append("R"); super().__init__()
class LR(L, R):
    def __init__(self): self.log.append("LR"); super().__init__()
print(LR().log, LR.__mro__[1:3], issubclass(LR, Diamond), LR.__base__.__name__)
