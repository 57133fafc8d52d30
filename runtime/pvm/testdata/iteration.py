# Iteration protocol and built-ins over iterables.
class Count:
    def __init__(self, n): self.n = n
    def __iter__(self): return CountIter(self.n)
class CountIter:
    def __init__(self, n): self.i, self.n = 0, n
    def __iter__(self): return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
c = Count(3)
print(list(c), list(c), [*c, *c], tuple(c), sum(c), max(c), sorted(c, reverse=True), 2 in c, 9 in c, dict(zip(c, "abc")), list(enumerate(c, 10)), list(map(lambda a, b: a * b, c, c)), any(x > 2 for x in c), all(c))
it = iter(c)
print(next(it), next(it), next(it), next(it, "default"), list(it))
print(list(iter([1, 2].pop, None)) if False else list(iter(iter("abcd").__next__, "c")), [x for x in iter(lambda l=[3, 2, 1, 0]: l.pop(0), 0)])
print(list(zip()), list(zip([1])), list(zip([1, 2], "ab", (True, False))), list(zip([1, 2, 3], "ab")), list(zip(*[(1, 2), (3, 4)])), list(zip([1], [2], strict=True)))
for f in (lambda: list(zip([1, 2], [1], strict=True)), lambda: list(zip([1], [1, 2], strict=True)), lambda: zip(5), lambda: map(), lambda: list(map(1, [1])), lambda: next([]), lambda: iter(5), lambda: iter(5, 5), lambda: sum(["a"]), lambda: sum([[1]]), lambda: max([]), lambda: max(), lambda: min(1), lambda: max([1, "a"]), 
          lambda: reversed({1}), lambda: len(iter([])), lambda: all(5), lambda: sum("ab", ""), lambda: next(iter([])), lambda: filter(1), lambda: list(filter(5, [1])), lambda: dict(zip([1], [2], [3]))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(list(map(str.upper, "abc")), list(map(max, [1, 5], [3, 2])), list(map(None.__class__, [])), list(filter(lambda x: x % 2, range(6))), list(filter(None, [0, 1, "", "a", None, []])), list(reversed("abc")), list(reversed(range(3))), list(reversed([])), list(reversed({"a": 1, "b": 2})))
print(sum([1, 2], 3), sum([0.5, 0.25]), sum((), start=5), sum([[1], [2]], []), sum(x for x in ()), max(3, 7, key=lambda v: -v), min("b", "a"), max({"a": 5, "b": 3}), max([(1, "z"), (1, "a")]), min([3, 1, 1.0]), max("", default="d"), min([], default=None, key=len), max([1], key=None))
a = list(range(5))
i = iter(a)
next(i); a.append(99); a.pop(0)
print(list(i), a)
d = {"x": 1}
ki = iter(d)
print(next(ki), next(ki, "end"), type(ki).__name__, type(iter([])).__name__, type(iter(())).__name__, type(iter(range(1))).__name__, type(iter(set())).__name__, type(zip()).__name__, type(map(int, [])).__name__, type(enumerate([])).__name__, type(reversed([])).__name__)
class Old:
    def __len__(self): return 3
    def __getitem__(self, i): return "abc"[i]
print(list(Old()), list(reversed(Old())), "b" in Old(), [*Old()], sorted(Old(), reverse=True))
for x in []: pass
else: print("empty else")
for x in range(3):
    if x == 5: break
else: print("no break", x)
for i, (a, b) in enumerate({"k": 1, "j": 2}.items()): print(i, a, b, end=";")
for t[0] in ([[]] and ["idx"]) if (t := [0]) else []: print(t)
n = 3
while n: n -= 1
else: print("while else", n)
def chunks(s, n): return [s[i:i + n] for i in range(0, len(s), n)]
print(chunks("abcdefgh", 3), list(zip(*[iter("abcdef")] * 2)), [list(g) for g in (range(i) for i in range(3))])
class Hint:
    def __iter__(self): return iter([1, 2])
    def __length_hint__(self): return 50
print(list(Hint()), [].__iter__().__length_hint__(), all(x for x in Hint()))
class BadIter:
    def __iter__(self): return [1]
try:
    for x in BadIter(): pass
except TypeError as e:
    print(e)
class RaisesMid:
    def __iter__(self):
        yield 1
        raise ValueError("mid")
out = []
try:
    for x in RaisesMid(): out.append(x)
except ValueError as e:
    print(out, e)
print(list(dict.fromkeys("abracadabra")), "".join(map(chr, range(97, 103))), list(map(lambda *a: a, "ab", [1, 2], (True, None))), [*map(print, ())], list(zip(range(10**20), "ab")))
