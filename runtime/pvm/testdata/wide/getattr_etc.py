def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
class A:
    x=1
    def __getattr__(self,n):
        if n=='boom': raise ValueError('v')
        raise AttributeError(n)
class S:
    __slots__=('a','b')
class C: 
    """doc"""
    y:int=5
    def m(self): pass
    @staticmethod
    def s(): pass
    @classmethod
    def c(cls): pass
    @property
    def p(self): raise AttributeError('inner')
    @property
    def q(self): return 7
t(getattr,A(),'x'); t(getattr,A(),'z'); t(getattr,A(),'z',3); t(getattr,A(),'boom',3); t(getattr,A(),5); t(getattr,A(),'x',1,2); t(hasattr,A(),'z'); t(hasattr,A(),'boom'); t(hasattr,A(),5); t(getattr,S(),'a'); t(setattr,S(),'c',1); t(delattr,S(),'a'); t(delattr,C(),'m'); t(setattr,C(),'q',1); t(delattr,C(),'q'); t(getattr,C(),'p'); t(getattr,C(),'p','dflt'); t(setattr,C(),5,1); t(delattr,C(),5); t(setattr,C,'__name__','D'); print(C); t(setattr,C,'__name__',5); t(delattr,C,'__name__'); t(setattr,int,'x',1); t(delattr,int,'x'); t(setattr,object(),'x',1); t(lambda:object().x); t(delattr,object(),'x'); t(getattr,C,'nope'); t(getattr,5,'nope'); t(setattr,5,'real',1); t(setattr,5,'nope',1); t(getattr,len,'nope'); t(setattr,len,'x',1); t(getattr,C.m,'zz'); t(setattr,C().m,'zz',1); t(getattr,C().m,'zz'); t(setattr,C.m,'zz',1); t(getattr,C().m,'zz'); t(vars,C()); t(vars,5); t(vars,S()); t(lambda:sorted(k for k in vars(C) if not k.startswith('__'))); t(type(vars(C)).__name__.upper); t(lambda:C.__dict__['y']); t(lambda:setattr(C.__dict__,'z',1)); 
def si(): C.__dict__['k']=1
t(si); t(lambda:C().__dict__); t(lambda:S().__dict__); t(lambda:C.__doc__); t(lambda:C().__doc__); t(lambda:A.__doc__); t(lambda:C.__module__); t(lambda:C.__qualname__); t(lambda:C.__annotations__); t(lambda:A.__annotations__); t(lambda:C.__mro__); t(lambda:C.__bases__); t(lambda:C.__base__); t(lambda:C.mro()); t(lambda:C.__subclasses__()); t(lambda:C().__class__); t(lambda:C().__module__); t(lambda:S.__slots__); t(lambda:S.a); t(lambda:C.p); t(lambda:C.q.fget); t(lambda:C.__dict__['s']); t(lambda:C.__dict__['c']); t(lambda:C.c); t(lambda:C().m) ; t(lambda:C.m); t(lambda:C.s)
t(lambda:C.m.__name__); t(lambda:C.m.__qualname__); t(lambda:C().m.__func__); t(lambda:C().m.__self__.__class__); t(lambda:C.m.__defaults__); t(lambda:(lambda a,b=1,*,c=2:0).__defaults__); t(lambda:(lambda a,b=1,*,c=2:0).__kwdefaults__); t(lambda:(lambda:0).__name__); t(lambda:(lambda:0).__qualname__); t(lambda:(lambda:0).__closure__); t(lambda:(lambda:0).__annotations__); t(lambda:(lambda:0).__doc__); t(lambda:(lambda:0).__module__); t(lambda:(lambda:0).__dict__); t(lambda:C.m.__code__.co_varnames); t(lambda:C.m.__code__.co_argcount); t(lambda:C.m.__code__.co_name); t(lambda:(lambda a,/,b,*c,d,**e:0).__code__.co_varnames); t(lambda:(lambda a,/,b,*c,d,**e:0).__code__.co_flags); t(lambda:(lambda a,/,b,*c,d,**e:0).__code__.co_posonlyargcount); t(lambda:(lambda a,/,b,*c,d,**e:0).__code__.co_kwonlyargcount); t(lambda:(lambda:0).__code__.co_firstlineno); t(lambda:(lambda:0).__code__.co_nlocals); t(lambda:(lambda:0).__code__.co_freevars); t(lambda: (lambda x:(lambda:x)).__code__.co_cellvars); t(lambda: (lambda x:(lambda:x))(4).__closure__[0].cell_contents); t(lambda: (lambda:0).__code__.co_qualname); 
t(lambda:len.__name__); t(lambda:len.__qualname__); t(lambda:len.__module__); t(lambda:[].append.__name__); t(lambda:[].append.__qualname__); t(lambda:[].append.__self__); t(lambda:list.append.__qualname__); t(lambda:list.append.__objclass__); t(lambda:list.append); t(lambda:[].append) if 0 else 0; t(lambda:int.__add__); t(lambda:(5).__add__) if 0 else 0; t(lambda:int.real); t(lambda:int.from_bytes); t(lambda:dict.fromkeys); t(lambda:str.maketrans); t(lambda:type.__name__); t(lambda:type(type)); t(lambda:type(int.__add__)); t(lambda:type((5).__add__)); t(lambda:type(list.append)); t(lambda:type([].append)); t(lambda:type(int.real)); t(lambda:type(S.a)); t(lambda:type(len)); t(lambda:type(C.m)); t(lambda:type(C().m)); t(lambda:type(C.__dict__)); t(lambda:type(iter([]))); t(lambda:type(iter({}))); t(lambda:type(iter({}.items()))); t(lambda:type(iter(set()))); t(lambda:type(iter(''))); t(lambda:type(iter(()))); t(lambda:type(iter(range(1)))); t(lambda:type(iter(b''))); t(lambda:type(iter(lambda:0,1))); t(lambda:type(x for x in [])); t(lambda:type(map(int,[]))); t(lambda:type(reversed([]))); t(lambda:type(reversed(''))); t(lambda:type(reversed({}))); t(lambda:type(reversed(range(1)))); t(lambda:type(range(2**70).__iter__())); t(lambda:type(iter('é'))); t(lambda:type({}.keys())); t(lambda:type(C.__init__)); t(lambda:type(object.__init__)); t(lambda: C.__init__); t(lambda:C().__init__) if 0 else 0; t(lambda:C.__new__) if 0 else 0; t(lambda: type(C.__new__)); t(lambda:type((lambda:0).__code__)); t(lambda: type((lambda x:(lambda:x))(1).__closure__[0])); t(lambda:type(C.__dict__['c'])); t(lambda:type(print)); t(lambda:type(type.__dict__)); t(lambda: type(int|str)); t(lambda:int|str); t(lambda:list[int]); t(lambda:type(list[int])); t(lambda:dict[str,list[int]].__args__); t(lambda:(int|None).__args__); t(lambda:isinstance(5,int|str)); t(lambda:isinstance(5,list[int])); t(lambda: int|5); t(lambda:'a'|int); t(lambda:None|int); t(lambda: list[int]()); t(lambda: list[int]==list[int]); t(lambda:hash(list[int])==hash(list[int])); t(lambda:int[5]); t(lambda: (int|str)|float); t(lambda: int|int); t(lambda: tuple[int,...]); t(lambda:tuple[()]); t(lambda: type[int]); t(lambda: list[int][str]); t(lambda: list[int].__origin__); t(lambda: isinstance([],list[int])) ; t(lambda: issubclass(int,int|str)); t(lambda: (int|str)==(str|int)); t(lambda: (int|str).__origin__) 
