def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
def s(x): return sorted(x,key=repr) if isinstance(x,(set,frozenset)) else x
def u(f,*a,**k):
    try: r=f(*a,**k); print(type(r).__name__,s(r))
    except Exception as e: print(type(e).__name__,'|',e)
for cls in (set,frozenset):
    for name in [n for n in dir(cls) if not n.startswith('_')]:
        for args in [(), (None,), (1,), ([1,5],), ([1],[2]), ([[]],), ('ab',), (5,), ({1,2},), ({1:2},), ([],[],3), (frozenset([3]),)]:
            if name=='pop' and not args: continue
            x=cls([1,2,3]); u(getattr(x,name),*args); print(s(x))
    u(cls,1); u(cls,1,2); u(cls,iterable=[1]); u(cls,[[]])
    for o in ({1},[1],(1,),5,{1:2}.keys(),frozenset([1,2,3]),None):
        u(lambda: cls([1,2])|o); u(lambda: cls([1,2])&o); u(lambda: cls([1,2])-o); u(lambda: cls([1,2])^o); u(lambda: cls([1,2])<o); u(lambda: cls([1,2])<=o); u(lambda: cls([1,2])==o); u(lambda: cls([1,2])>=o); u(lambda: o|cls([7])); u(lambda: o-cls([7]))
u(set().pop); u(set().remove,1); u(set().remove,(1,)); u(hash,set()); u(lambda:{set():1}); u(lambda:{set()}); u(lambda:{frozenset():1}); u(lambda: set() in {frozenset()}); u(lambda: {1,2}.remove({1})); u(lambda: {frozenset([1])}.remove({1})); u(lambda: [] in {1})
def ip(a,op,b):
    if op=='|': a|=b
    if op=='&': a&=b
    if op=='-': a-=b
    if op=='^': a^=b
    return a
for op in '|&-^':
    for o in ({2,3},[2],frozenset([2])): u(ip,{1,2},op,o); u(ip,frozenset([1,2]),op,o)
print(hash(frozenset([1,2]))==hash(frozenset([2,1])), frozenset([1])==set([1]), set([1]) != frozenset([1]), repr(set()),repr(frozenset()), {1.0,1,True}, {0,False})
class S(set): pass
print(repr(S([1])), type(S([1])|{2}), type(S().copy()), type(frozenset([1]).copy()))
x={1,2}
def m():
    for e in x: x.add(e+10)
u(m)
