# Values that iterators give one by one and all at once, where containers change meanwhile, and operators whose operands are of the rarer kinds.
def attempt(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__, str(e)


def stepped(it):
    out = []
    it = iter(it)
    while True:
        try:
            out.append(next(it))
        except StopIteration:
            return out


things = {
    "latin": "\xe9>12", "latin long": "\xe9" * 70, "wide": "a\u20ac\U0001f600b", "wide long": "ab\u20ac" * 30, "surrogate": "\ud800xx", "ascii": "abc" * 30,
    "empty": "", "bytes": b"\x00\xffab", "bytearray": bytearray(b"xyz"), "no bytes": b"", "view": memoryview(b"\x01\x02\xfe\xff"),
    "shorts": memoryview(b"\x01\x02\xfe\xff").cast("h"), "every other": memoryview(b"abcdef")[::2], "backwards": memoryview(b"abcdef")[::-1],
    "no view": memoryview(b""), "longs": memoryview(b"\xff" * 16).cast("Q"), "set": {1}, "dict": {1: 2, "a": "b"}, "range": range(3, 30, 7),
}
for name, x in things.items():
    again = [stepped(x), list(x), [*x], list(tuple(x)), [y for y in x], list(iter(x)), list(map(lambda y: y, x)), list(dict(enumerate(x)).values())]
    print(name, len(again[0]), all(a == again[0] for a in again), ascii(again[0][:5]))
    half = iter(x)
    first = [y for _, y in zip(range(2), half)]
    print("  rest", ascii((first + list(half))[:4]), list(half), attempt(lambda: next(half)))

d = {i: str(i) for i in range(5)}
for view in (d, d.keys(), d.values(), d.items(), set(d), reversed(d), reversed(d.items())):
    it = iter(view)
    print(next(it), sorted(map(str, it)), list(it))


def changed(change, kind):
    d = {1: 1, 2: 2, 3: 3}
    it = iter(kind(d))
    next(it)
    change(d)
    return [x for x in it]


def swap(d):
    del d[2]
    d[9] = 9


def add(d):
    d[7] = 7


for change in (swap, add, dict.clear, lambda d: d.pop(1), lambda d: d.pop(3)):
    for kind in (lambda d: d, dict.keys, dict.values, dict.items):
        print(attempt(lambda: changed(change, kind)), attempt(lambda: sum(1 for _ in changed(change, kind))))
s = {1}
it = iter(s)
s.add(2)
print(attempt(lambda: next(it)))
b = bytearray(b"abcdef")
it = iter(b)
print(next(it), next(it))
del b[3:]
print(list(it), list(it))
b = bytearray(b"abc")
it = iter(b)
b += b"de"
print(list(it))
v = memoryview(b"abc")
it = iter(v)
print(next(it))
v.release()
print(attempt(lambda: next(it)), attempt(lambda: list(v)))
l = [1, 2, 3]
l.extend(iter(l[:2]))
print(l, [*l, *"\xe9\u20ac", *b"ab", *memoryview(b"c")])


class Shrinks:
    def __init__(self, other):
        self.other = other

    def __eq__(self, x):
        self.other.clear()
        return True


a, b = [0] * 9, [0] * 9
a[7] = Shrinks(b)
print(a == b, len(b), a != b)
nan = float("nan")
print([nan] == [nan], [0] * 8 + [nan] == [0] * 8 + [nan], [0] * 16 == [0] * 16, [0] * 16 < [0] * 15 + [1], [0] * 8 < [0] * 9)
for n in range(15, 19):
    a, b = list(range(n)), list(range(n))
    c = b[:-1] + [-1]
    print(n, a == b, a == c, a < b, a <= b, a > c, a >= b + [1], c < a, (a,) == (b,))

texts = [chr(i) for i in range(400)] + ["", "it's", 'say "x"', "both ' and \"", "\\", "a" * 64, "a" * 65, "\xe9" * 3]
print(all(repr([x]) == "[" + repr(x) + "]" for x in texts), all(repr({x: x}) == "{" + repr(x) + ": " + repr(x) + "}" for x in texts))
print([x in y for x in ("", "a", "ab", "\xe9", "\xe9a", "\u20ac") for y in ("", "a", "cab", "\xe9", "b\xe9ab", "\u20acab")])
print(["aa" in ["a", "aaa", "aa"], "aa" in ["a", "bb"], "" in ["a"], "" in ["a", ""], ["ab", "cd", "ef"].index("ef"), ["a", 1, "b"].count("b")])
print([0 / x for x in (1, -1, -5, 1 << 62, -(1 << 62), -(1 << 63), 1 << 80, -(1 << 80))], 0 / -0.5, False / -3, -3 / True, 7 / (1 << 62))
print([x in range(5) for x in (True, False, 3, 5, 2.0, 2.5, "a", None, 1 << 70)], True in range(1, 1), True in range(-1, 9, 2))
for x in ((1 << 127) - 1, -(1 << 127), (1 << 511) - 1, -(3 ** 500), 10 ** 30, 1 << 64):
    for y in ((1 << 66) - 1, 10 ** 18, -(10 ** 18), 7, -7, -(1 << 200), 3 ** 100):
        q, r = x // y, x % y
        print(q * y + r == x, (r == 0 or (r < 0) == (y < 0)) and abs(r) < abs(y), divmod(x, y) == (q, r))
import json, math
whole = [0, -1, 10, (1 << 63) - 1, -(1 << 63), 1 << 63, True, {"a": 1, "b": -2}]
print(json.loads(json.dumps(whole)) == whole, [json.dumps(x) == str(x) for x in whole[:6]])
print(json.loads("[123456789012345678, 1234567890123456789, -12345678901234567890]"))
print(math.gcd(True, 12), math.gcd(12, False), math.lcm(True, 7), [str(x) for x in (0, 9, 10, -1, -10, 1 << 62)])
from decimal import Decimal
print(Decimal("1.5") + True, Decimal("1.5") / True, False - Decimal(3), Decimal(7) == True, Decimal(1) == True, Decimal(2) > True, True * Decimal("0.10"))
