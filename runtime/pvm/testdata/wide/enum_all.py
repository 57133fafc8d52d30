def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
from enum import *
import enum
class C(Enum):
    RED = 1; GREEN = 2; BLUE = 3; CRIMSON = 1
    def desc(self): return f'{self.name}:{self.value}'
    @property
    def low(self): return self.name.lower()
    @classmethod
    def default(cls): return cls.GREEN
print(list(C), len(C), C.RED, repr(C.RED), str(C.RED), C.CRIMSON is C.RED, C['GREEN'], C(3), C.__members__, C.RED.desc(), C.RED.low, C.default(), C.RED in C, list(reversed(C)), C, C.RED == 1, C.RED != C.BLUE, {C.RED: 1}, isinstance(C.RED, C), type(C.RED), C.RED.name, C.RED.value, C.RED._name_, C.RED._value_, f'{C.RED}', f'{C.RED:>10}', '%s' % C.RED, hash(C.RED) == hash('RED'))
t(C, 9); t(lambda: C['X']); t(lambda: C.X); t(lambda: C.RED < C.BLUE); t(setattr, C, 'RED', 5); t(delattr, C, 'RED'); t(setattr, C.RED, 'value', 5); t(setattr, C.RED, 'name', 5); t(C.RED.__call__) if 0 else 0; t(lambda: C.RED.RED); t(lambda: 1 in C); t(lambda: 'RED' in C); t(lambda: type('X', (C,), {})); t(lambda: C()); t(lambda: C.RED.foo); t(lambda: C(C.RED)); t(lambda: sorted(C)); t(lambda: C.RED + 1); t(bool, C.RED); t(lambda: C.__call__); t(lambda: dir(C)); t(lambda: dir(C.RED))
def mk():
    class Sub(C): Z = 1
t(mk)
def mk():
    class D(Enum): A = 1; A = 2
t(mk)
def mk():
    class D(Enum): mro = 1
t(mk)
def mk():
    class D(Enum): _x_ = 1
t(mk)
def mk():
    class D(Enum):
        A = auto(); B = auto(); C = 'x'; D = auto()
    return list(D)
t(mk)
class Auto(Enum):
    def _generate_next_value_(name, start, count, last): return (name.lower(), start, count, list(last))
    A = auto(); B = auto(); X = 7; D = auto()
print(list(Auto))
@unique
class U(Enum): A = 1; B = 2
def mk():
    @unique
    class U(Enum): A = 1; B = 1; C = 1
t(mk)
for chk, body in [(UNIQUE, dict(A=1, B=1)), (CONTINUOUS, dict(A=1, B=3, C=7)), (NAMED_FLAGS, dict(A=1))]:
    def mk():
        ns = Enum.__prepare__('V', (Enum,)) if 0 else None
        return verify(chk)(Enum('V', body))
    t(mk)
def mk():
    @verify(NAMED_FLAGS)
    class V(Flag): A = 1; B = 2; C = 12
t(mk)
def mk():
    @verify(CONTINUOUS)
    class V(Flag): A = 1; B = 2; D = 8
t(mk)
class I(IntEnum): A = 1; B = 2
print(I.A, repr(I.A), I.A + 1, I.A < I.B, I.A == 1, [10, 20][I.A], f'{I.A}', '%d' % I.A, format(I.A), format(I.A, '03d'), int(I.B), I(2), I.A | I.B, type(I.A | I.B), hash(I.A) == hash(1), 1 in [I.A], max(I), sum(I), I.A.real, I.B.bit_length(), isinstance(I.A, int), {1: 'x'}[I.A], str(I.A), I.__mro__)
class S(StrEnum):
    A = auto(); B = 'bee'; C_D = auto()
print(S.A, repr(S.A), S.A == 'a', S.B.upper(), f'{S.C_D}', list(S), S('bee'), 'a' + S.A, S.A.join(['x', 'y']), len(S.B), S.A in ('a',), S.__members__)
def mk():
    class T(StrEnum): A = 1
t(mk)
def mk():
    class T(StrEnum): A = 'a', 'b'
t(mk)
class T(StrEnum): A = b'x', 'utf-8'
print(T.A)
class F(Flag):
    R = auto(); W = auto(); X = auto(); RW = R | W; NONE = 0
print(list(F), F.R | F.X, repr(F.R | F.X), F.RW, F.RW & F.W, F.R ^ F.RW, ~F.R, F(0), repr(F(0)), bool(F(0)), F.R in F.RW, F.X in F.RW, F(7), repr(F(7)), list(F.RW), len(F.RW), F['RW'], F(3) is F.RW, F.R.value, (F.R | F.X).name, (F.R | F.X).value, iter(F.RW).__next__(), F.NONE in F.R, sorted(F, key=lambda f: f.value), ~F(0), F.R | F.W is F.RW)
t(F, 8); t(F, -1); t(lambda: F.R | 1); t(lambda: 1 | F.R); t(lambda: F.R & 'a'); t(lambda: 1 in F.RW); t(F, 'R'); t(lambda: F.R < F.W); t(lambda: F.R in C); t(lambda: list(F(0)))
for b in (STRICT, CONFORM, EJECT, KEEP):
    class G(Flag, boundary=b): A = 1; B = 2; C = 8
    t(G, 5); t(G, 16); t(G, 11); t(lambda: ~G.A); t(G, -2); t(lambda: G.__call__(3)); print(G._boundary_, repr(b), G._flag_mask_, G._all_bits_, G._singles_mask_ if hasattr(G, '_singles_mask_') else '')
