# Words of wrong calls, length hints, print with a file.
def t(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
def f(*a, **k): return a, k
class S(str): pass
t(lambda: f(*1, **{1: 2})); t(lambda: f(**{1: 2})); t(lambda: f(**{1: 2}, **{1: 3})); t(lambda: f(*[1], **{None: 2})); t(lambda: f(**{'a': 1}, **{(1,): 2})); t(lambda: f(**{S('a'): 1})); t(lambda: dict(**{1: 2})); t(lambda: print(**{1: 2})); t(lambda: int(**{1: 2})); t(lambda: type('A', (), {}, **{1: 2})); t(lambda: f(x=1, **{2: 3}, **{2: 5}))
t(lambda: max([1], **{3: 4})); t(lambda: (lambda **k: k)(**{1.5: 2})); t(lambda: ''.join(*5, **{3: 4}));
t(lambda: sum(1, '')); t(lambda: sum([], '')); t(lambda: sum(['a'], b'')); t(lambda: sum(5)); t(lambda: sum([[1], [2]], [])); t(lambda: sum([1, 2.5]))
import functools
t(lambda: functools.partial(f)(**{1: 2})); t(lambda: f.__call__(**{1: 2}))
class A:
    def f(self): pass
    @classmethod
    def c(cls): pass
    @staticmethod
    def s(): pass
    def __call__(self): pass
a = A()
import functools, collections
t(lambda: a.f(*1)); t(lambda: a.f(**1)); t(lambda: A.f(*1)); t(lambda: A.c(*1)); t(lambda: a.s(*1)); t(lambda: A(*1)); t(lambda: ''.join(*1)); t(lambda: len(*1)); t(lambda: [].append(*1)); t(lambda: str.join(*1)); t(lambda: {}.__len__(*1)); t(lambda: int.__add__(*1)); t(lambda: functools.partial(len)(*1)); t(lambda: functools.reduce(*1)); t(lambda: (lambda: 1)(*1)); t(lambda: print(**1)); t(lambda: int(*1)); t(lambda: collections.Counter(*1)); t(lambda: collections.deque(*1)); t(lambda: dict.fromkeys(*1)); t(lambda: collections.deque().append(*1)); t(lambda: a.f(x=1, **{'x': 2})); t(lambda: len(x=1, **{'x': 2})); t(lambda: ''.join(x=1, **{'x': 2}))
class BadLen(object):
    def __iter__(self): return iter(range(10))
    def __len__(self): raise RuntimeError('hello')
class BadLengthHint(object):
    def __iter__(self): return iter(range(10))
    def __length_hint__(self): raise RuntimeError('hello')
class NoneLengthHint(object):
    def __iter__(self): return iter(range(10))
    def __length_hint__(self): return NotImplemented
import itertools
for C in (BadLen, BadLengthHint, NoneLengthHint):
    t(lambda: list(C())); t(lambda: [].extend(C())); t(lambda: tuple(C())); t(lambda: bytearray(range(10)).extend(C())); t(lambda: bytearray(C())); t(lambda: bytes(C())); t(lambda: set(C())); t(lambda: sorted(C())); t(lambda: dict.fromkeys(C())); t(lambda: collections.deque(C())); t(lambda: [*C()]); t(lambda: (lambda *a: a)(*C())); t(lambda: list(map(str, C()))); t(lambda: list(zip(C(), C()))[:1]); t(lambda: list(enumerate(C()))[:1]); t(lambda: list(filter(None, C()))); t(lambda: ''.join(map(str, C()))); t(lambda: sum(C())); t(lambda: max(C())); t(lambda: list(itertools.chain(C()))); t(lambda: [x for x in C()]); t(lambda: list(reversed(list(C())))); t(lambda: frozenset(C()))
    def f():
        l = [1]; l += C(); return l
    def g():
        l = [1]; l[:] = C(); return l
    def h():
        a, *b = C(); return b
    t(f); t(g); t(h)
class W:
    def __init__(self): self.got = []
    def write(self, s): self.got.append(s)
    def flush(self): self.got.append('flush')
w = W()
print(1, 'a', [2], sep='-', end='!', file=w)
print(file=w); print('x', file=w, flush=True); print('y', file=w, flush=0); print(3, file=None, flush=True)
print(w.got)
t(lambda: print(1, file=5)); t(lambda: print(1, file=object)); t(lambda: print(1, sep=3, file=w)); t(lambda: print(flush=[])); t(lambda: print(1, file=[]))
class Bad:
    def __str__(self): raise KeyError('s')
t(lambda: print(1, Bad(), file=w)); print(w.got[-3:])
