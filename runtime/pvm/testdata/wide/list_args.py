def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
for name in [n for n in dir(list) if not n.startswith('_')]:
    for args in [(), (None,), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ('ab',), ([5],), (2.5,), (-1,), (99,), (-99,), (0, 9), (True,)]:
        l = [3, 1, 2]
        m = getattr(l, name)
        t(m, *args)
        print(l)
    l = [3, 1, 2]
    t(getattr(l, name), foo=1)
t([].pop); t([1].pop, 5); t([1].remove, 2); t([].index, 1); t([1,2,3].index, 3, 0, 2); t([1,2,3].index, 3, -1); t([1,2,3].index,1,'a')
t([].sort, key=1); t([2,1].sort, key=1); t([2,1].sort, reverse='x'); t([2,1].sort, reverse=[]); t([2,'a'].sort); t([2,1].sort, key=None)
l=[1,2,3,4]
def k(x):
    l.append(9); return x
t(l.sort, key=k); print(l)
t(list, 1); t(list, 1, 2); t(list, foo=1); t(list.append, 1, 2); t(list.append); t(list.sort, 3)
t(lambda: [1,2][1.5]); t(lambda: [1,2]['a']); t(lambda: [1,2][5]); t(lambda: [1]*'a'); t(lambda: [1]+(2,)); t(lambda: [1]<(2,))
def seti(l,i,v): l[i]=v; return l
t(seti,[1,2,3],5,1); t(seti,[1,2,3],'a',1); t(seti,[1,2,3],slice(0,2),5); t(seti,[1,2,3],slice(0,3,2),[1]); t(seti,[1,2,3],slice(0,3,2),[1,9]); t(seti,[1,2,3],slice(None,None,-1),'abc')
t(seti,[1,2,3],slice(None,None,0),'abc'); t(seti,[1,2,3],slice(1,'x'),'abc'); t(seti,[1,2,3],slice(2,0),'abc')
def deli(l,i): del l[i]; return l
t(deli,[1,2,3],5); t(deli,[1,2,3],'a'); t(deli,list(range(10)),slice(None,None,3)); t(deli,list(range(10)),slice(8,1,-2)); t(deli,[1],1.0)
