# Aliasing, shallow copies, mutation through references, default arguments, class attributes.
a = [1, [2, 3]]
b = a; c = a[:]; d = list(a); e = a.copy(); f = [*a]; g = a * 1; h = a + []
a.append(4); a[1].append(9)
print(b, c, d, e, f, g, h, b is a, c is a, c[1] is a[1])
x = {"k": [1]}
y = dict(x); z = x.copy(); w = {**x}; v = x | {}
x["k"].append(2); x["new"] = 1
print(y, z, w, v)
def mutate(l): l.append("m"); l = ["rebound"]; return l
orig = []
print(mutate(orig), orig)
def swap(t): t[0], t[1] = t[1], t[0]
t = [1, 2]; swap(t); print(t)
grid = [[0] * 3] * 3
grid[0][0] = 1
good = [[0] * 3 for _ in range(3)]
good[0][0] = 1
print(grid, good, [r is grid[0] for r in grid], [[]] * 2 == [[], []])
class Shared:
    items = []
    n = 0
    def add(self, x): self.items.append(x); self.n += 1
p, q = Shared(), Shared()
p.add(1); q.add(2)
print(Shared.items, p.n, q.n, Shared.n, p.items is q.items, "items" in vars(p), "n" in vars(p))
def deep(o):
    if isinstance(o, list): return [deep(i) for i in o]
    if isinstance(o, dict): return {k: deep(v) for k, v in o.items()}
    if isinstance(o, tuple): return tuple(deep(i) for i in o)
    if isinstance(o, set): return {deep(i) for i in o}
    return o
src = {"a": [1, {"b": (2, [3])}], "s": {1, 2}}
dst = deep(src)
src["a"][1]["b"][1].append(99); src["s"].add(5)
print(dst, src["a"], sorted(src["s"]))
i = j = []
i += [1]
k = i
k = k + [2]
print(i, j, k)
s = "abc"; r = s; s += "d"; print(r, s)
n = (1, [2]); m = n; n[1].append(3); n += (4,); print(m, n)
st = {1}; su = st; st |= {2}; st = st | {3}; print(sorted(su), sorted(st))
def gen_shared():
    buf = []
    for i in range(3): buf.append(i); yield buf
print(list(gen_shared()), [l[:] for l in gen_shared()])
fs = [[].append for _ in range(2)]
fs[0](1)
print(fs[0].__self__, fs[1].__self__)
l = [1, 2, 3]
for v in l[:]: l.remove(v) if v != 2 else None
print(l)
it = iter(l); l.extend([7, 8]); print(list(it))
nested = {"a": {"b": {"c": 1}}}
ref = nested["a"]["b"]
ref["c"] = 2; ref = {"c": 3}
print(nested)
args = [1, 2]
def va(*a): return a
def kw(**k): k["x"] = 5; return k
ar = va(*args); args.append(3); kd = {"x": 1}
print(ar, kw(**kd), kd, va(*args) is args)
t1 = (); t2 = tuple([]); print(t1 == t2, [] is [], (1, 2) is None, "".join(["a"]) == "a")
def cell():
    v = []
    def add(x): v.append(x); return v
    return add, v
add, view = cell(); add(1); add(2); print(view)
