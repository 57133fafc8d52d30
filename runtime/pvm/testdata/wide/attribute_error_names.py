class A:
    thing = 1
    __slots__ = ('s',)
    @property
    def prop(self): raise AttributeError('inside')
    @property
    def ro(self): return 1
class G:
    def __getattr__(self, n): raise AttributeError(n)
class H:
    def __getattribute__(self, n): raise AttributeError(n)
class I:
    def __getattribute__(self, n): return object.__getattribute__(self, n)
class K:
    def __getattr__(self, n): raise AttributeError(n, name='given')
class L:
    def __getattr__(self, n): raise AttributeError(n, obj=5)
class Sub(AttributeError): pass
class N:
    def __getattr__(self, n): raise Sub(n)
class M(type):
    def __getattr__(cls, n): raise AttributeError(n)
class C(metaclass=M): pass
class D:
    def __get__(self, o, t): raise AttributeError('desc')
class E: d = D()
class S:
    def __setattr__(self, n, v): raise AttributeError(n)
    def __delattr__(self, n): raise AttributeError(n)
class F:
    def __getattr__(self, n): return self.other
    other = property(lambda self: self.nothing)
import math, collections, enum, functools, dataclasses
@dataclasses.dataclass(frozen=True)
class Fr: x: int = 1
P = collections.namedtuple('P', 'a')
class En(enum.Enum): RED = 1
def t(name, f):
    try: r = f()
    except AttributeError as e: print(name, type(e).__name__, e.args, e.name, type(e.obj).__name__ if not isinstance(e.obj, type) else e.obj.__name__)
    except Exception as e: print(name, type(e).__name__, e)
    else: print(name, 'ok', r)
def stmt(code):
    def f():
        return code()
    return f
def s1(): A().x = 1
def s2(): A().ro = 1
def s3(): del A().x
def s4(): del A().s
def s5(): del A.nothing
def s6(): (5).x = 1
def s7(): int.x = 1
def s8(): S().x = 1
def s9(): del S().x
def s10(): Fr().x = 2
def s11(): P(1).a = 3
def s12(): object().x = 1
def s13(): math.x
def s15(): En.RED.value = 3
def s16(): del A().ro
def s17(): A().thing = 5
def s19(): super(A, A()).nope
def s20(): with_ = 1; print(with_.bit)
for i in [i for i in range(1, 21) if i not in (14, 18)]: t('s%d' % i, globals()['s%d' % i])
for n, f in dict(inst=lambda: A().x, prop=lambda: A().prop, slot=lambda: A().s, cls=lambda: A.x, g=lambda: G().x, ga=lambda: getattr(G(), 'x'), gd=lambda: getattr(G(), 'x', 'default'), ha=lambda: hasattr(G(), 'x'), h=lambda: H().x, i=lambda: I().x, k=lambda: K().x, l=lambda: L().x, n=lambda: N().x, c=lambda: C.x, d=lambda: E().d, dc=lambda: E.d, f=lambda: F().y, call=lambda: G().m(), callc=lambda: C.m(1), mod=lambda: math.foo, none=lambda: None.x, func=lambda: t.x, meth=lambda: [].append.x, lst=lambda: [].x, en=lambda: En.BLUE, en2=lambda: En.RED.x, nt=lambda: P(1).b, fr=lambda: Fr().y, part=lambda: functools.partial(t).x, gen=lambda: (x for x in ()).x, obj=lambda: object.__getattribute__(G(), 'x'), typ=lambda: type.__getattribute__(C, 'x'), dunder=lambda: G().__getattr__('x'), sup=lambda: super(A, A).q, opget=lambda: vars(5), wth=lambda: [x for x in [1] if x.y], raisee=lambda: (_ for _ in ()).throw(AttributeError('q')), delattr_=lambda: delattr(G(), 'zz'), setattr_=lambda: setattr(5, 'a', 1), match=lambda: G().x.y, excname=lambda: AttributeError('a', name='b').name, bound=lambda: A().prop.x, modcls=lambda: collections.nope, cp=lambda: functools.cached_property(lambda s: 1).nope, strm=lambda: 'a'.foo(), intm=lambda: (5).foo(), exc=lambda: ValueError().foo).items(): t(n, f)
