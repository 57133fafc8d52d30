# dict.
d = {"a": 1, "b": 2}
d["c"] = 3; d["a"] = 9; d[1] = "int"; d[1.0] = "float"; d[(1, 2)] = "tuple"; d[None] = "none"; d[True] = "bool"
print(d, len(d), d["a"], d[1], d.get("x"), d.get("x", 0), "a" in d, "x" not in d, list(d), list(d.values()), list(d.items()))
del d["b"]
d["b"] = "again"
print(d, d.pop("a"), d.pop("zz", "dflt"), d.popitem(), d.setdefault("n", []), d.setdefault("n", 5), d)
d["n"].append(1)
d.update({"u": 1}, v=2); d.update([("w", 3), ["x", 4]]); d.update(zip("yz", (5, 6))); d.update()
print(d, dict(a=1, b=2), dict([("a", 1)]), dict({"a": 1}, b=2), dict(), dict(zip("ab", [1, 2])), dict.fromkeys("abc"), dict.fromkeys([1, 2], 0), {**{"a": 1}, "b": 2, **{"a": 3}})
print({"a": 1} | {"b": 2, "a": 3}, {"a": 1} == {"a": 1.0}, {"a": 1, "b": 2} == {"b": 2, "a": 1}, {1: 2} != {1: 3}, d.copy() == d, d.copy() is d)
d |= {"or": 1}
d |= [("pair", 2)]
print(d, d.clear(), d, bool(d), bool({0: 0}))
c = {i: i * i for i in range(5)}
print(c, {v: k for k, v in c.items() if v % 2}, sum(c), max(c), sorted(c, reverse=True), list(reversed(c)), list(reversed(c.items())), [*c], {*c} == {0, 1, 2, 3, 4})
k, v, it = c.keys(), c.values(), c.items()
c[10] = 100
del c[0]
print(k, v, it, len(k), 10 in k, 100 in v, (10, 100) in it, (10, 1) in it, list(k & {1, 2, 99}), sorted(k | {7}), sorted(k - {1}), sorted(k ^ {1, 50}), k == {1, 2, 3, 4, 10}, k.isdisjoint([5]), k <= {1, 2, 3, 4, 10, 11})
print(k.mapping == c, {1: 1}.items() == {(1, 1)}, {1: 1}.keys() == {1}, {1: 1}.values() == {1: 1}.values(), sorted({"a": 1}.items() | {("b", 2)}))
for f in (lambda: {}["x"], lambda: {}[1, 2], lambda: {}.pop("x"), lambda: {}.popitem(), lambda: {[]: 1}, lambda: {}[{}], lambda: dict(5), lambda: dict([1]), lambda: dict([(1, 2, 3)]), lambda: dict(["ab", "c"]), lambda: {} < {}, lambda: {} + {},
          lambda: {}.update(5), lambda: {1: 2}.__delitem__(5), lambda: {}.foo, lambda: dict.fromkeys(5), lambda: {} | [], lambda: hash({}), lambda: {**5}, lambda: dict(**{1: 2}), lambda: {"a": 1}[["a"]]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
for change in ("add", "del"):
    try:
        e = {1: 1, 2: 2}
        for key in e:
            if change == "add": e[key + 10] = 1
            else: del e[key]
    except RuntimeError as err:
        print(err)
e = {1: 1, 2: 2}
for key in e: e[key] = 5
for key in list(e): del e[key]
print(e)
class K:
    def __init__(self, n): self.n = n
    def __hash__(self): return self.n % 3
    def __eq__(self, o): return isinstance(o, K) and self.n == o.n
    def __repr__(self): return f"K{self.n}"
h = {K(i): i for i in range(10)}
print(h, h[K(7)], K(11) in h, h.pop(K(3)), len(h), [h.get(K(i)) for i in range(5)])
class D(dict):
    def __missing__(self, key): return self.setdefault(key, key * 2)
    def __setitem__(self, k, v): super().__setitem__(k, v + 1 if isinstance(v, int) else v)
m = D(a=1)
m["b"] = 5
print(m["a"], m["b"], m["zz"], m, m.get("q"), type(m.copy()), type(m | {}), isinstance(m, dict), D.fromkeys("xy", 1))
print({"nested": {"x": [1, {"y": ()}]}}, {1: "a", "1": "b"}, {(): {}}, {"k": None}.get("k", 5), {0: "z"}[False], {2**70: 1}[2**70], str({"q": 'it\'s'}))
print(list({"b": 1, "a": 2}.items()), next(iter({"x": 1})), dict(sorted({"b": 1, "a": 2}.items())), min({"b": 1, "a": 2}, key={"b": 1, "a": 2}.get), {"a": 1}.__contains__("a"), dict(a=1).__eq__({"a": 1}), {}.__len__())
big = {i: str(i) for i in range(1000)}
for i in range(0, 1000, 2): del big[i]
for i in range(2000, 2010): big[i] = i
print(len(big), sum(big), list(big)[:5], list(big)[-3:], 501 in big, 500 in big)
a, b = {"x": 1, "y": 2}
print(a, b, *{"p": 1, "q": 2}, dict(**{"x": 1}, **{"y": 2}), {k: i for i, k in enumerate("aba")})
