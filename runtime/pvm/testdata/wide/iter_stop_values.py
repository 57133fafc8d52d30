import itertools
class I:
    def __init__(self): self.n=0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 2: raise StopIteration(42)
        return self.n
def gen():
    yield 1
    yield 2
    return 43
def show(it):
    try:
        while True: print(next(it), end=' ')
    except StopIteration as e: print(e.args, e.value)
    except Exception as e: print(type(e), e)
    try: print(next(it))
    except StopIteration as e: print('again', e.args)
    except Exception as e: print(type(e), e)
def show2(it):
    def g():
        r = yield from it
        print('result', r)
    print(list(g()))
makers = dict(map=lambda i: map(lambda x: x*2, i), map2=lambda i: map(lambda x,y: x, i, itertools.count()), map3=lambda i: map(lambda x,y: x, itertools.count(), i),
 zip=lambda i: zip(i), zip2=lambda i: zip([1,2,3,4], i), zips=lambda i: zip(i, [1,2], strict=True), zips2=lambda i: zip([1,2], i, strict=True), zips3=lambda i: zip([1,2,3], i, strict=True),
 filter=lambda i: filter(None, i), filter2=lambda i: filter(lambda x: x>1, i), enumerate=enumerate, enum2=lambda i: enumerate(i, 2**70),
 chain=itertools.chain, chain2=lambda i: itertools.chain.from_iterable(map(lambda x:[x], i)), islice=lambda i: itertools.islice(i, 10), islice2=lambda i: itertools.islice(i, 5, 10), takewhile=lambda i: itertools.takewhile(lambda x: True, i),
 takewhile2=lambda i: itertools.takewhile(lambda x: x<2, i), dropwhile=lambda i: itertools.dropwhile(lambda x: x<2, i), filterfalse=lambda i: itertools.filterfalse(None, i), starmap=lambda i: itertools.starmap(lambda x:x, zip(i)),
 compress=lambda i: itertools.compress(i, [1,0,1,1]), compress2=lambda i: itertools.compress([1,2,3], i), accumulate=itertools.accumulate, pairwise=itertools.pairwise, zl=lambda i: itertools.zip_longest(i, [1]),
 tee=lambda i: itertools.tee(i)[0], cycle=lambda i: itertools.islice(itertools.cycle(i), 5), groupby=lambda i: (k for k,_ in itertools.groupby(i)), gexp=lambda i: (x for x in i), iter=iter, product=itertools.product, rep=lambda i: map(next, itertools.repeat(i)))
for n, mk in makers.items():
    for src in I, gen:
        print(n, src.__name__)
        show(mk(src()))
        for use in (show2, lambda it: print(list(it)), lambda it: [print(x) for x in it], lambda it: print(*it)):
            try: use(mk(src()))
            except ValueError as e: print(e)
for a, b in enumerate(I()): print(a, b)
for a, b in zip(I(), gen()): print(a, b)
d = {k: v for k, v in zip(gen(), I())}; print(d)
g = gen()
for x in g: pass
try: next(g)
except StopIteration as e: print(e.args)
def run(f):
    yield 0
    print((yield from f)); print((yield from f)); print((yield from f))
print(list(run(gen())))
print(list(run(I())))
print(list(run(zip(I()))))
class S:
    def __init__(self, k, v): self.k, self.v = k, v
    def __set_name__(self, o, n): print('set', n); setattr(o, self.k, self.v)
class D:
    def __init__(self, k): self.k = k
    def __set_name__(self, o, n): print('del', n); delattr(o, self.k)
class T: a = S('b', 1); b = S('a', 2); c = S('new', S('x', 1))
print(T.a, T.b, type(T.new))
class U: a = D('b'); b = D('a')
print(hasattr(U, 'a'), hasattr(U, 'b'))
inf = float('inf'); nan = float('nan')
for x in (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, inf, -inf, nan):
    for y in (inf, -inf, nan, 0.0, -0.0, 1.0, -1.0, 3.0, -3.0):
        try: print(x, y, x**y, pow(x, y))
        except Exception as e: print(x, y, type(e).__name__, e)
