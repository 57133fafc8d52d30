def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
t(isinstance,1,int); t(isinstance,1,(int,str)); t(isinstance,1,(str,(float,(int,)))); t(isinstance,1,[int]); t(isinstance,1,()); t(isinstance,1,'int'); t(isinstance,1,(str,5)); t(isinstance,1,(int,5)); t(issubclass,1,int); t(issubclass,int,1); t(issubclass,bool,int); t(issubclass,int,(str,object)); t(issubclass,int,()); t(isinstance,int,type); t(isinstance,type,type); t(isinstance,type,object); t(issubclass,type,object); t(isinstance,True,int); t(isinstance,1); t(isinstance,None,type(None)); t(isinstance,1,None)
class M(type):
    def __instancecheck__(c,i): return 'yes'
    def __subclasscheck__(c,s): raise ValueError('sc')
class A(metaclass=M): pass
t(isinstance,1,A); t(issubclass,int,A); t(isinstance,A(),A); t(isinstance,1,(str,A)); t(issubclass,A,A); t(issubclass,int,(str,A))
class F:
    @property
    def __class__(self): return int
t(isinstance,F(),int); t(isinstance,F(),F); t(lambda:F().__class__); t(lambda:type(F()).__name__)
class G:
    __bases__=(int,)
t(issubclass,G(),int); t(issubclass,G(),G)
class H:
    __bases__=5
t(issubclass,H(),int)
class X:
    def __class_getitem__(c,k): return (c.__name__,k)
t(lambda:X[1]); t(lambda:X[1,2]); t(lambda:X()[1]); t(lambda: X[...]) 
class Y: pass
t(lambda:Y[1]); t(lambda:Y()[1]); t(lambda:Y()<Y()); t(lambda:Y()+1); t(lambda:1+Y()); t(lambda:-Y()); t(lambda:Y()()); t(lambda:len(Y())); t(lambda:iter(Y())); t(lambda:Y() in Y()); t(lambda:abs(Y())); t(lambda:int(Y())); t(lambda:float(Y())); t(lambda:[1][Y()]); t(lambda:'a'*Y()); t(lambda:range(Y())); t(lambda:round(Y())); t(lambda:divmod(Y(),1)); t(lambda:pow(Y(),1)); t(lambda:pow(1,1,Y())); t(lambda:bytes(Y())); t(lambda:next(Y())); t(lambda:reversed(Y())); t(lambda:complex(Y())); t(lambda:hash(Y())!=None); t(lambda:bool(Y())); t(lambda:sum([Y()])); t(lambda:sorted([Y(),Y()])); t(lambda:max(Y(),Y())); t(lambda:chr(Y())); t(lambda:ord(Y())); t(lambda:bin(Y())); t(lambda:hex(1.5)); t(lambda:oct('a')); t(lambda:[].__getitem__(Y())); t(lambda:Y().foo); t(lambda:Y.foo); t(lambda: dict(Y())); t(lambda: set(Y())); t(lambda:Y() @ 1); t(lambda:Y()|1); t(lambda: {**Y()}); t(lambda:[*Y()]); t(lambda: print(*Y())); t(lambda: print(**Y())); t(lambda: Y(1)); t(lambda:Y(x=1)); t(lambda:object(1)); t(lambda: Y.__new__()); t(lambda:object.__new__(5)); t(lambda:object.__new__(int)); t(lambda:int.__new__(str)); t(lambda:int.__new__(Y)); t(lambda:object.__init__(Y(),1)); t(lambda:str.__new__(int)); t(lambda: list.__init__(5)); t(lambda: list.append(5,1)); t(lambda:dict.keys([])); t(lambda: Y.__init__()); t(lambda: type('A')); t(lambda: type(1,2)); t(lambda: type('A',(),{},x=1)); t(lambda:type(5,(),{})); t(lambda:type('A',5,{})); t(lambda:type('A',(5,),{})); t(lambda:type('A',(),5)); t(lambda:type('A',(int,str),{})); t(lambda:type('A',(Y,Y),{})); t(lambda:type('A',(object,Y),{})); t(lambda:type('A',(bool,),{})); t(lambda:type('A\0b',(),{})); t(lambda:type('',(),{}))
def wi():
    with Y() as y: pass
t(wi)
def wi2():
    with 5: pass
t(wi2)
class W:
    def __enter__(self): pass
def wi3():
    with W(): pass
t(wi3)
def ra(): raise 5
t(ra)
def ra(): raise Y
t(ra)
def ra(): raise ValueError from 5
t(ra)
def ra():
    try: 1/0
    except 5: pass
t(ra)
def ra():
    try: 1/0
    except (ValueError,Y): pass
t(ra)
def ra():
    raise
t(ra)
def un(): a,b=1
t(un)
def un(): a,b=1,2,3
t(un)
def un(): a,b,c=1,2
t(un)
def un(): a,*b,c=1,
t(un)
def un(): a,b='abc'
t(un)
def un(): a,b={1:2}
t(un)
def un(): [a,b]=iter([1])
t(un)
def un(): (a,(b,c))=1,(2,)
t(un)
def un(): a,b=(x for x in range(5))
t(un)
def un(): a,b=None
t(un)
def un():
    for a,b in [(1,2),(3,)]: pass
t(un)
def un(): *a,=5
t(un)
