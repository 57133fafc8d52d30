def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
a={'x':1,'y':2,'z':3}; b={'y':2,'w':0}
k=a.keys(); v=a.values(); i=a.items()
print(k,v,i,len(k),len(v),len(i))
for op in ('__and__','__or__','__sub__','__xor__','__rand__','__ror__','__rsub__','__rxor__','__lt__','__le__','__gt__','__ge__','__eq__','__ne__'):
    for x in (b.keys(),b.items(),{'x','q'},['x','q'],5):
        r=None
        try:
            r=getattr(k,op)(x)
            print(op,sorted(r,key=repr) if isinstance(r,set) else r)
        except TypeError as e: print(op,e)
        try:
            r=getattr(i,op)(x)
            print(op,sorted(r,key=repr) if isinstance(r,set) else r)
        except TypeError as e: print(op,e)
t(k.isdisjoint,['q']); t(k.isdisjoint,['x']); t(k.isdisjoint,5); t(i.isdisjoint,[('x',1)])
t(lambda: v==a.values()); t(lambda: v&v); t(lambda: k[0]); t(hash,k); t(hash,i); t(hash,v) if 0 else None
print(('x',1) in i,('x',2) in i,'x' in i,('x',) in i,('x',1,2) in i, 1 in v, 9 in v, 'x' in k, k.mapping, type(k.mapping))
t(lambda: k.mapping.__setitem__('a',1)); t(lambda:[] in k)
print(repr({}.keys()),repr({}.values()),repr({}.items()), list(reversed(k)), list(reversed(i)))
a['new']=9; print(k,i)
t(lambda: k - 5); t(lambda: k | 'ab' == {'x','y','z','new','a','b'}); t(lambda: [1]-k if 0 else 3); t(lambda: k < 5); t(lambda: {}.keys()=={}.items())
t(lambda: k and 1); t(lambda: not {}.keys()); t(type(k)); t(lambda: a.keys().foo)
