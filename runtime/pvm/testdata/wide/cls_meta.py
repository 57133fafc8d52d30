def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
class Meta(type):
    log=[]
    def __new__(m,n,b,ns,**k):
        Meta.log.append(('new',n,b,sorted(x for x in ns if not x.startswith('__')),k)); return super().__new__(m,n,b,ns)
    def __init__(c,n,b,ns,**k):
        Meta.log.append(('init',n,k)); super().__init__(n,b,ns)
    def __call__(c,*a,**k):
        Meta.log.append(('call',c.__name__,a,k)); return super().__call__(*a,**k)
    @classmethod
    def __prepare__(m,n,b,**k):
        Meta.log.append(('prepare',n,b,k)); return {'injected':n}
    def __len__(c): return 42
    def __iter__(c): return iter(c.__name__)
    def __contains__(c,x): return x in c.__name__
    def __getitem__(c,k): return (c.__name__,k)
    def __getattr__(c,n): 
        if n.startswith('dyn_'): return n[4:]
        raise AttributeError(f'no {n}')
    def __setattr__(c,n,v): Meta.log.append(('set',n)); super().__setattr__(n,v)
    def __repr__(c): return f'<M {c.__name__}>'
    def __add__(c,o): return c.__name__+'+'+str(o)
    def __eq__(c,o): return c is o
    def __hash__(c): return 7
    def __bool__(c): return False
    @property
    def prop(c): return 'prop of '+c.__name__
    def __dir__(c): return ['z','a']
class A(metaclass=Meta,opt=1):
    x=1
    def __init__(self,q=0): self.q=q
class B(A,other=2): pass
for l in Meta.log: print(l)
Meta.log.clear()
print(len(A),list(B),'A' in A,A['k'],A.dyn_foo,A,[A],A+1,hash(A),bool(A),A.prop,dir(A),A.injected,B.injected,f'{A}',str(A))
t(lambda:A.nope); t(lambda:A().prop); t(lambda:A().dyn_x); A.y=5; print(Meta.log); print(A(q=3).q,Meta.log[-1])
class X(type): pass
class Y(type): pass
class P(metaclass=X): pass
class Q(metaclass=Y): pass
def mk():
    class Z(P,Q): pass
t(mk)
class XY(X,Y): pass
class Z(P,Q,metaclass=XY): pass
print(type(Z),type(Z).__mro__)
def fmeta(n,b,ns,**k): return (n,b,sorted(ns),k)
class FF(int,metaclass=fmeta,k=3): a=1
print(FF)
class Bad(type):
    @classmethod
    def __prepare__(m,n,b): return 5
def mk():
    class Z(metaclass=Bad): pass
t(mk)
class Cnt(dict):
    def __setitem__(s,k,v):
        if k in s: print('dup',k)
        super().__setitem__(k,v)
class MD(type):
    @classmethod
    def __prepare__(m,n,b): return Cnt()
    def __new__(m,n,b,ns): return super().__new__(m,n,b,dict(ns))
class D(metaclass=MD):
    a=1
    a=2
    def f(self): pass
    def f(self): pass
class Sing(type):
    inst={}
    def __call__(c,*a):
        if c not in c.inst: c.inst[c]=super().__call__(*a)
        return c.inst[c]
class S(metaclass=Sing):
    def __init__(s,v): s.v=v
print(S(1) is S(2),S(3).v)
t(lambda:type('T',(A,),{'z':1},opt=5)); print(type('T',(),dict(a=1)).a, type.__call__(int,'5'), type.__new__(type,'N',(),{}).__name__)
class NoInst(type):
    def __call__(c): raise TypeError('no instances')
class N(metaclass=NoInst): pass
t(N)
class E: 
    def __init_subclass__(cls,/,tag=None,**k): super().__init_subclass__(**k); cls.tag=tag; print('sub',cls.__name__,tag)
class E1(E,tag='a'): pass
class E2(E1): pass
t(lambda:type('E3',(E,),{},tag=9,bad=1)); print(E1.tag,E2.tag)
def mk():
    class G(object,zap=1): pass
t(mk)
class Desc:
    def __set_name__(s,o,n): print('set_name',o.__name__,n); s.n=n
    def __get__(s,i,o=None): return (s.n,i is None,o.__name__)
class H: d=Desc(); e=Desc()
print(H.d,H().e)
class BadSN:
    def __set_name__(s,o,n): raise ValueError('bad '+n)
def mk():
    class I: q=BadSN()
try: mk()
except Exception as e: print(type(e),e,repr(e.__cause__), getattr(e,'__notes__',None))