class IF(IntFlag): A = 1; B = 2; C = 4
print(IF.A | 8, repr(IF.A | 8), IF.A | IF.B, IF.A + 1, ~IF.A, IF(0), IF(7), IF(-1), IF.A & 5, IF.A ^ 3, 4 | IF.A, IF.A == 1, repr(IF(9)), list(IF(5)), IF.A in IF(3), format(IF.A | IF.B), f'{IF.A:d}', int(IF.C), (IF.A | 8).name)
class M(Enum):
    A = 1; B = 2
    @classmethod
    def _missing_(cls, v):
        if v == 'a': return cls.A
        if v == 'bad': return 5
        if v == 'err': raise KeyError('k')
        return None
t(M, 'a'); t(M, 'bad'); t(M, 'err'); t(M, 'none')
try: M('bad')
except TypeError as e: print(repr(e.__context__))
class Planet(Enum):
    EARTH = (5.97, 6.37); MARS = (0.64, 3.39)
    def __init__(self, mass, radius): self.mass = mass; self.radius = radius
    @property
    def g(self): return round(self.mass / self.radius ** 2, 3)
print(Planet.EARTH.g, Planet.MARS.mass, Planet((0.64, 3.39)), Planet.EARTH.value)
class Nw(Enum):
    A = (1, 'x'); B = (2, 'y')
    def __new__(cls, v, l): o = object.__new__(cls); o._value_ = v; o.label = l; return o
print(Nw(1), Nw.B.label, Nw.A.value)
class Ord(Enum):
    A = 1; B = 2
    def __lt__(s, o): return s.value < o.value if s.__class__ is o.__class__ else NotImplemented
print(sorted([Ord.B, Ord.A])); t(lambda: Ord.A < 5)
class Mem(Enum):
    A = 1
    fn = nonmember(5)
    @member
    def g(self): return 'x'
    class Inner: pass
    @nonmember
    class Inner2: pass
    _ignore_ = ['zz']
    zz = 3
    lam = lambda self: 1
print(list(Mem)[:1], Mem.fn, type(Mem.g), Mem.Inner2, len(Mem)); t(lambda: Mem.zz)
Fn = Enum('Fn', 'A B C'); print(list(Fn), Fn.__name__, Fn.__module__); print(list(Enum('F2', ['x', 'y'], start=5)), list(Enum('F3', {'p': 1, 'q': 'z'})), list(Enum('F4', [('a', 1), ('b', 2)])), list(IntEnum('F5', 'a,b c')), list(Flag('F6', 'a b c')), Enum('F7', 'a', type=int).a + 1, list(Enum('F8', '')), Enum('F9', 'A', module='mm', qualname='q.F9').__qualname__); t(Enum, 'X', 'a a'); t(Enum, 'X', 5); t(Enum, 'X')
class Mix(float, Enum): HALF = 0.5; ONE = 1.0
print(Mix.HALF + 1, Mix.HALF, repr(Mix.HALF), format(Mix.ONE))
class DT(tuple, Enum): A = (1, 2)
print(DT.A, DT.A[0], len(DT.A))
class Hash(Enum):
    A = [1]; B = {}
print(Hash([1]), Hash.B, Hash({})); t(Hash, [2])
class Reprs(Enum):
    A = 1
    def __repr__(s): return 'rr'
    def __str__(s): return 'ss'
    def __format__(s, f): return 'ff' + f
print(Reprs.A, [Reprs.A], f'{Reprs.A:x}', format(Reprs.A)); print(global_enum_repr(C.RED), global_str(C.RED))
match C.RED:
    case C.GREEN: print('g')
    case C.RED: print('r')
class Empty(Enum): pass
class Has(Empty): A = 1
print(Has.A, list(Empty), len(Empty)); t(Empty, 1); t(lambda: C.RED.__class__.__name__); t(lambda: C.__doc__); t(lambda: I.__doc__); t(lambda: Enum.__doc__ is None)
class Prop(Enum):
    A = 1
    @enum.property
    def foo(self): return 'foo' + self.name
print(Prop.A.foo); t(lambda: Prop.foo); print(C.RED.__reduce_ex__(2) if 0 else '', C.RED.__hash__() == hash('RED'), C.__contains__(C.RED))
import json; print(json.dumps([I.A, S.A], separators=(',', ':')), json.dumps(I.B)); t(json.dumps, C.RED)
