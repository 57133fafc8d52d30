# list: operations, methods, slices, errors.
a = [3, 1, 2]
a.append(4); a.extend([5, 6]); a.extend(x for x in "ab"); a.insert(0, 0); a.insert(-1, "z"); a.insert(100, "end")
print(a, len(a), a[0], a[-1], a[1:4], a[::-2], a[10:], a[-100:2], a.index(4), a.index(4, 2), a.count(1), 4 in a, "q" not in a)
print(a.pop(), a.pop(0), a.pop(-2), a)
a.remove("a"); a.reverse()
print(a, a.copy() == a, a.copy() is a, a * 2, 2 * [1], [0] * 0, [0] * -3, a + [9], [1] + [2] + [3])
a.clear()
print(a, bool(a), [] == [], [1] == [1.0], [1, 2] < [1, 3], [1] < [1, 0], [2] > [1, 9], [[1], [2]] == [[1], [2]], [1] != (1,))
b = list(range(10))
b[2:5] = ["x"]; print(b)
b[1:1] = [7, 8]; print(b)
b[::3] = "ABCD"[: len(b[::3])]; print(b)
b[-2:] = []; print(b)
b[len(b):] = [1, 2, 3]; print(b)
del b[0]; del b[1:3]; del b[::2]; print(b)
b[:] = (x for x in range(3)); print(b)
b += (3, 4); b += "s"; b *= 2; print(b)
b[1], b[2] = b[2], b[1]; b[-1] = None; print(b)
c = [5, 3, 9, 1]
c.sort(); print(c)
c.sort(reverse=True); print(c)
c.sort(key=lambda x: -x % 4); print(c)
print(sorted("bca"), sorted([3, 1, 2], reverse=True), sorted(["b", "A", "c"], key=str.lower), sorted({"b": 1, "a": 2}), sorted([(1, "b"), (1, "a"), (0, "z")]))
print(list("abc"), list((1, 2)), list({1: 2}), list(range(3)), list(map(str, [1, 2])), list(zip([1, 2], "ab")), list(enumerate("ab", 1)), list(reversed([1, 2, 3])), list(filter(None, [0, 1, "", "a"])))
print(max([3, 9, 2]), min([3, 9, 2]), sum([1, 2, 3]), any([0, 1]), all([1, 0]), max(["aa", "b"], key=len), min([], default="none"), sum([[1], [2]], []))
x, *y, z = [1, 2, 3, 4]
[p, [q, r]] = [1, [2, 3]]
print(x, y, z, p, q, r, [*y, *"ab", *range(2)], *[1, 2])
m = [[0] * 3 for _ in range(2)]
m[0][1] = 5
s = [[]] * 2
s[0].append(1)
print(m, s, [row[:] for row in m], [i for row in m for i in row])
for f in (lambda: [][0], lambda: [1][1], lambda: [1][-2], lambda: [].pop(), lambda: [1].pop(5), lambda: [].remove(1), lambda: [1].index(2), lambda: [1] + (2,), lambda: [1]["a"], lambda: [1][1.0],
          lambda: [1] < [None], lambda: [3, "a"].sort(), lambda: hash([]), lambda: [1].foo, lambda: [1, 2].__setitem__(5, 1), lambda: list(5), lambda: [1] * "a", lambda: [1, 2, 3].__setitem__(slice(0, 3, 2), [1]),
          lambda: [1].index(1, 5), lambda: [].extend(None), lambda: [1][::0], lambda: {}[[]], lambda: [1] * (2**62)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
try:
    x, y = [1, 2, 3]
except ValueError as e:
    print(e)
try:
    x, y, *z = [1]
except ValueError as e:
    print(e)
try:
    x, y = [1]
except ValueError as e:
    print(e)
l = [1, 2, 3, 4]
for i in l:
    if i == 2: l.remove(i)
    if len(l) < 6: l.append(i * 10)
print(l)
class L(list):
    def __getitem__(self, i): return "got %r" % (i,)
    def total(self): return sum(self)
k = L([1, 2])
print(k, k[0], k[1:2], k.total(), k == [1, 2], len(k), type(k + [1]), type(k[:]), isinstance(k, list), list(k), repr(L()), L("ab"))
print([1, [2, [3, []]]], [None, True, 1.5, "s", b"b", (1,), {1: 2}], str([]), repr([[]]), [1, 2].__eq__([1, 2]), [1].__eq__(1), [1, 2].__contains__(2), list.__add__([1], [2]))
it = iter([1, 2, 3])
print(next(it), it.__length_hint__(), list(it), list(it), next(it, "done"))
print([1, 2, 3] == [1, 2, 3][:], [] is [], [1, 2, 3].__len__(), [3, 2, 1].__reversed__().__next__(), [0, 1, 2].index(True))
