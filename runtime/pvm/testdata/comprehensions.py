# Comprehensions and generator expressions: scopes, nesting, order.
print([x for x in range(5)], [x for x in range(10) if x % 2 if x > 3], [(x, y) for x in range(3) for y in range(x)], [[y for y in range(x)] for x in range(4)])
print({x: y for x, y in zip("abc", range(3))}, {k: v for d in ({"a": 1}, {"b": 2}) for k, v in d.items()}, sorted({x % 3 for x in range(9)}), sorted({c for c in "hello" if c != "l"}))
print(list(x * x for x in range(4)), sum(x for x in range(101)), max(len(w) for w in "a bb ccc".split()), "".join(c for c in "abc"), dict((i, i) for i in range(2)), any(x > 2 for x in [1, 2, 3]), tuple(x for x in "ab"))
x = "outer"
print([x for x in "inner"], x, [x for _ in range(2)], [(lambda: x)() for x in range(3)])
fs = [lambda: i for i in range(3)]
gs = [lambda i=i: i for i in range(3)]
print([f() for f in fs], [g() for g in gs])
def outer(n):
    base = 10
    return [base + i * n + len([j for j in range(i) if j < base]) for i in range(n)], [(lambda k: k + base)(i) for i in range(2)]
print(outer(4))
class C:
    n = 3
    items = [n] * 2
    sq = [i * i for i in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(2)]
    try:
        bad = [i for i in range(2) if n]
    except NameError as e:
        err = str(e)
print(C.items, C.sq, C.pairs, C.err)
log = []
def note(v): log.append(v); return v
r = [note((a, b)) for a in note([1, 2]) if note(a) for b in note(range(a))]
print(r, log)
log.clear()
g = (note(i) for i in note([1, 2, 3]))
log.append("made")
print(next(g), log, list(g), log)
print([y for x in range(3) if (y := x * 2) > 0], y, [last := v for v in "abc"], last, any((w := c) == "b" for c in "abc"), w)
m = [[1, 2, 3], [4, 5, 6]]
print([[r[i] for r in m] for i in range(3)], [a for r in m for a in r if a % 2], [*map(sum, m)], list(zip(*m)), {(i, j): v for i, r in enumerate(m) for j, v in enumerate(r)})
def primes(n): return [p for p in range(2, n) if all(p % d for d in range(2, int(p ** 0.5) + 1))]
print(primes(50), [a for a, *b in [(1, 2, 3), (4,)]], [b for a, *b in [(1, 2, 3), (4,)]], [k for k, (v, w) in {"a": (1, 2)}.items()])
def gen():
    try:
        for i in range(3): yield i
    finally:
        print("closed")
inner = gen()
ge = (x for x in inner)
print(next(ge))
ge.close()
inner.close()
for f in (lambda: [1 / x for x in [1, 0]], lambda: [undefined for _ in [1]], lambda: [x for x in 5], lambda: [a for a, b in [1]], lambda: {[]: 1 for _ in [1]}, lambda: next(x for x in [])):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print([i for i in range(3) for i in range(i)], [x for x in [1, 2, 3] if x != 2 or None], [[i, j] for i in "ab" for j in "cd" if i + j != "ad"], [None for _ in range(2)], [() for _ in ()], [lambda: 0 for _ in range(1)][0]())
a = [0] * 3
print([a for a[1] in range(3)], a, [d for d["k"] in [1, 2]] if (d := {}) is not None else 0)
print([z for z in (lambda: (yield 5))()], sum(1 for _ in (i for i in range(10) if i & 1)))
