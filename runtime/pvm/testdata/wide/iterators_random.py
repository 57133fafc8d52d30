from collections import deque, OrderedDict, Counter, defaultdict, ChainMap
import itertools, functools, re
S = 1
def rnd(n):
    global S
    S = (S * 6364136223846793005 + 1442695040888963407) % (1 << 64)
    return (S >> 33) % n
def pick(l): return l[rnd(len(l))]
class Stop:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        self.n -= 1
        if self.n < 0: raise StopIteration(('v', self.n))
        return self.n
class Get:
    def __init__(self, l): self.l = l
    def __getitem__(self, i):
        return self.l[i]
    def __len__(self): return len(self.l)
def g(l):
    r = yield from l
    return ('g', r)
def sources(l, d, q):
    return [lambda: iter(l), lambda: reversed(l), lambda: iter(tuple(l)), lambda: Stop(rnd(5)), lambda: iter(Get(l)), lambda: reversed(Get(l)), lambda: g(l), lambda: g(Stop(3)), lambda: iter(d.copy()), lambda: iter(q.copy()), lambda: iter(range(rnd(6))), lambda: iter('abc'), lambda: iter(b'xy'), lambda: iter(lambda: l.pop(), 1), lambda: iter(q)]
tools = [lambda s: map(lambda x: (x,), s()), lambda s: map(lambda *a: a, s(), s()), lambda s: zip(s(), s()), lambda s: zip(s(), s(), strict=True), lambda s: filter(None, s()), lambda s: enumerate(s(), 3), lambda s: itertools.chain(s(), s()), lambda s: itertools.chain.from_iterable([s(), s()]), lambda s: itertools.islice(s(), rnd(3), rnd(6), 1 + rnd(2)), lambda s: itertools.takewhile(lambda x: x != 2, s()), lambda s: itertools.dropwhile(lambda x: x != 2, s()), lambda s: itertools.accumulate(map(str, s())), lambda s: itertools.pairwise(s()), lambda s: itertools.zip_longest(s(), s(), fillvalue=0), lambda s: itertools.tee(s())[1], lambda s: itertools.cycle(s()), lambda s: itertools.groupby(s()), lambda s: itertools.compress(s(), s()), lambda s: itertools.starmap(lambda *a: a, zip(s())), lambda s: itertools.filterfalse(None, s()), lambda s: itertools.product(s(), repeat=1), lambda s: itertools.permutations(s(), 2), lambda s: itertools.combinations(s(), 2), lambda s: s(), lambda s: (x for x in s()), lambda s: iter([x for x in s()]), lambda s: iter(sorted(map(str, s()))), lambda s: iter(deque(s(), 3)), lambda s: iter(list(s())), lambda s: iter(dict.fromkeys(s()))]
for case in range(400):
    l = [rnd(5) for _ in range(rnd(6))]
    d = dict.fromkeys(l, 0)
    q = deque(l, pick([None, None, 4]))
    log = []
    try: it = pick(tools)(pick(sources(l, d, q)))
    except Exception as e:
        print(case, 'make', type(e).__name__, e); continue
    for step in range(rnd(10)):
        op = rnd(10)
        try:
            if op < 5: r = next(it)
            elif op == 5: r = pick([lambda: l.append(7), lambda: l.insert(0, 8), lambda: l.pop(), lambda: l.clear(), lambda: l.reverse(), lambda: l.sort(), lambda: q.append(1), lambda: q.rotate(1), lambda: l.extend([1, 2]), lambda: l.__setitem__(slice(0, 2), [9])])()
            elif op == 6: r = it.__length_hint__() if hasattr(it, '__length_hint__') else 'no'
            elif op == 7: r = next(it, 'default')
            elif op == 8: r = pick([1, 2, 7, 'a']) in itertools.islice(it, 2)
            else:
                def take():
                    x = yield from itertools.islice(it, 2)
                    yield ('r', x)
                r = list(take())
            if isinstance(r, tuple) and len(r) == 2 and type(r[1]).__name__ == '_grouper': r = (r[0], list(r[1]))
            log.append((op, r))
        except StopIteration as e: log.append((op, 'stop', e.args))
        except Exception as e: log.append((op, type(e).__name__, str(e)))
    def rest():
        x = yield from it
        yield ('value', x)
    try: log.append([list(x[1]) if type(x) is tuple and len(x) == 2 and type(x[1]).__name__ == '_grouper' else x for x in itertools.islice(rest(), 8)])
    except Exception as e: log.append((type(e).__name__, str(e)))
    print(case, re.sub("0x[0-9a-f]+", "", str(log)), l, list(q))
