def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
x='g'
def f():
    t(lambda:x)
    def g():
        nonlocal_x=1
        def h():
            nonlocal nonlocal_x; nonlocal_x+=1; return nonlocal_x
        return h
    h=g(); return h(),h()
print(f())
def ub():
    print(x)
    x=1
t(ub)
def ub2():
    del y
    y=1
t(ub2)
def ub3():
    def g(): return z
    t(g); z=1; t(g); del z; t(g)
ub3()
def ub4():
    for i in []: pass
    return i
t(ub4); t(lambda:undefined_name); 
class K:
    x='class'
    y=[x for _ in range(2)]
    def m(s): return x
    z=(lambda:x)()
    try: w=[x+q for q in ['a'] for r in [x]]
    except NameError as e: w=e
print(K.y,K().m(),K.z,K.w)
class L:
    a=1
    b=a+1
    def c(s,d=b): return d
    e=list(map(lambda v:v,[a,b]))
    for i in range(3): pass
    del a
print(L().c(),L.e,L.i,hasattr(L,'a'))
fs=[lambda:i for i in range(3)]; print([f() for f in fs]); fs=[lambda i=i:i for i in range(3)]; print([f() for f in fs])
def mk():
    l=[]
    for i in range(3):
        def f(): return i
        l.append(f)
    i=99
    return [f() for f in l]
print(mk())
def d(a,b=[],c={}): b.append(a); c[a]=1; return b,c
print(d(1),d(2),d.__defaults__)
def gl():
    global newg; newg=5
gl(); print(newg)
def gl2():
    global x; x='changed'
gl2(); print(x)
[y for y in range(3)]; t(lambda:y)
print([a:=1,a+1],a,(b:=5)+b); 
def w(): return [last:=i for i in range(4)],last
print(w()); print(any((hit:=n)>2 for n in range(5)),hit)
if (n:=10)>5: print(n)
while (n:=n-3)>0: print(n)
def loc(): a=1; b=2; return sorted(locals().items())
print(loc())
def loc2(a,*b,c=1,**d):
    def g(): return a
    return sorted(locals()) if 0 else [k for k in locals()]
print(loc2(1)); print('x' in globals(),globals()['x'],'loc' in dir())
def ex():
    try: raise ValueError
    except ValueError as e: pass
    t(lambda:e)
ex()
def shadow(list): return list
print(shadow(5)); len_=len
def sh2():
    len=lambda x:'mine'
    return len([])
print(sh2())
def star(*args,**kw): args=list(args); args.append(1); kw['z']=1; return args,kw
a=(1,2); k={'y':1}; print(star(*a,**k),a,k)
def deco(n):
    def d(f):
        def w(*a): return (n,f(*a))
        return w
    return d
@deco(1)
@deco(2)
def dd(x): return x
print(dd(5))
@(lambda f:lambda:'replaced')
def rp(): pass
print(rp())
x=[d for d in [deco]][0]
@x('z')
def zz(): return 0
print(zz())
def counter():
    c=0
    def inc(n=1): nonlocal c; c+=n; return c
    def get(): return c
    return inc,get
i,g=counter(); i(); i(5); print(g(),i.__closure__[0].cell_contents,i.__code__.co_freevars,counter.__code__.co_cellvars)
def rec(n): return 1 if n<2 else n*rec(n-1)
print(rec(20)); r2=rec
def rec(n): return 'new'
print(r2(3))
class Outer:
    class Inner:
        def who(s): return __class__.__qualname__
    def mk(s):
        class Local: pass
        return Local
print(Outer.Inner().who(),Outer().mk().__qualname__,(lambda:0).__qualname__,Outer.mk.__qualname__)
def annot(a:int,b:'str'=1,*c:float,d:list[int]=[],**e:dict)->None: v:int=5; w:undefined_ok; return v
print(annot.__annotations__,annot(1))
z1:int; z2:str='s'; print(__annotations__); t(lambda:z1)
class An: a:int; b:'fwd'=1; c:list['X']
print(An.__annotations__)
import typing
def inf():
    x=x1=1; (y)=2; [a,b]=c=3,4; (d,[e,*f])=5,(6,7,8); g=h=[]; g.append(1); return x,y,a,b,c,d,e,f,h
print(inf()); i=0; l=[0,0]; i,l[i]=1,9; print(l); a=b=c=[]; b+=[1]; print(a is c,a); x,*y,z='hello'; print(x,y,z); *a,b=[1]; print(a,b); (a,b),c=[1,2],3; print(a,b,c); a,b=b,a; print(a,b); d={}; d['k'],d['j']=1,2; print(d); for_=[]; 
for d['loop'] in range(2): pass
print(d)
for i,(a,*b) in enumerate([(1,2,3),(4,)]): print(i,a,b)
x=1,; print(x); x=(yield_:=3),4; print(x); del a,b; t(lambda:a); print(*[1,2],*'ab',sep=','); print([*range(3),*'x'],{*[1],2},(*[1],),{**{'a':1},'a':2}); 
print(1<2<3,1<3<2,3>2>=2!=1,1 in [1]==True,not 1==2,1 if 0 else 2 if 0 else 3,(1 and 0 or 5),[] or {} or 'z',1 and [] and 5,not [],2**-1,-2**2,2**3**2,-5//2,-5%3,5%-3,~5,1|2^3&4,1<<2+1,'a' 'b' f'{1}' "c",0x_ff,0b1_0,0o17,1_000.5e-1_0,.5,5.,1e3)
