def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
def warm(f,n=40):
    r=None
    for _ in range(n): r=f()
    return r
class A:
    v=1
    def m(s): return 'm'
a=A(); f=lambda:(a.v,a.m()); print(warm(f)); A.v=2; print(f()); A.m=lambda s:'m2'; print(f()); a.v=3; print(f()); del a.v; print(f()); a.m=lambda:'inst'; print(f()); del a.m; print(f()); A.m=property(lambda s:(lambda:'prop')); print(f()); A.m=staticmethod(lambda:'static'); print(f()); A.m=classmethod(lambda c:c.__name__); print(f()); A.m=5; t(f); del A.m; t(f); A.__getattr__=lambda s,n:(lambda:'ga '+n); print(f()); del A.__getattr__; t(f); A.__getattribute__=lambda s,n:(lambda:'gab '+n); print(a.v(),a.zz()); del A.__getattribute__; print(a.v)
class B(A):
    pass
b=B(); g=lambda:b.v; print(warm(g)); A.v=10; print(g()); B.v=11; print(g()); del B.v; print(g()); B.__bases__=(type('Z',(),{'v':'z'}),); print(g())
class C: 
    def __init__(s): s.x=1
class D:
    def __init__(s): s.x='d'; s.y=2
    x2=5
c=C(); h=lambda:c.x; print(warm(h)); c.__class__=D; print(h(),c.x2); c.__dict__['x']='dict'; print(h()); c.__dict__={'x':'new'}; print(h()); c.__dict__.clear(); t(h); vars(c)['x']=7; print(h())
class E:
    def __len__(s): return 1
    def __call__(s): return 'call'
    def __getitem__(s,i): return i
    def __iter__(s): return iter([1])
    def __contains__(s,x): return True
    def __eq__(s,o): return True
    def __hash__(s): return 1
    def __add__(s,o): return 'add'
    def __lt__(s,o): return True
    def __bool__(s): return True
    def __enter__(s): return 'ent'
    def __exit__(s,*a): return True
    def __str__(s): return 'str'
    def __repr__(s): return 'repr'
    def __format__(s,f): return 'fmt'
    def __neg__(s): return 'neg'
    def __int__(s): return 5
    def __index__(s): return 1
e=E()
def ops():
    with e as z: pass
    return len(e),e(),e[3],list(e),5 in e,e==1,e!=1,hash(e),e+1,e<1,bool(e),z,str(e),repr(e),f'{e}',-e,int(e),[5,6][e],1 if e else 0,not e
print(warm(ops)); E.__len__=lambda s:2; E.__call__=lambda s:'c2'; E.__getitem__=lambda s,i:i*2; E.__iter__=lambda s:iter('ab'); E.__contains__=lambda s,x:False; E.__eq__=lambda s,o:False; E.__hash__=lambda s:2; E.__add__=lambda s,o:'add2'; E.__lt__=lambda s,o:False; E.__bool__=lambda s:False; E.__enter__=lambda s:'ent2'; E.__str__=lambda s:'s2'; E.__repr__=lambda s:'r2'; E.__format__=lambda s,f:'f2'; E.__neg__=lambda s:'n2'; E.__int__=lambda s:6; E.__index__=lambda s:0; print(ops())
e.__len__=lambda:99; e.__str__=lambda:'inst'; e.__add__=lambda o:0; print(ops()[:9])
for n in ('__len__','__call__','__getitem__','__iter__','__contains__','__hash__','__add__','__lt__','__bool__','__enter__','__str__','__neg__','__int__','__index__','__exit__'):
    delattr(E,n); 
for fn in (lambda:len(e),lambda:e(),lambda:e[3],lambda:list(e),lambda:5 in e,lambda:e+1,lambda:e<1,lambda:bool(e),lambda:str(e),lambda:-e,lambda:int(e),lambda:[5][e]): t(fn)
E.__radd__=lambda s,o:'radd'; print(warm(lambda:1+e)); E.__iadd__=lambda s,o:'iadd'
def ia():
    q=e; q+=1; return q
print(ia()); del E.__iadd__; t(ia)
class M(type):
    def __call__(c,*a): return ('meta',a)
class F(metaclass=M): pass
print(warm(lambda:F(1))); del M.__call__; print(type(F()).__name__); F.__new__=lambda c,*a:'new'; print(F(1)); del F.__new__; t(lambda: type(F()).__name__)
class I: pass
mk=lambda:I(); print(type(warm(mk)).__name__); I.__init__=lambda s:setattr(s,'q',1); print(mk().q); I.__init__=lambda s,x:None; t(mk); del I.__init__; print(hasattr(mk(),'q')); I.__new__=staticmethod(lambda c:5); print(mk())
class S:
    def __init__(s): s.a=1
    def get(s): return s.a
s=S(); k=lambda:s.get(); print(warm(k)); S.a=property(lambda s:'P'); print(k()); del S.a; print(k()); S.__setattr__=lambda s,n,v:object.__setattr__(s,n,v*2); s.a=5; print(k()); del S.__setattr__; s.a=6; print(k()); S.__delattr__=lambda s,n:print('del',n); del s.a; print(k())
x=1
def rg(): return x
print(warm(rg)); x=2; print(rg()); globals_len=len; 
def ul(): return len([1,2])
print(warm(ul)); len=lambda z:'fake'; print(ul()); del len; print(ul())
def fd(a=1,*,b=2): return a,b
print(warm(fd)); fd.__defaults__=(10,); fd.__kwdefaults__={'b':20}; print(fd()); fd.__defaults__=None; t(fd); fd.__kwdefaults__=None; t(fd,1)
class Poly1:
    def area(s): return 1
class Poly2:
    def area(s): return 2
class Poly3(Poly1):
    area=lambda s:3
shapes=[Poly1(),Poly2(),Poly3()]*20
print(sum(q.area() for q in shapes)); Poly2.area=lambda s:20; print(sum(q.area() for q in shapes)); Poly1.area=Poly2.area; print(sum(q.area() for q in shapes))
class Sl:
    __slots__=('a','b')
sl=Sl(); sl.a=1
ga=lambda:sl.a; print(warm(ga)); old=Sl.a; Sl.a=9; print(ga()); t(setattr,sl,'a',3); Sl.a=old; print(ga()); del sl.a; t(ga); sl.a='back'; print(ga())
def loop(o):
    r=[]
    for i in range(60):
        r.append(o.m())
        if i==20: type(o).m=lambda s:'new'
        if i==40: o.m=lambda:'inst'
    return [r[0],r[19],r[20],r[21],r[40],r[41],r[59]]
class Lp:
    def m(s): return 'old'
print(loop(Lp()))
def lg():
    global x
    r=[]
    for i in range(50):
        r.append(x)
        if i==25: x='changed'
    return r[0],r[25],r[26]
print(lg())
class Base:
    def hook(s): return 'base'
class Child(Base):
    def hook(s): return 'child>'+super().hook()
ch=Child(); print(warm(ch.hook)); Base.hook=lambda s:'base2'; print(ch.hook()); Child.__bases__=(type('NB',(),{'hook':lambda s:'nb'}),); print(ch.hook())
