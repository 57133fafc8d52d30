def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, '|', e)
def f(a, *, b=1, c): return a, b, c
t(f, 0, c=2); d = f.__kwdefaults__; d['c'] = 9; t(f, 0); del d['b']; t(f, 0); d['b'] = 'new'; t(f, 0); print(f.__kwdefaults__ is d, d)
f.__kwdefaults__ = None; t(f, 0); print(f.__kwdefaults__)
e = {'b': 5, 'zz': 6}; f.__kwdefaults__ = e; t(f, 0, c=1); e['c'] = 7; t(f, 0); del f.__kwdefaults__; t(f, 0); t(setattr, f, '__kwdefaults__', 5)
def g(a, b=2): return a, b
print(g.__kwdefaults__); g.__kwdefaults__ = {'a': 1}; t(g, 5); t(g); print(g.__kwdefaults__)
g.__defaults__ = (1, 2, 3) if 0 else (8, 9); t(g); print(g.__defaults__); t(setattr, g, '__defaults__', [1]); g.__defaults__ = (4,); t(g); t(g, 1); del g.__defaults__; t(g, 1)
h = lambda *, k=[]: k
h.__kwdefaults__['k'].append(1); print(h(), h.__kwdefaults__)
