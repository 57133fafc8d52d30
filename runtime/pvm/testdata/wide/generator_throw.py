alive = []
class Iter:
    def __iter__(self): return self
    def __next__(self): return 1
    def throw(self, *a):
        print('throw', [x if isinstance(x, type) else repr(x) for x in a])
        return 456
class Plain:
    def __iter__(self): return self
    def __next__(self): return 1
class Stops(Iter):
    def throw(self, *a):
        print(len(a)); raise StopIteration('done')
class Loud(Exception):
    def __init__(self, *a): super().__init__(*a)
def gen(it):
    alive.append(it)
    try:
        r = yield from it
        print('result', r)
        yield 'after'
    except BaseException as e:
        if alive: print('inside', type(e).__name__, e)
        raise
def outer(it): yield from gen(it)
def t(f):
    try: print(f())
    except BaseException as e: print('out', type(e).__name__, e)
takes = [Iter, Stops]
def valid(args):
    x = args[0]
    return isinstance(x, type) and issubclass(x, BaseException) and len(args) < 3 or isinstance(x, BaseException) and len(args) == 1
for mk in (Iter, Plain, Stops, lambda: iter([1, 2]), lambda: gen([1, 2]), lambda: map(str, [1, 2])):
    for wrap in gen, outer:
        for args in ((123,), (ValueError,), (ValueError, 'x'), (ValueError, ('a', 'b')), (ValueError('i'),), (ValueError('i'), 5), (ValueError, ValueError('v')), (ValueError, None, None), (Loud, 1), (GeneratorExit,), (GeneratorExit('g'),), (StopIteration, 3), ('str',), (ValueError, 'x', 7), (None,), (int,)):
            if mk not in takes and not valid(args): continue
            g = wrap(mk()); alive.append(g)
            next(g)
            print(args[:1], end=' '); t(lambda: g.throw(*args))
            t(lambda: next(g))
g = gen(Iter()); next(g); print(g.throw(ValueError), g.throw(1), next(g)); g.close()
async def co(a): return await a
class A:
    def __await__(self): return Iter()
c = co(A()); print(c.send(None), c.throw(ValueError), c.throw(5), c.throw(KeyError, 'k')); c.close()
def reenter():
    try: g2.throw(5)
    except BaseException as e: print(type(e).__name__, e)
    yield 1
g2 = gen(reenter()); print(next(g2))
ended, alive = alive, []
class Broken:
    def __iter__(self): return self
    def __next__(self): return 1
    def __getattr__(self, name):
        if name == 'throw': 1/0
        raise AttributeError(name)
def broken(): yield from Broken()
x = broken(); print(next(x)); t(lambda: x.throw(KeyError)); t(lambda: next(x)); x.close()
def above():
    try: yield from broken()
    except ZeroDivisionError as e: yield repr(e)
x = above(); print(next(x), x.throw(KeyError), next(x, None))
