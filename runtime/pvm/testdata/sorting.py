# sorted and list.sort: stability, keys, reverse, errors, comparisons seen.
data = [("b", 2), ("a", 3), ("b", 1), ("a", 1), ("c", 0), ("a", 2)]
print(sorted(data), sorted(data, key=lambda p: p[0]), sorted(data, key=lambda p: p[0], reverse=True), sorted(data, key=lambda p: -p[1]), sorted(sorted(data, key=lambda p: p[1]), key=lambda p: p[0]))
seed = 12345
def rnd():
    global seed
    seed = (seed * 1103515245 + 12345) % 2**31
    return seed
for n in (0, 1, 2, 10, 33, 64, 65, 100, 257, 1000):
    xs = [rnd() % 100 for _ in range(n)]
    ys = sorted(xs)
    assert all(a <= b for a, b in zip(ys, ys[1:])) and len(ys) == n and sum(ys) == sum(xs)
    zs = sorted(range(n), key=lambda i: xs[i])
    assert all((xs[a], a) < (xs[b], b) for a, b in zip(zs, zs[1:]))
    rs = sorted(range(n), key=lambda i: xs[i], reverse=True)
    assert all(xs[a] > xs[b] or (xs[a] == xs[b] and a < b) for a, b in zip(rs, rs[1:]))
for xs in (list(range(50)), list(range(50))[::-1], [1] * 30, [0, 1] * 20, list(range(20)) + list(range(20))):
    ys = xs[:]
    ys.sort()
    print(ys == sorted(xs), ys[:3], ys[-3:])
class N:
    calls = 0
    def __init__(self, v): self.v = v
    def __lt__(self, o): N.calls += 1; return self.v < o.v
    def __repr__(self): return f"N{self.v}"
print(sorted([N(3), N(1), N(2)]), N.calls)
N.calls = 0
sorted(N(i) for i in range(20)); print(N.calls)
N.calls = 0
sorted(N(-i) for i in range(20)); print(N.calls)
for bad in ([1, "a"], [None, 1], [{}, {}], [1, 2, object()], [(1, "a"), (1, 2)]):
    try:
        sorted(bad)
    except TypeError as e:
        print(e)
l = [3, 1, 2]
def touch(x): l.append(9); return x
try:
    l.sort(key=touch)
except ValueError as e:
    print(e, l)
m = [3, 2, 1]
def boom(x):
    if x == 1: raise KeyError("in key")
    return x
try:
    m.sort(key=boom)
except KeyError as e:
    print(e, m)
print(sorted("The quick Brown fox".split(), key=str.lower), sorted("cab"), sorted([True, 0, 2.5, -1]), sorted([[2], [1, 5], [1]]), sorted({"b", "a"}), sorted((x for x in "dcb"), reverse=True))
print(sorted(["10", "9", "2", "1"]), sorted(["10", "9", "2", "1"], key=int), sorted([0.5, float("inf"), -1, float("-inf")]), sorted(["é", "e", "f", "E"]), sorted([b"b", b"a"]), sorted([(), (0,), (0, 0)]))
from functools import cmp_to_key
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)), sorted("a1b2", key=lambda c: (c.isdigit(), c)), sorted(range(10), key=lambda x: (x % 3, -x)), max(range(10), key=lambda x: x % 7), min(range(10), key=lambda x: -x % 7))
people = [{"n": "Al", "a": 30}, {"n": "Bo", "a": 25}, {"n": "Cy", "a": 30}]
people.sort(key=lambda p: (-p["a"], p["n"]))
print([p["n"] for p in people], people.sort() if False else None, [1, 2].sort(), sorted([]), sorted([1], reverse=True))
class Rev:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return o.v < self.v
print([r.v for r in sorted(map(Rev, [1, 3, 2]))], sorted([3, 1, 2], key=Rev))
