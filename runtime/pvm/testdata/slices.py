# Slices and ranges.
s = "0123456789"
l = list(range(10))
for start in (None, 0, 2, -3, 20, -20):
    for stop in (None, 0, 5, -1, 20, -20):
        print([s[start:stop:step] for step in (None, 1, 2, -1, -3)])
for sl in (slice(5), slice(1, 5), slice(None, None, -1), slice(-3, None), slice(2, -2, 2)):
    print(sl, sl.start, sl.stop, sl.step, sl.indices(10), sl.indices(3), l[sl], tuple(l)[sl], bytes(l)[sl], range(10)[sl], sl == slice(5))
r = range(2, 20, 3)
print(r, list(r), len(r), r[1], r[-1], r[1:3], r[::-1], 5 in r, 6 in r, r.index(8), r.count(11), r.start, r.stop, r.step, r == range(2, 19, 3), hash(range(0)) == hash(range(5, 5)), range(0) == range(3, 1))
print(list(range(5, 0, -2)), list(range(0)), list(range(-3, 3)), range(10**20)[10**19], len(range(0, 10**10, 7)), 10**18 in range(0, 10**20, 10), list(reversed(range(4))), range(3) == [0, 1, 2], bool(range(0)), max(range(5)), sum(range(101)))
for f in (lambda: range(1, 2, 0), lambda: range(1.5), lambda: range(), lambda: range(5)[5], lambda: range(5).index(9), lambda: range("a"), lambda: slice(), lambda: "abc"[::0], lambda: "abc"["x":], lambda: [1][1.5:], lambda: slice(1, 2).indices(-1), lambda: hash(slice(1)), lambda: range(5).start.x):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Show:
    def __getitem__(self, i): return i
    def __setitem__(self, i, v): print("set", i, v)
    def __delitem__(self, i): print("del", i)
q = Show()
print(q[1], q[1:2], q[::], q[1:2:3], q[1, 2], q[1:2, ..., None], q[()], q[*[1, 2]], q[1,], q[(x := 5)], q["a":"b"], q[-1:], q[:, 1])
q[1:2] = 5; q[...] = q[1] = 6; del q[3], q[4:]; q[1, 2:3] += (1,) if False else ()
class Idx:
    def __index__(self): return 2
print(s[Idx()], s[Idx():], l[: Idx()], range(10)[Idx()], slice(Idx()).indices(5), range(Idx(), 5))
a = list("abcdef")
a[1:3] = "XYZ"; a[::2] = [0] * len(a[::2]); a[5:2] = ["ins"]; a[-1:] = []; a[:0] = [9]; del a[::3]
print(a)
