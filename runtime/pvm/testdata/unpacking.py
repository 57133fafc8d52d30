# Assignment targets and unpacking.
a = b = [1, 2]
print(a is b)
x, (y, [z, *w]), *v = 1, (2, [3, 4, 5]), 6, 7
print(x, y, z, w, v)
class T: pass
t = T(); d = {}; l = [0, 0]
t.attr, d["k"], l[0], l[1:] = 1, 2, 3, [4, 5]
print(t.attr, d, l)
[t.p, *t.q] = "abc"
(t.r), [t.s] = 1, [2]
print(t.p, t.q, t.r, t.s)
for t.i, d["j"] in [(1, 2), (3, 4)]: pass
print(t.i, d["j"])
i = 0
i, l[i] = 1, "x"
print(l)
def order():
    log = []
    def o(n, v=None): log.append(n); return v
    class S:
        def __setitem__(self, k, val): log.append(("set", k, val))
    s = S()
    o("target obj", s)[o("index")] = o("value", 5)
    s[o("i1")], s[o("i2")] = o("v1"), o("v2")
    s[o("a")] = s[o("b")] = o("c")
    return log
print(order())
*a, = range(3)
a, *b = "x"
print(a, b)
(a, b), c = "xy", "z"
print(a, b, c)
for bad in ((), (1,), (1, 2, 3), 5, None, "abcd"):
    try:
        p, q = bad
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
try:
    p, *q, r = [1]
except ValueError as e:
    print(e)
try:
    (p, q), r = 1, 2
except TypeError as e:
    print(e)
x = 5
x: int = 6
y: "not evaluated at all if local" = 7
print(x, y, __annotations__)
def f():
    n: undefined_name_is_fine
    m: int = 1
    return m
print(f())
x = [1, 2, 3]
x[0], x[1], x[2] = x[2], x[0], x[1]
print(x)
x[x[0] - 3], x[1] = "a", "b"
print(x)
class Aug:
    def __init__(self): self.log = []
    def __getitem__(self, k): self.log.append(("get", k)); return 1
    def __setitem__(self, k, v): self.log.append(("set", k, v))
    def __getattr__(self, n): self.log.append(("getattr", n)); return 10
g = Aug()
g["k"] += 5
g.name += 1
print(g.log, g.name)
s = "a"; s *= 3; s += "b"
n = 10; n //= 3; n **= 2; n <<= 1; n %= 10; n -= 1; n |= 4; n &= 6; n ^= 1; n >>= 1
f = 1.5; f /= 2; f += 1
m = [1]; m2 = m; m += [2]; m *= 2
u = (1,); u2 = u; u += (2,)
print(s, n, f, m, m2 is m, u, u2)
del s
try:
    s
except NameError as e:
    print(e)
del d["k"], l[0], t.attr
print(d, l, hasattr(t, "attr"))
del (m, [u])
q = {"a": [1, 2, {"b": 3}]}
q["a"][2]["b"] += 1; q["a"][0], q["z"] = 9, 8; del q["a"][1]
print(q)
print((lambda: [(yield)])().__class__.__name__, [*[], *()], (*(), 1), {**{}, "k": 1})
r = (n := 5) + n
while (n := n - 1) > 2: pass
print(r, n, [m := 1, m + 1], (k := 3, k * 2), {(z := "key"): z}, f"{(w := 7)}{w}", (lambda: (q2 := 1))())
def first_rest(it): first, *rest = it; return first, rest
print(first_rest("abc"), first_rest({1: 2, 3: 4}), first_rest(range(2)), first_rest(iter([9])))
