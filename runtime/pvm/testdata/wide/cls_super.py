def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
class A:
    def f(s,*a): return ('A.f',)+a
    @classmethod
    def c(cls): return 'A.c '+cls.__name__
    @staticmethod
    def s(): return 'A.s'
    x='Ax'
    @property
    def p(s): return 'A.p'
    def __getitem__(s,k): return 'A['+str(k)+']'
    def __len__(s): return 3
class B(A):
    def f(s,*a): return ('B.f',)+super().f(*a)
    @classmethod
    def c(cls): return 'B.c '+super().c()
    @staticmethod
    def s(): return 'B.s '+super(B,B).s()
    @property
    def p(s): return 'B.p '+super().p
    def __getitem__(s,k): return super().__getitem__(k)+'!'
    def xx(s): return super().x, super(B,s).x
    def nested(s): return [super(B,s).f(i) for i in range(2)]
    def inner(s):
        def g(): return super(B,s).f()
        return g()
    def bad(s): return super().nope
    def sub(s): return super()[1]
    def ln(s): return len(super())
    def setx(s): super().x=5
class C(A):
    def f(s,*a): return ('C.f',)+super().f(*a)
class D(B,C):
    def f(s,*a): return ('D.f',)+super().f(*a)
d=D(); print(d.f(1),D.c(),d.c(),d.s(),d.p,d[3],d.xx(),d.nested(),d.inner()); t(d.bad); t(d.sub); t(d.ln); t(d.setx); print(d.__dict__)
print([k.__name__ for k in D.__mro__],repr(super(B,d))[:60],super(B,d).__thisclass__,super(B,d).__self_class__,super(B,d).__self__ is d)
t(super); t(super,int); t(super,int,'a'); t(super,5); t(super,A,5); t(super,1,2,3); t(super,A,B); t(lambda:super(A,B).c()); t(lambda: super(B,D).c()); t(lambda:super(B).__get__(d,D).f()); t(lambda:super(A,d).f)
class NoArgs:
    def f(): super()
    def g(self):
        del self
        super().g()
    def h(self):
        self=5
        return super().h
    def gen(self): return list(super().__class__ for _ in range(1))
    k=lambda s: super().__repr__()[:18]
t(NoArgs.f); t(NoArgs().g); t(NoArgs().h); t(NoArgs().gen); t(NoArgs().k)
def bare(): super()
t(bare)
def bare2(x): super()
t(bare2,1)
class M:
    def m(self): return __class__.__name__
    @classmethod
    def k(cls): return __class__,cls
class M2(M): pass
print(M2().m(),M2.k())
def mro(*bs):
    try: return [c.__name__ for c in type('R',bs,{}).__mro__]
    except TypeError as e: return str(e)
class O: pass
class X(O): pass
class Y(O): pass
class XX(X,Y): pass
class YY(Y,X): pass
print(mro(X,Y),mro(Y,X),mro(XX),mro(O,X),mro(X,O),mro(XX,YY),mro(XX,Y),mro(Y,XX),mro(X,X))
class MixA:
    def __init__(s,*a,**k): print('MixA',a,k); super().__init__(*a,**k)
class MixB:
    def __init__(s,b=None,**k): print('MixB',b,k); super().__init__(**k)
class MM(MixA,MixB):
    def __init__(s): super().__init__(b=2)
MM(); t(lambda:MixA(5)); t(lambda:MixA(z=1))
class New:
    def __new__(c,*a): print('new',a); return super().__new__(c)
    def __init__(s,*a): print('init',a)
New(1,2); 
class New2:
    def __new__(c): return 5
    def __init__(s): print('never')
print(New2())
class New3:
    def __new__(c,x): return object.__new__(c)
t(New3,1); t(New3)
class New4:
    def __new__(c,x): return object.__new__(c,x)
t(New4,1)
class New5:
    def __init__(s,x): object.__init__(s,x)
t(New5,1)
class New6:
    def __init__(s): return 5
t(New6)
class I(int):
    def __new__(c,v,extra=None): o=super().__new__(c,v); o.extra=extra; return o
i=I(5,'e'); print(i,i.extra,i+1,type(i+1),repr(i),i.__dict__)
class St(str):
    def __new__(c,*a): return super().__new__(c,'-'.join(a))
print(St('a','b'),type(St('a').upper()),St('x')+'y')
class T(tuple):
    def __new__(c,*a): return super().__new__(c,a)
    x=property(lambda s:s[0])
print(T(1,2),T(1,2).x,T(1)+(2,),type(T(1)[:]))
