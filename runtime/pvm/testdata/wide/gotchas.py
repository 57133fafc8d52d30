def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
print(0.1+0.2==0.3,0.1+0.2,round(2.5),round(-0.5),int(-1.9),-7//2,-7%3,7%-3,divmod(-7,2),1e16+1,2**0.5,10**-2,True+True,'5'*3,[1]*3,bool('False'),bool([0]),None==False,[]==False,''==0,1=='1',float('nan')==float('nan'))
n=float('nan'); print(n in [n],[n]==[n],{n:1}[n],n!=n,max(n,1),max(1,n),sorted([2,n,1]),min([n,1]),[n].count(n),[n].index(n))
print({1:'a',True:'b',1.0:'c'},{0,False,0.0},hash(1)==hash(1.0)==hash(True),1==1.0,(1,)==(1.0,),{1:2}=={1.0:2.0},'a'<'B','Z'<'a',[1,2]<[1,2,0],(1,'a')<(2,),'10'<'9',[]<[0],''<'a')
print('a,b,'.split(','),''.split(','),''.split(),' a '.split(' '),'abc'.split('b'),'a'.join(''),'-'.join('abc'),'abc'[5:],'abc'[-5:2],'abc'[::-1],[1,2,3][10:],[1,2,3][-1:],'abc'.find('z'),'aaa'.replace('aa','b'),'abcabc'.rstrip('bc'),'xxabcxx'.strip('x'),'mississippi'.lstrip('mis'),'abc'.title(),"it's".title(),'ß'.upper(),'ǆ'.title(),'İ'.lower().__len__())
def f(x=[]): x.append(1); return x
print(f(),f(),f([]),f()); print([f for f in [lambda:i for i in range(3)]][0]() if 0 else [g() for g in [lambda:i for i in range(3)]],[g() for g in [lambda i=i:i for i in range(3)]])
print(*zip(*[(1,2),(3,4)]),list(zip([1,2,3],[4,5])),dict([(1,2),(1,3)]),list(enumerate('ab',1)),list(map(None.__class__,[])),sum([[1],[2]],[]),any([]),all([]),max('abc','abd'),min('b','a',key=lambda c:-ord(c)),sorted('bAc'),sorted('bAc',key=str.lower),sorted([True,0,2]),list(reversed('abc')),[*range(5,0,-2)],list(range(0)))
x=5; print(x.__class__,(5).bit_length(),5 .real,1..real,1.5.is_integer(),0xff,0b11,0o17,1_000,1e3,1j*1j,...,5 if x else 6,not x,-x**2,(-x)**2,2**-1,x<<2|1,x&~1,~x,+True,-False)
class A:
    l=[]
    c=0
    def add(s,x): s.l.append(x); s.c+=1
a,b=A(),A(); a.add(1); b.add(2); print(a.l,b.l,a.c,b.c,A.c,a.__dict__)
class B:
    __x=1
    def get(s): return s.__x
    def __priv(s): return 'p'
print(B().get(),B._B__x,B()._B__priv(),[n for n in dir(B) if 'x' in n]); t(lambda:B().__x)
try:
    try: raise KeyError('a')
    finally: print('f')
except KeyError as k: print(k,str(k),k.args)
def fin():
    for i in range(2):
        try: return i
        finally: print('fin',i)
print(fin()); print((lambda *a,**k:(a,k))(1,*[2],x=3,**{'y':4})); print('%s %s'%('a','b'),'%(x)d'%{'x':5},'%5.2f|%-5s|%05d'%(3.14159,'ab',42),'{:>5}{:<5}{:^5}'.format(1,2,3),f'{3.14159:.2f} {255:#x} {1e6:,.0f} {"x":*^5} {5!r:>3} {[1]!s}',f'{x=}',f'{x!r:^{10}}',f"{'nested'}{{}}",f'{x:{"05"}}',f'{(lambda:1)()}')
print(1 if [] else 2,[] or 'd',0 and 1,'' or None or 0,1 and 2,not '',1<2<3,1<3>2,(1<2)<3,1==1==1,'a'in'abc'in['abc'],None is None,not None)
a=[1,2,3]; b=a; a=a+[4]; print(b); a=b; a+=[4]; print(b); print([1,2,3].sort(),[3,1].reverse(),{}.update({}),print('p')); t1=(1,); t1+=(2,); print(t1,(1),(1,),()); print(type(()),type((1)),type({}),type({1}),type([]),type(''),type(b''),type(1),type(1.),type(1j),type(None),type(...),type(lambda:0),type(print),type(int),type(range(1)),type(x for x in []),type(NotImplemented),type(A),type(a.append),type({}.keys()),type(iter([])))
print(int('10',2),int('ff',16),int('0b11',0),int(' 7 '),float('1e3'),float(' inf '),str(1.0),str(1e20),repr('a\n'),str(b'a'),bytes([65]),list('ab'),tuple({1:2}),set('aab')=={'a','b'},dict(a=1),list({'a':1}.items()),bool('0'),chr(97),ord('a'),hex(255),bin(5),oct(8),round(1.25,1),round(1.35,1),round(125,-1),abs(-5),pow(2,10,1000),complex(1,2),int(True),float(True),str(None),ascii('é'))
from functools import reduce; print(reduce(lambda a,b:a*b,[1,2,3,4]),reduce(lambda a,b:a+b,[[1],[2]],[])); print(list(map(lambda x,y:x+y,[1,2],[3,4])),list(filter(None,[0,1,'',2])),[x for x in range(10) if x%2 if x>3],[(i,j) for i in range(2) for j in range(i+1)],{k:v for k,v in zip('ab',[1,2])},{x%3 for x in range(7)},[[j for j in range(i)] for i in range(3)],[y:=1,y**2],[*'ab',*[1]])
i=256; j=256; print(i==j,id(i)==id(i)); import math; print(math.floor(-1.5),math.ceil(-1.5),math.trunc(-1.5),int(-1.5),round(-1.5),-1.5//1,math.fmod(-7,3),-7%3)
del x; t(lambda:x); x=1; print([x for x in range(3)],x); exec_=1; print(__name__,__doc__); print("a" "b",'a\
b','''a
b''',r'\n',b'\x00',u'u','\N{BULLET}','\x41\u0042\U00000043\103'); print(sorted({'b':1,'a':2}.items(),key=lambda kv:kv[1]),sorted([(1,'b'),(1,'a')]),sorted(['a10','a2'],key=lambda s:int(s[1:])),max({'a':1,'b':2},key={'a':1,'b':2}.get),sorted([3,1,2],reverse=True),sorted('cab',reverse=1))
