def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
class D:
    def __init__(s,n): s.n=n
    def __get__(s,i,o): return ('get',s.n,i is not None,o.__name__)
    def __set__(s,i,v): print('set',s.n,v)
    def __delete__(s,i): print('del',s.n)
class ND:
    def __get__(s,i,o): return 'nondata'
class SetOnly:
    def __set__(s,i,v): i.__dict__['so']=('via',v)
class DelOnly:
    def __delete__(s,i): print('delonly')
class A:
    d=D('d'); nd=ND(); so=SetOnly(); do=DelOnly()
a=A(); print(a.d,A.d,a.nd); a.d=5; del a.d; a.nd='own'; print(a.nd); del a.nd; print(a.nd); a.so=3; print(a.so); t(delattr,a,'so'); del a.do; t(setattr,a,'do',1); a.__dict__['d']='hidden'; print(a.d); A.d=7; print(a.d,A.d)
class P:
    def __init__(s): s._x=0
    @property
    def x(s):
        "xdoc"
        return s._x
    @x.setter
    def x(s,v):
        if v<0: raise ValueError('neg')
        s._x=v
    @x.deleter
    def x(s): s._x=None
    ro=property(lambda s:'ro')
    wo=property(None,lambda s,v:setattr(s,'_w',v))
    no=property()
    dd=property(lambda s:1,doc='given')
p=P(); p.x=5; print(p.x); t(setattr,p,'x',-1); del p.x; print(p.x,P.x.__doc__,P.dd.__doc__,P.x.fget.__name__,P.x.fset is not None,P.x.fdel.__name__); t(setattr,p,'ro',1); t(delattr,p,'ro'); t(getattr,p,'wo'); p.wo=3; print(p._w); t(getattr,p,'no'); t(setattr,p,'no',1); t(delattr,p,'no'); t(lambda:P.x.__get__(p)); t(lambda:P.x.__set__(p,8)); print(p.x); t(lambda:P.x.__get__(None,P)); t(lambda:property(1)); t(property,1,2,3,4,5); t(lambda:P.x.fget(p)); t(setattr,P.x,'fget',1); t(setattr,P.x,'__doc__','new'); print(P.x.__doc__)
class Q(P):
    @P.x.getter
    def x(s): return 'Q'+str(s._x)
    ro=property(lambda s: super(Q,s).ro+'!')
q=Q(); q.x=4; print(q.x,q.ro)
class CP:
    @classmethod
    @property
    def cp(c): return c.__name__
print(CP.cp,CP().cp)
class SM:
    @staticmethod
    def s(*a): return a
    @classmethod
    def c(cls,*a): return cls.__name__,a
    sm=staticmethod(len); cm=classmethod(lambda c:c)
class SM2(SM): pass
print(SM.s(1),SM().s(1),SM.c(1),SM2().c(2),SM.sm('abc'),SM2.cm(),SM.__dict__['s'].__func__ is SM.s,SM.__dict__['s'](5),SM.__dict__['c'].__func__.__name__,SM.__dict__['s'].__wrapped__ is SM.s,SM.__dict__['s'].__name__); t(lambda:SM.__dict__['c'](1))
class Slots:
    __slots__=('a','_b','__c')
    def __init__(s): s.a=1; s._b=2; s.__c=3
s=Slots(); print(s.a,s._b,s._Slots__c,Slots.__slots__); t(setattr,s,'zz',1); del s.a; t(lambda:s.a); t(delattr,s,'a'); t(lambda:Slots.a.__get__(s)); t(lambda:Slots._b.__get__(s)); t(lambda:Slots._b.__set__(s,9)); print(s._b); t(lambda:Slots._b.__get__(5)); t(lambda:s.__dict__); print(repr(Slots.a),type(Slots.a))
class SD(Slots): pass
sd=SD(); sd.zz=1; print(sd.__dict__)
class SD2(Slots): __slots__=('a','d')
x=SD2(); x.d=1; print(x.a if hasattr(x,'a') else 'no',x.d)
def mk(sl,**k): return type('T',(),{'__slots__':sl,**k})
for sl in ('abc',['a','b'],{'a':'doc'},(1,),('a b',),('__dict__',),('__dict__','__dict__'),(),('x','x'),'1a',None,5): t(lambda: [mk(sl), sorted(n for n in vars(mk(sl)) if not n.startswith('__'))][1])
t(lambda:mk(('a',),a=1)); t(lambda:type('U',(int,),{'__slots__':('a',)})) ; t(lambda:type('U',(int,),{'__slots__':()})(5)); t(lambda:type('U',(tuple,),{'__slots__':('a',)})); t(lambda:type('U',(str,),{'__slots__':('a',)})) ; t(lambda:type('U',(Slots,SD2),{})); 
class L1: __slots__=('a',)
class L2: __slots__=('b',)
t(lambda:type('V',(L1,L2),{})); t(lambda:type('V',(int,str),{})); t(lambda:type('V',(int,L1),{}));
class W: __slots__=('__dict__','k')
w=W(); w.k=1; w.j=2; print(w.__dict__,w.k)
class Getattr:
    def __getattribute__(s,n):
        if n=='magic': return 'M'
        if n=='err': raise AttributeError('from ga')
        return object.__getattribute__(s,n)
    def __getattr__(s,n): return 'fallback '+n
    def __setattr__(s,n,v): object.__setattr__(s,n,('wrapped',v))
    def __delattr__(s,n): print('deleting',n); object.__delattr__(s,n)
g=Getattr(); g.a=1; print(g.a,g.magic,g.err,g.nope); del g.a; t(delattr,g,'a'); print(len([g.x for _ in range(3)]))
t(object.__setattr__,5,'a',1); t(object.__getattribute__,5,'real'); t(object.__getattribute__,5); t(type.__getattribute__,int,'real'); t(type.__setattr__,int,'a',1); t(object.__delattr__,g,'q')
