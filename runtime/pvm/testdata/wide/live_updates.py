l=[]
l.extend(len(l) for _ in range(4)); print(l)
l+=(len(l) for _ in range(3)); print(l)
class I:
    def __init__(s): s.n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n>4: raise StopIteration
        return len(l)
l.extend(I()); print(l)
l.extend(map(lambda x: len(l), range(3))); print(l)
def g():
    yield 1
    l.clear()
    yield 2
    yield 3
try: l.extend(g())
except Exception as e: print(e)
print(l)
def h():
    yield 1
    raise ValueError
try: l.extend(h())
except ValueError: print(l)
l=[1]
l.extend(i for i in l if len(l)<10); print(l)
l = [3]
l[:] = (len(l) for _ in range(3)); print(l)
l[1:1] = (len(l) for _ in range(3)); print(l)
s=set(); s.update(len(s) for _ in range(4)); print(sorted(s))
d={}; d.update((len(d),1) for _ in range(4)); print(d)
b=bytearray(); b.extend(len(b) for _ in range(3)); print(b)
from collections import deque, Counter, OrderedDict
q=deque(); q.extend(len(q) for _ in range(3)); q.extendleft(len(q) for _ in range(3)); print(q)
s=set([1]); s |= {2}; s.difference_update(len(s) for _ in range(3)); print(s)
s=set([1,2,3]); s.intersection_update(len(s) for _ in range(3)); print(s)
s=set([1,2,3]); s.symmetric_difference_update(len(s) for _ in range(3)); print(sorted(s))
l=[1,2,3]
l.extend({k:1 for k in 'ab'}); print(l)
l = [1]
l.sort(key=lambda x: l.append(3)) if 0 else None
x=[1,2,3]
x += x; x.extend(x); print(x)
x = [5,1]; x.extend(reversed(x)); print(x)
x = [5,1]
it = iter(x)
x.extend(next(it) for _ in range(4)); print(x, list(it))
x = [*x, *(len(x) for _ in range(2))]; print(x)
t = [0]
t.extend(zip(t, range(5))); print(t)
t=[1]; t.extend(enumerate(t) if 0 else [len(t)]*3); print(t)
class A:
    def f(self): super().__init__(); return sorted(locals())
    def g(self): return sorted(locals())
    def h(self): __class__; return sorted(locals())
    def i(self):
        def k(): return __class__
        return sorted(locals())
    @classmethod
    def j(cls):
        x = [super for _ in range(1)]
        return sorted(locals())
a = A()
print(a.f(), a.g(), a.h(), a.i(), a.j())
print(A.f.__code__.co_freevars, A.g.__code__.co_freevars, A.h.__code__.co_freevars, A.i.__code__.co_freevars, A.j.__code__.co_freevars)
l=[1,2,3]
l.extend(iter([4])); i = iter(l); next(i); l.extend(x for x in [1]); print(l)
s = set(range(5))
try: s.difference_update([1, [2], 3])
except TypeError as e: print(e, s)
def g():
    yield 2
    raise KeyError(9)
try: s.difference_update([0], g())
except KeyError as e: print(e, s)
s -= {4}; print(s)
s = {1,2,3}; s.difference_update(s); print(s)
s = {1,2,3}; s.difference_update({1:2}, '3', (3,)); print(s)
s = {1,2,3}
try: s.difference_update(5)
except TypeError as e: print(e)
try: s.difference_update([1], 5)
except TypeError as e: print(e, s)
s = {1, 2, frozenset({7})}
try: s.difference_update([{7}])
except TypeError as e: print(e, s)
print({1,2,3,4}.difference([2], (x for x in (3,))))
try: {1}.difference([[1]])
except TypeError as e: print(e)
from itertools import count
it = count()
print({0,1}.issuperset(it), next(it))
it = iter([0,1,[],3])
try: print({0,1}.issuperset(it))
except TypeError as e: print(e, next(it))
print({0,1}.isdisjoint(count()), {1}.issuperset(()), {1}.issuperset([1,1]), frozenset('ab').issuperset('ba'), frozenset('ab').issuperset('abc'))
print({0,1}.issubset([0,1,2]), {0,1}.issubset((x for x in [0])))
try: a, b = count()
except ValueError as e: print(e)
print(5 in count(), any(count()), all(count()))
l = [1, 2, 3]
i = iter(l)
print(next(i), l.extend(i) if 0 else None, [*i, *l])
