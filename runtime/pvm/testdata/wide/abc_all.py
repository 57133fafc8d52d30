def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
from collections.abc import *
import collections.abc as abc
from abc import ABC, abstractmethod, ABCMeta, abstractproperty, get_cache_token, update_abstractmethods
names=[n for n in sorted(abc.__all__)]
print(names)
class G:
    def __iter__(s): return s
    def __next__(s): raise StopIteration
class Cn:
    def __contains__(s,x): return True
class Ln:
    def __len__(s): return 0
class Cl:
    def __call__(s): pass
class Hs:
    def __hash__(s): return 1
class Nh: __hash__=None
async def co(): pass
def gen(): yield
async def ag(): yield
c=co(); objs=[1,'a',b'b',[],(),{},set(),frozenset(),range(1),{}.keys(),{}.values(),{}.items(),iter([]),gen(),ag(),c,lambda:0,len,int,G(),Cn(),Ln(),Cl(),Hs(),Nh(),None,memoryview(b''),bytearray(),slice(1),zip(),1.5,...,NotImplemented,type]
c.close()
for o in objs: print(type(o).__name__,[n for n in names if n!='ByteString' and isinstance(o,getattr(abc,n))])
for n in names:
    A=getattr(abc,n); print(n,sorted(A.__abstractmethods__)); t(A)
class MS(Sequence):
    def __init__(s,*a): s.a=a
    def __getitem__(s,i): return s.a[i]
    def __len__(s): return len(s.a)
m=MS(1,2,3,2); print(list(m),2 in m,9 in m,m.index(2),m.count(2),list(reversed(m)),m.index(2,2)); t(m.index,9); t(m.index,1,1); t(lambda:m==MS(1)); t(m.index,2,-1)
class MM(MutableSequence):
    def __init__(s,*a): s.a=list(a)
    def __getitem__(s,i): return s.a[i]
    def __setitem__(s,i,v): s.a[i]=v
    def __delitem__(s,i): del s.a[i]
    def __len__(s): return len(s.a)
    def insert(s,i,v): s.a.insert(i,v)
m=MM(1,2); m.append(3); m.extend([4,5]); m.reverse(); print(m.a,m.pop(),m.pop(0)); m.remove(3); m+=[9]; print(m.a); m.clear(); t(m.pop); m.extend(m); print(m.a)
class MMp(MutableMapping):
    def __init__(s,**k): s.d=k
    def __getitem__(s,k): return s.d[k]
    def __setitem__(s,k,v): s.d[k]=v
    def __delitem__(s,k): del s.d[k]
    def __iter__(s): return iter(s.d)
    def __len__(s): return len(s.d)
m=MMp(a=1,b=2); print(m.get('a'),m.get('z',0),'a' in m,list(m.keys()),list(m.values()),list(m.items()),m=={'a':1,'b':2},m.pop('a'),m.setdefault('q',5),m.setdefault('q',6)); m.update({'x':1},y=2); m.update([('w',3)]); print(m.d,m.popitem(),m.keys()&{'x'},len(m.items()-{('x',1)}),repr(m.keys())[:9],('x',1) in m.items(),1 in m.values(),m.keys()|['n']=={'x','n','b','q','y'} if 0 else ''); t(m.pop,'zz'); t(m.update,1,2); t(m.update,5); t(lambda:m['zz']); m.clear(); t(m.popitem); print(m!={},dict(**m),dict(m),{**m}); t(hash,m); t(lambda:reversed(m))
class St(MutableSet):
    def __init__(s,it=()): s.l=list(dict.fromkeys(it))
    def __contains__(s,x): return x in s.l
    def __iter__(s): return iter(s.l)
    def __len__(s): return len(s.l)
    def add(s,x):
        if x not in s.l: s.l.append(x)
    def discard(s,x):
        if x in s.l: s.l.remove(x)
    def __repr__(s): return 'St%r'%s.l
    def __hash__(s): return s._hash()
a,b=St([1,2,3]),St([3,4]); print(a|b,a&b,a-b,a^b,b-a,a<b,St([1])<a,a>=St([1]),a=={1,2,3},a.isdisjoint([9]),a.isdisjoint(b),a|[7],[7]|a,[1,9]-a,a&{1},{1,8}^a,a==b,a!=b,hash(a)==hash(frozenset([1,2,3])),a<=a,a>b); a|=[5]; a&=[1,5]; a-=[1]; a^=[5,6]; print(a,a.pop(),a); t(a.remove,99); t(a.pop); t(St().pop); a.add(1); a.clear(); print(a); t(lambda:a|5); t(lambda:a<5)
class V(ABC):
    @abstractmethod
    def f(s): ...
    @property
    @abstractmethod
    def p(s): ...
    @classmethod
    @abstractmethod
    def c(cls): ...
    @staticmethod
    @abstractmethod
    def s(): ...
    def conc(s): return 'conc'
t(V); t(lambda:type('W',(V,),{'f':1})()); print(sorted(V.__abstractmethods__),V.f.__isabstractmethod__,V.__dict__['p'].__isabstractmethod__)
class W1(V): f=p=c=s=5
print(W1().conc(),W1.__abstractmethods__); t(lambda:type('W',(V,),{'f':1,'p':2,'c':3})())
class Reg(ABC): pass
print(Reg.register(int),isinstance(5,Reg),issubclass(bool,Reg),issubclass(str,Reg),isinstance('a',Reg)); t(Reg.register,5); t(lambda:Reg.register(Reg)); 
@Reg.register
class Dec: pass
print(isinstance(Dec(),Reg),Reg.__mro__,Dec.__mro__)
class Hook(ABC):
    @classmethod
    def __subclasshook__(cls,C):
        if cls is Hook: return hasattr(C,'hooked') or NotImplemented
        return NotImplemented
class H1: hooked=1
print(isinstance(H1(),Hook),isinstance(5,Hook),issubclass(H1,Hook)); t(isinstance,5,type('X',(ABC,),{'__subclasshook__':classmethod(lambda c,C:5)}))
class Lt(V): pass
Lt.f=lambda s:1; print(sorted(update_abstractmethods(Lt).__abstractmethods__)); print(issubclass(list,Sequence),issubclass(dict,Mapping),isinstance(MMp(),Mapping),Sequence[int],Callable[[int],str],Callable[...,int],Callable[[int],str].__args__,Mapping[str,int].__origin__,Iterable[int]|None); t(lambda:Callable[int]); t(lambda:Callable[int,str]); t(lambda: Sized[int]) ; t(lambda: Hashable[int])
class It(Iterator):
    def __next__(s): raise StopIteration
print(list(It()),iter(It()).__class__.__name__)
class Ge(Generator):
    def send(s,v): return v
    def throw(s,t,v=None,tb=None): raise t
x=Ge(); print(next(x)); t(x.close); t(x.throw,ValueError)
class NoC(ABC): __contains__=None
print(isinstance(NoC(),Container),issubclass(NoC,Container))
