def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
class C:
    def __init__(s): s.d={}
    def __getitem__(s,k): return ('get',k)
    def __setitem__(s,k,v): print('set',k,v)
    def __delitem__(s,k): print('del',k)
    def __contains__(s,k): return k
    def __len__(s): return 5
    def __missing__(s,k): return 'm'
c=C(); print(c[1],c[1:2],c[::],c[1,2],c[...,1:2:3],c['a',],c[()],c[lambda:0][0]); c[0]=1; c[1:2]='x'; del c[0]; del c[:]; c[1,2]=3; print(1 in c,0 in c,[] in c, 'x' not in c)
it=iter(c); print(next(it),next(it))
class It:
    def __init__(s,n): s.n=n
    def __iter__(s): return s
    def __next__(s):
        if s.n<=0: raise StopIteration('done')
        s.n-=1; return s.n
print(list(It(3)),sum(It(4)),[*It(2),*It(1)],max(It(3)),dict(zip(It(2),It(2))),2 in It(5),sorted(It(3)),tuple(It(2)),len({*It(2)})); a,*b=It(4); print(a,b)
try: next(It(0))
except StopIteration as e: print(e.value,e.args)
for x in It(2): print(x)
else: print('else')
class Hint:
    def __iter__(s): return iter([1,2])
    def __length_hint__(s): return -1
t(list,Hint())
class Len:
    def __iter__(s): return iter([1,2])
    def __len__(s): raise ValueError('l')
t(list,Len()); t(lambda:bool(Len()))
class GI:
    def __getitem__(s,i):
        if i>3: raise StopIteration
        return i
t(list,GI())
class GE:
    def __getitem__(s,i): raise KeyError(i)
t(list,GE())
class Ctx:
    def __init__(s,n,sup=False): s.n=n; s.sup=sup
    def __enter__(s): print('enter',s.n); return s.n
    def __exit__(s,*a): print('exit',s.n,a[0] and a[0].__name__,str(a[1])); return s.sup
with Ctx(1) as a, Ctx(2) as b: print(a,b)
with (Ctx(1) as a, Ctx(2,True) as b,): raise ValueError('x')
print('after')
try:
    with Ctx(3): raise KeyError('k')
except KeyError as e: print('caught',e)
class BadExit(Ctx):
    def __exit__(s,*a): raise RuntimeError('exit')
try:
    with BadExit(4): 1/0
except RuntimeError as e: print(repr(e),repr(e.__context__))
def f():
    with Ctx(5): return 'ret'
print(f())
for i in range(3):
    with Ctx(i):
        if i==1: continue
        if i==2: break
class Call:
    def __call__(s,*a,**k): return a,k
print(Call()(1,x=2),callable(Call()),callable(Call),callable(1)); x=Call(); x.__call__=lambda:5; print(x())
class Cmp:
    def __init__(s,v): s.v=v
    def __lt__(s,o): print('lt',s.v,o.v); return s.v<o.v
print([x.v for x in sorted([Cmp(3),Cmp(1),Cmp(2)])],max(Cmp(1),Cmp(2)).v,Cmp(1)>Cmp(2)); t(lambda:Cmp(1)<=Cmp(2))
class Eq:
    def __eq__(s,o): print('eq'); return True
    __hash__=lambda s:1
print(Eq()==1,1==Eq(),Eq()!=1,Eq() in [1,2],[1,2].index(Eq()),[Eq()].count(5),{Eq():1}=={Eq():1},(1,Eq())==(1,2),[Eq()]!=[3])
class Fmt:
    def __format__(s,f): return f'<{f}>'
print(f'{Fmt()}{Fmt():abc}{Fmt():{1}{2}}','{:x}'.format(Fmt()),format(Fmt(),'z'))
class R:
    def __repr__(s): return 'R!'
print(R(),[R()],{R():R()}.__len__(),(R(),),{1:R()},f'{R()!s}{R()!r}{R()}',str(R()),'%s %r'%(R(),R()))
class RL(list):
    def __repr__(s): return 'RL'+super().__repr__()
x=RL([1]); print(x,[x])
class Del:
    def __getattr__(s,n): return lambda *a:(n,a)
print(Del().foo(1,2),Del().bar()); t(lambda:len(Del())); t(lambda:Del()+1); t(lambda:Del()[0]); t(lambda:iter(Del()))
class W:
    def __instancecheck__(s,x): return x==5
print(isinstance(5,W()),isinstance(6,W()))
class Copy:
    def __init__(s,**k): s.__dict__.update(k)
    def __eq__(s,o): return isinstance(o,Copy) and s.__dict__==o.__dict__
print(Copy(a=1)==Copy(a=1),Copy(a=1)==Copy(a=2),Copy(a=1)!=Copy(a=1),Copy()==5); t(hash,Copy())
