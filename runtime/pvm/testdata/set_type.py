# set and frozenset; printed sorted, because the order of iteration is ours.
def show(*xs): print(*[type(x).__name__ + str(sorted(x, key=repr)) if isinstance(x, (set, frozenset)) else x for x in xs])
s = {3, 1, 2, 1}
s.add(4); s.add(1); s.discard(9); s.discard(3); s.remove(2)
show(s, len(s), 1 in s, 9 in s, set(), set("aab"), set([1, 1.0, True]), frozenset([1, 2]), {*"ab", *[1]}, {x % 3 for x in range(10)}, bool(set()), bool({0}))
a, b = {1, 2, 3, 4}, {3, 4, 5}
show(a | b, a & b, a - b, b - a, a ^ b, a.union(b, [9], "x"), a.intersection(b, [3]), a.difference([1], {2}), a.symmetric_difference([1, 7]))
show(a < b, a <= a, a < a, {1} < a, a > {1}, a >= {1, 2, 3, 4}, a == {4, 3, 2, 1}, a != b, a.issubset(range(10)), a.issuperset([1]), a.isdisjoint({9}), {1} == frozenset([1]))
c = set(a); c |= {9}; c &= {1, 2, 9}; c -= {1}; c ^= {2, 7}
show(c)
c.update([1], "ab"); c.intersection_update({1, 9, "a"}); c.difference_update([9]); c.symmetric_difference_update({"a", "z"})
show(c, c.copy() == c, c.copy() is c, c.clear(), c)
f = frozenset("abc")
show(f, f | {"d"}, {"d"} | f, type({"d"} | f), type(f | {"d"}), f - {"a"}, f & "ab" if False else f & set("ab"), hash(f) == hash(frozenset("cba")), {f: 1}[frozenset("bca")], f.copy() is f, {frozenset()} == {frozenset()}, frozenset() == set())
for g in (lambda: {[]}, lambda: {1}.remove(2), lambda: set().pop(), lambda: set(5), lambda: {1} + {2}, lambda: {1} | [2], lambda: hash({1}), lambda: {1}[0], lambda: frozenset().add(1), lambda: {1} < [1], lambda: {1}.foo, lambda: {{1}}, lambda: {1}.intersection(5), lambda: {1}.update(None)):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__, e)
try:
    for x in a: a.add(x + 100)
except RuntimeError as e:
    print(e)
print(sorted(set("hello")), sum({1, 2, 3}), max({5, 2}), min(frozenset([4, 8])), len({(1, 2), (1, 2), (2, 1)}), {1: 2}.keys() | {3} == {1, 3}, set() == set(), {1, 2} == {2, 1, 1}, repr(set()), repr(frozenset()), repr({1}), repr(frozenset({"x"})), str({(1,)}))
x = {1, 2}.pop()
print(x in (1, 2), {1}.pop(), sorted({1, "a", 2.5}, key=str), any({0}), all({1, 2}), [*{7}], list({"only"}), tuple({5}), 1.0 in {1}, True in {1}, "1" in {1})
class S(set):
    def __contains__(self, x): return "always"
t = S([1])
print(5 in t, isinstance(t, set), type(t | {2}), type(t.copy()), len(t), t == {1}, repr(S([1])), repr(S()))
e = {1, 2, 3}
while e: e.pop()
print(e, {1, 2} - {2}, {1} | set(), {1} & {2}, {1} & {1}, set([None]), {None, None}, {()}, {1} <= {1}, {2} >= set(), set() < {1})
