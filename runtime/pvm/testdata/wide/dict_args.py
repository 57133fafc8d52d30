def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
for name in [n for n in dir(dict) if not n.startswith('_')]:
    for args in [(), ('a',), ('z',), ('a',9), ('z',9), ('a',1,2), ([1],), ([('q',1)],), ([(1,)],), ([1,2],), ({'b':7},), (None,), ('ab',),([('q',1),'xy'],), (['abc'],)]:
        d = {'a':1,'b':2}
        t(getattr(d,name),*args); print(d)
    d = {'a':1,'b':2}
    t(getattr(d,name),foo=1); print(d)
t(dict,1); t(dict,1,2); t(dict,[1]); t(dict,['ab','cd'],x=3); t(dict,['abc']); t(dict,self=1); t(dict,[(1,2),(3,)]); t(dict, [[1,2],[3,4]]); t(dict,{1:2},a=3); t(dict,[([],1)])
t(lambda:{}['k']); t(lambda:{}[(1,2)]); t(lambda:{}[[]]); t(lambda:{}|[]); t(lambda:{1:2}|{3:4}); t(lambda:{}<{}); t(lambda:{}.popitem())
def f(d,o): d|=o; return d
t(f,{1:2},[(3,4)]); t(f,{1:2},5); t(f,{1:2},{1:3})
class M(dict):
    def __missing__(self,k): return ('miss',k)
m=M(a=1); t(lambda:m['x']); t(m.get,'x'); print('x' in m, m, M.fromkeys('ab'), type(M.fromkeys('a')))
class KO:
    def keys(self): return ['p','q']
    def __getitem__(self,k): return k*2
t(dict,KO()); t({}.update,KO()); t(lambda:{**KO()}); t(lambda:dict(**KO()))
class BadKeys:
    keys=3
t(dict,BadKeys()); t(lambda:{**5}); t(lambda:dict(**{1:2})); t(lambda:dict(**5)); t(lambda: dict(*5))
d={1:2,2:3}
def mut():
    for k in d: d[k+10]=1
t(mut)
d={1:2,2:3}
def mut2():
    for k in d: del d[k]
t(mut2)
def mut3():
    d={1:2,2:3}
    for k in d: d.pop(k); d[k+10]=1
    return d
t(mut3)
it=iter({1:2,3:4}); print(it.__length_hint__()); next(it); print(it.__length_hint__())
t(reversed({1:2,3:4}).__next__); t(reversed({1:2}.items()).__next__); t(list,reversed({1:2,3:4}.values()))
