def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
class V:
    def __init__(s,v): s.v=v
    def __repr__(s): return f'V({s.v!r})'
ops=['add','sub','mul','truediv','floordiv','mod','pow','lshift','rshift','and','or','xor','matmul','divmod']
def mk(o,kind):
    if kind=='': return lambda s,x,*m: f'{s}.{o}({x}{m or ""})'
    if kind=='r': return lambda s,x,*m: f'{s}.r{o}({x}{m or ""})'
    return lambda s,x: V((s.v,o,'i',x))
for o in ops:
    setattr(V,f'__{o}__',mk(o,'')); setattr(V,f'__r{o}__',mk(o,'r'))
    if o!='divmod': setattr(V,f'__i{o}__',mk(o,'i'))
a=V(1)
for src in (3,V(2),'s',None,[1],1.5,(1,)):
    print(a+src,src+a if not isinstance(src,V) else '',a-src,src-a,a*src,src*a,a/src,src/a,a//src,src//a,a%src,a**src,src**a,a<<src,src<<a,a>>src,a&src,src&a,a|src,src|a,a^src,a@src,src@a,divmod(a,src),divmod(src,a))
print(pow(a,2,3)); t(lambda:pow(2,a,3)); t(lambda:'%s'%a)
b=a; b+=1; print(b); b-=2; b*=3; b/=4; b//=5; b%=6; b**=7; b<<=8; b>>=9; b&=10; b|=11; b^=12; b@=13; print(b)
class N:
    def __add__(s,o): return NotImplemented
    def __radd__(s,o): return NotImplemented
    def __iadd__(s,o): return NotImplemented
    def __lt__(s,o): return NotImplemented
    def __eq__(s,o): return NotImplemented
    def __contains__(s,o): return NotImplemented
    def __neg__(s): return NotImplemented
    def __call__(s): return NotImplemented
    def __getitem__(s,k): return NotImplemented
    def __matmul__(s,o): return NotImplemented
    def __pow__(s,o,m=None): return NotImplemented
    def __divmod__(s,o): return NotImplemented
n=N(); t(lambda:n+1); t(lambda:1+n); t(lambda:n+n); t(lambda:n<1); t(lambda:n<n); t(lambda:n==1); t(lambda:n==n); t(lambda:n!=n); t(lambda:-n); t(lambda:n()); t(lambda:n[0]); t(lambda:n@1); t(lambda:n**2); t(lambda:divmod(n,1)); t(lambda:pow(n,1,2)); t(lambda: n>=n); t(lambda:[]+n)
def ia(x,y): x+=y
t(ia,n,1); t(ia,1,n); t(ia,'a',1); t(ia,[],1); t(ia,(1,),[2]); t(ia,None,1); t(ia,{},{}); t(ia,{1},{2})
class P1:
    def __add__(s,o): return 'P1.add'
    def __radd__(s,o): return 'P1.radd'
    def __lt__(s,o): return 'P1.lt'
    def __gt__(s,o): return 'P1.gt'
    def __eq__(s,o): return 'P1.eq'
class P2(P1):
    def __radd__(s,o): return 'P2.radd'
    def __gt__(s,o): return 'P2.gt'
    def __eq__(s,o): return 'P2.eq'
class P3(P1): pass
print(P1()+P2(),P2()+P1(),P1()+P3(),P1()<P2(),P2()<P1(),P1()==P2(),P1()<P3(),P1()>P2(),P1()!=P2())
class I(int):
    def __radd__(s,o): return 'I.radd'
    def __rsub__(s,o): return 'I.rsub'
print(1+I(2),1-I(2),I(1)+1,1.5+I(2),1*I(3))
class L(list):
    def __radd__(s,o): return 'L.radd'
    def __rmul__(s,o): return 'L.rmul'
print([1]+L([2]),2*L([1]))
class S(str):
    def __radd__(s,o): return 'S.radd'
    def __rmod__(s,o): return 'S.rmod'
print('a'+S('b'),'%s'%S('x'))
class Ix:
    def __index__(s): return 2
print([1,2,3][Ix()],'abc'[Ix()],(1,2,3)[:Ix()],range(9)[Ix()],bin(Ix()),'a'*Ix(),[0]*Ix(),hex(Ix()),chr(Ix()+63) if 0 else '',bytes(Ix()),1<<2,round(3.14159,Ix()),list(range(Ix())),int(Ix()),float(Ix()),'%d'%Ix(),bytearray(3)[Ix()]); t(lambda:f'{Ix():d}'); t(lambda:1<<Ix()); t(lambda:Ix()+1); t(lambda:divmod(7,Ix())); t(lambda: 'ab'.center(Ix())); t(lambda:[1,2,3].pop(Ix())); t(lambda: [1,2,3].insert(Ix(),0)); t(lambda: 'aXb'.split('X',Ix()));t(lambda: complex(Ix()))
class BI:
    def __index__(s): return 'x'
t(lambda:[1][BI()]); t(lambda:bin(BI())); t(lambda:int(BI()))
class F:
    def __float__(s): return 2.5
    def __int__(s): return 7
    def __trunc__(s): return 8
    def __round__(s,n=None): return ('round',n)
    def __floor__(s): return 'fl'
    def __ceil__(s): return 'ce'
    def __abs__(s): return 'abs'
    def __pos__(s): return 'pos'
    def __neg__(s): return 'neg'
    def __invert__(s): return 'inv'
    def __complex__(s): return 1j
import math
f=F(); print(float(f),int(f),round(f),round(f,2),math.floor(f),math.ceil(f),math.trunc(f),abs(f),+f,-f,~f,complex(f),math.sqrt(f))
class BF:
    def __float__(s): return 1
    def __int__(s): return 1.5
    def __str__(s): return 5
    def __repr__(s): return b'x'
    def __hash__(s): return 'h'
    def __len__(s): return 1.5
    def __bytes__(s): return 5
    def __length_hint__(s): return 'x'
    def __iter__(s): return iter([1])
    def __dir__(s): return 5
    def __format__(s,f): return None
b=BF()
for fn in (float,int,str,repr,hash,len,bytes,list,dir,format,bool,ascii,complex): t(fn,b)
class H:
    def __eq__(s,o): return True
t(hash,H()); print(H.__hash__); t(lambda:{H():1}); t(lambda:{H()})
class HH:
    def __hash__(s): return 2**70
class HN:
    def __hash__(s): return -1
print(hash(HH())==hash(2**70),hash(HN()))
class HB(bool.__base__):
    __hash__=None
t(hash,HB(1))
