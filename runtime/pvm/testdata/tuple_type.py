# tuple and unpacking.
t = (1, "a", 2.5)
print(t, len(t), t[0], t[-1], t[1:], t[::-1], t + (4,), t * 2, 2 * (1,), (), (1,), tuple("ab"), tuple([1, 2]), tuple(), tuple(range(3)), t.index("a"), t.count(1), "a" in t)
print((1, 2) < (1, 3), (1,) < (1, 0), () < (1,), (1, "a") == (1, "a"), (1, 2) == [1, 2], hash((1, 2)) == hash((1, 2)), {(1, 2): "x"}[1, 2], max((1, 5), (2, 0)), sorted([(2, "a"), (1, "b")]))
print(hash(()), hash((1,)), hash((1, 2, 3)), hash((1, (2, 3))), hash((0.5, None is None)), hash((-1,)), hash((10**20, True)))
a, b = 1, 2
a, b = b, a
(c, d), e = (3, 4), 5
[f, *g] = "xyz"
*h, i = range(4)
j, (k, *l), m = 1, (2, 3, 4), 5
n = o = p = 7,
for q, (r, s) in [(1, (2, 3)), (4, (5, 6))]:
    print(q, r, s, end=" ")
print(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o is p)
x = [0, 1, 2]
idx = 0
idx, x[idx] = 1, 9
print(idx, x)
x[0], x[1], *x[2:] = 5, 6, 7, 8
print(x)
first, *_, last = "hello"
print(first, last, _)
def f(*args): return args
print(f(*t), f(*t, *[1]), f(*"ab", 1, *(2,)), f(*()), (*t, *t), [*t, 0], {*t} == {1, "a", 2.5}, (1, *[2], *(3, 4), 5))
for g in (lambda: (1, 2)[5], lambda: (1,) + [2], lambda: (1, 2).index(3), lambda: hash(([],)), lambda: (1, 2) < (1, "a"), lambda: tuple(5), lambda: (1,).__setitem__(0, 1), lambda: (1,)["a"]):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__, e)
for src in (1, "ab", [1, 2, 3, 4], None, {1: 2, 3: 4}, iter([1])):
    try:
        x, y, z = src
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
try:
    t[0] = 1
except TypeError as e:
    print(e)
u = ([1],)
try:
    u[0] += [2]
except TypeError as e:
    print(e, u)
class T(tuple):
    def __new__(cls, *a): return super().__new__(cls, a)
    @property
    def x(self): return self[0]
v = T(1, 2)
print(v, v.x, v == (1, 2), v + (3,), type(v + (3,)), type(v[:]), len(v), isinstance(v, tuple), repr(T()), hash(v) == hash((1, 2)))
print(((1, 2), (3,)), (((),),), (1, [2, (3,)]), str((1,)), repr(("a",)), (1, 2).__add__((3,)), (1,).__eq__(2), tuple(x * x for x in range(4)), (None,) * 3)
