# Recursive algorithms over nested data.
def depth(x): return 1 + max(map(depth, x), default=0) if isinstance(x, list) else 0
def flat(x): return [y for i in x for y in flat(i)] if isinstance(x, list) else [x]
print(depth([]), depth([1, [2, [3, []]]]), flat([1, [2, [3, [4]], 5]]))
def ack(m, n): return n + 1 if m == 0 else ack(m - 1, 1) if n == 0 else ack(m - 1, ack(m, n - 1))
print(ack(2, 3), ack(1, 10))
def power_set(s): return [[]] if not s else (lambda r: r + [[s[0]] + x for x in r])(power_set(s[1:]))
print(power_set([1, 2, 3]))
def gray(n): return [""] if n == 0 else ["0" + g for g in gray(n - 1)] + ["1" + g for g in reversed(gray(n - 1))]
print(gray(3))
def pretty(x, ind=0):
    pad = "  " * ind
    if isinstance(x, dict): return "{\n" + "".join(f"{pad}  {k}: {pretty(v, ind + 1)}\n" for k, v in x.items()) + pad + "}"
    if isinstance(x, (list, tuple)): return "[" + ", ".join(pretty(v, ind) for v in x) + "]"
    return repr(x)
print(pretty({"a": 1, "b": {"c": [1, (2, 3)], "d": {}}, "e": []}))
def walk(x, path=()):
    if isinstance(x, dict):
        for k, v in x.items(): yield from walk(v, path + (k,))
    elif isinstance(x, list):
        for i, v in enumerate(x): yield from walk(v, path + (i,))
    else: yield ".".join(map(str, path)), x
print(list(walk({"a": [1, {"b": 2}], "c": {"d": "e"}})))
def merge(a, b): return {k: merge(a[k], b[k]) if k in a and k in b and isinstance(a[k], dict) and isinstance(b[k], dict) else b.get(k, a.get(k)) for k in [*a, *(k for k in b if k not in a)]}
print(merge({"x": 1, "y": {"z": 2, "w": 3}}, {"y": {"z": 9}, "q": 0}))
def diff(a, b, path=""):
    if type(a) != type(b): yield f"{path}: {a!r} -> {b!r}"
    elif isinstance(a, dict):
        for k in sorted(set(a) | set(b)): 
            if k not in a: yield f"{path}/{k}: added {b[k]!r}"
            elif k not in b: yield f"{path}/{k}: removed"
            else: yield from diff(a[k], b[k], f"{path}/{k}")
    elif a != b: yield f"{path}: {a!r} -> {b!r}"
print(list(diff({"a": 1, "b": {"c": 2, "d": 3}}, {"a": "1", "b": {"c": 5, "e": 0}})))
def count(n): return [] if n == 0 else count(n - 1) + [n]
print(len(count(100)), sum(count(100)))
def expr(n, target):
    out = []
    def go(i, cur, val, last):
        if i == len(n):
            if val == target: out.append(cur)
            return
        for j in range(i + 1, len(n) + 1):
            s, v = n[i:j], int(n[i:j])
            if i == 0: go(j, s, v, v)
            else: go(j, f"{cur}+{s}", val + v, v); go(j, f"{cur}-{s}", val - v, -v); go(j, f"{cur}*{s}", val - last + last * v, last * v)
    go(0, "", 0, 0)
    return out
print(expr("123", 6), expr("232", 8))
def mutual_even(n): return n == 0 or mutual_odd(n - 1)
def mutual_odd(n): return n != 0 and mutual_even(n - 1)
print(mutual_even(100), mutual_odd(77))
Y = lambda f: (lambda x: x(x))(lambda x: f(lambda *a: x(x)(*a)))
print(Y(lambda self: lambda n: 1 if n < 2 else n * self(n - 1))(15))
def church(n): return lambda f: lambda x: x if n == 0 else f(church(n - 1)(f)(x))
to_int = lambda c: c(lambda x: x + 1)(0)
add = lambda a: lambda b: lambda f: lambda x: a(f)(b(f)(x))
mul = lambda a: lambda b: lambda f: a(b(f))
print(to_int(add(church(3))(church(4))), to_int(mul(church(3))(church(5))))
def trampoline(f, *a):
    while callable(f): f = f(*a); a = ()
    return f
def tsum(n, acc=0): return acc if n == 0 else lambda: tsum(n - 1, acc + n)
print(trampoline(tsum, 5000))
def cps_fact(n, k): return k(1) if n == 0 else cps_fact(n - 1, lambda v: k(n * v))
print(cps_fact(20, lambda v: v), cps_fact(5, str))
def limit(n):
    try: return limit(n + 1)
    except RecursionError: return "recovered"
print(limit(0), limit(0))
class Tree:
    def __init__(self, v, *kids): self.v, self.kids = v, kids
    def __iter__(self):
        yield self.v
        for k in self.kids: yield from k
    def fold(self, f): return f(self.v, [k.fold(f) for k in self.kids])
    def paths(self): return [[self.v]] if not self.kids else [[self.v] + p for k in self.kids for p in k.paths()]
    def map(self, f): return Tree(f(self.v), *(k.map(f) for k in self.kids))
    def __repr__(self): return f"{self.v}" + (f"({', '.join(map(repr, self.kids))})" if self.kids else "")
t = Tree(1, Tree(2, Tree(4)), Tree(3))
print(t, t.fold(lambda v, ks: v + sum(ks)), t.fold(lambda v, ks: 1 + max(ks, default=0)), t.paths(), t.map(lambda v: v * 10), list(t))
