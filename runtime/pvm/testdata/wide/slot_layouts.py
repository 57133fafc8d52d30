class P:
    __slots__=('a','b')
class Q(P): __slots__=()
class R(P): __slots__=()
class S(Q,R): __slots__=()
print(S.__mro__)
class F(object):
    __slots__=('x',)
class G(F):
    def __init__(s): s.y=1
class H(F): __slots__=()
class I(G,H): pass
print(I().__dict__)
def k(n,bases,sl=None):
    ns={} if sl is None else {'__slots__':sl}
    try:
        c=type(n,bases,ns); print(n,c.__base__.__name__,[b.__name__ for b in c.__mro__]); return c
    except TypeError as e: print(n,e)
class D: pass
A=k('A',(),('a',)); B=k('B',(A,)); C=k('C',(A,),('c',)); E=k('E',(B,C)); E2=k('E2',(C,B)); X=k('X',(),('x',)); k('AX',(A,X)); Z=k('Z',(D,)); k('ZA',(Z,A)); k('AZ',(A,Z)); k('BX',(B,X)); I=k('I',(int,)); k('IZ',(I,Z)); k('ZI',(Z,I)); k('IA',(I,A)); k('LA',(list,A)); k('DL',(D,list),()); k('LD',(list,),('a',)); L=k('LD',(list,),('a',)); k('LL',(L,list)); k('L2',(list,L)); k('LX',(L,D)); k('LI',(L,I)); 
EX=k('EX',(Exception,),('q',)); k('EV',(EX,ValueError)); k('EK',(EX,KeyError,)); k('EO',(EX,OSError)); k('OV',(OSError,ValueError)); k('EE',(EX,Z)); W=k('W',(dict,),('w',)); import collections as c; k('CW',(c.Counter,dict)); k('TN',(tuple,A))
a=E(); a.a=1; a.c=2; a.zz=3; print(a.a,a.c,a.__dict__); a=E2(); a.a=1; a.c=2; print(a.a,a.c)
class M1: __slots__=()
class M2: __slots__=()
class V(M1,M2,A): __slots__=('v',)
v=V(); v.v=1; v.a=2; print(v.v,v.a,hasattr(v,'__dict__'))
class V2(B,M1,Z): __slots__=('v',)
v=V2(); v.v=1; v.a=2; v.q=3; print(v.v,v.a,v.__dict__)
