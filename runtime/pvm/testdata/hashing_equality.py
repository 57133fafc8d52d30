# Equality, hashing and identity of values of all kinds; keys that are equal across types.
values = [0, 0.0, False, 1, 1.0, True, "", "1", b"", b"1", (), (0,), (False,), (1, 2), (1.0, 2.0), None, ..., frozenset(), frozenset([1]), 2**64, float(2**64), -1, -2, 0.5, "é", range(0), range(3), range(0, 3, 1)]
for i, a in enumerate(values):
    for b in values[i:]:
        if a == b: assert hash(a) == hash(b), (a, b)
print([sum(1 for b in values if a == b) for a in values])
d = {}
for i, v in enumerate(values): d[v] = i
print(len(d), [d[v] for v in values], list(d)[:6])
print(hash("") == hash(b"") == 0, hash(1) == hash(True) == hash(1.0), hash(2**61 - 1), hash(-(2**61 - 1)), hash(float("inf")) == -hash(float("-inf")), hash((1, 2)) != hash((2, 1)), hash(None) == hash(None), hash(1.5) == hash(3 / 2), hash(10**30) == hash(float(10**30)) if 10**30 == float(10**30) else "differ")
a = [1, [2, 3]]
b = [1, [2, 3]]
print(a == b, a is b, a[1] is b[1], a != b, [a].index(b), a in [b], (a,) == (b,), {"k": a} == {"k": b}, [a] == [b], a == tuple(a), [] == (), {} == [], set() == {}, "a" == ["a"], 1 == "1", None == False, 0 == None, "" == None)
nan = float("nan")
print(nan == nan, nan in [nan], [nan] == [nan], (nan,) == (nan,), {nan: 1}[nan], {nan} == {nan}, [nan].index(nan), [nan].count(nan), nan != nan, max([nan, 1.0]) != max([nan, 1.0]), min([1.0, nan]))
class E:
    def __init__(self, n): self.n = n
    def __eq__(self, o): calls.append((self.n, getattr(o, "n", o))); return isinstance(o, E) and self.n % 10 == o.n % 10
    def __hash__(self): return self.n % 10
calls = []
s = {E(1), E(11), E(2)}
print(len(s), calls); calls.clear()
x = E(1)
print(x in [x], calls, x == x, calls, [x] == [x], calls, {x: 1}[x], len(calls)); calls.clear()
print(E(5) in {E(15): 1}, calls, E(5) in [1, E(5)], calls)
class NoEq: pass
p, q = NoEq(), NoEq()
print(p == p, p == q, p != q, hash(p) == hash(p), {p: 1}.get(q), p in [q, p], len({p, q, p}), (p == 1) is False)
class AlwaysEq:
    def __eq__(self, o): return True
    def __ne__(self, o): return True
ae = AlwaysEq()
print(ae == 1, 1 == ae, ae != 1, [1, 2].index(ae), [1, 2].count(ae), ae in [], ae in [0], [1, 2, 3] == [ae, ae, ae], (1,) != (ae,))
class Weird:
    def __eq__(self, o): return "truthy"
    def __bool__(self): return False
w = Weird()
print(w == 1, bool(w == 1), [w] == [2], w in [3], not w, [x for x in [w] if x])
class SubStr(str): pass
class SubInt(int):
    def __eq__(self, o): return False
    __hash__ = int.__hash__
print({SubStr("a"): 1}["a"], {"a": 1}[SubStr("a")], SubStr("a") == "a", SubInt(1) == 1, 1 == SubInt(1), SubInt(1) in [1], {1: "x"}.get(SubInt(1)), SubInt(5) != 5)
print(1 < 2 < 3, (1, 2) < (1, 2, 0), "a" < "aa" < "b", [1, [2]] < [1, [3]], (1, "a") > (1, "A"), {1} < {1, 2}, not {1} < {2}, b"a" < b"b", [] < [0], () < (0,), (0, nan) < (1, nan), True < 2, False < 0.5, -0.0 == 0.0)
for f in (lambda: [1] < (1,), lambda: {} < {}, lambda: None < None, lambda: 1 < "a", lambda: (1, "a") < (1, 2), lambda: range(1) < range(2), lambda: object() < object(), lambda: ... < ..., lambda: [None] < [None], lambda: [None, 1] < [None, 2]):
    try:
        print(f())
    except TypeError as e:
        print(e)
