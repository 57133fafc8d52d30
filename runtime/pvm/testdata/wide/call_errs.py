def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
def f0(): pass
def f1(a): pass
def f2(a,b): pass
def f3(a,b,c=1): pass
def f4(a,*,k): pass
def f5(a,*,k,l,m=1): pass
def f6(a,/,b): pass
def f7(a,b,/): pass
def f8(*a): pass
def f9(**k): pass
def fa(a,b=1,*c,d,e=2,**f): pass
def fb(a,/,**k): return (a,k)
fs=[f0,f1,f2,f3,f4,f5,f6,f7,f8,f9,fa,fb,lambda x,y:0]
calls=[((),{}),((1,),{}),((1,2),{}),((1,2,3),{}),((1,2,3,4),{}),((),{'a':1}),((1,),{'a':2}),((1,),{'b':2}),((1,),{'k':2}),((1,2),{'k':2}),((),{'z':1}),((1,),{'zz':2}),((1,2,3,4),{'k':1}),((),{'a':1,'b':2}),((),{'k':1,'l':2}),((),{'d':1}),((1,2,3),{'d':1,'q':2}),((1,),{'kk':1,'lll':2})]
for f in fs:
    for a,k in calls: t(f,*a,**k)
class C:
    def m(self,a): pass
    def n(): pass
    @staticmethod
    def s(a): pass
    @classmethod
    def c(cls,a): pass
    def __init__(self,x=1): pass
    def __call__(self,q): pass
for a,k in calls[:12]:
    t(C().m,*a,**k); t(C.m,*a,**k); t(C().n,*a,**k); t(C.s,*a,**k); t(C.c,*a,**k); t(C,*a,**k); t(C(),*a,**k)
t(lambda:f1(*5)); t(lambda:f1(**5)); t(lambda:f1(*[1],**{'a':2})); t(lambda:f1(**{'a':1},**{'a':2})); t(lambda:f1(a=1,**{'a':2})); t(lambda:f1(**{1:2})); t(lambda:f9(**{'a':1},b=2,**{'c':3})); t(lambda:f9(**{'a b':1})); t(lambda:f8(*'abc',*[1],2,*())); t(lambda:len(*[[1]])); t(lambda:len(1,2)); t(lambda:len(x=1)); t(lambda:int(*['5'],**{'base':7})); t(lambda:C().m(self=1)); t(lambda:C().m(1,self=1)); t(lambda:print(foo=1)); t(lambda:print(sep=1)); t(lambda:print(end=1)); t(lambda:print(1,2,sep=None,end=None)); t(lambda:print('a','b',sep='-',end='!\n',flush=True)); t(lambda: print(file=5)); t(lambda:(5)()); t(lambda:'a'()); t(lambda:[1]()); t(lambda:C()(1)); t(lambda: C.x()); t(lambda:f1.x()); t(lambda: None()); t(lambda: (lambda:0)(1)); t(lambda: f1(1)(2)); t(lambda: f9(**{'self':1})); t(lambda: C.m(1)); t(lambda: C.m())
def outer():
    def inner(a): pass
    class L:
        def meth(self,b): pass
    t(inner); t(L().meth); t(L.meth); t(L,1)
outer()
def va(*args,**kwargs): return args,kwargs
t(va,1,*[2,3],x=4,**{'y':5}); t(va,*(i for i in range(3))); t(lambda: va(*[1],*[2],a=1,**{},b=2)); t(lambda:va(**dict(a=1),c=2))
