print(abs(-3), abs(-2.5), all([1, 2]), all([1, 0]), any([0, 1]), any([]))
print(bin(10), oct(8), hex(255), hex(-255), chr(97), ord("a"), chr(0x1F600))
print(divmod(7, 3), divmod(-7, 3), divmod(7, -3), divmod(7.5, 2), pow(2, 10), pow(2, -1), pow(3, 4, 5), pow(3, -1, 7))
print(round(2.5), round(3.5), round(2.675, 2), round(1234, -2), round(1250, -2), round(-0.5))
print(min(3, 1, 2), max([4, 9, 2]), min("b", "a", key=ord), max([], default=7), min({"a": 1, "b": 0}, key={"a": 1, "b": 0}.get))
print(sum([1, 2, 3]), sum([0.1] * 10), sum([[1], [2]], []), sorted([3, 1, 2], reverse=True), sorted("bca"))
print(list(enumerate("ab", 1)), list(zip([1, 2], "ab")), list(map(lambda x: x + 1, [1, 2])), list(filter(None, [0, 1, 2])))
print(list(reversed([1, 2, 3])), list(reversed(range(4))), list(range(10, 0, -3)), range(5)[2], range(10)[2:8:2], len(range(0, 100, 7)))
print(isinstance(1, (str, int)), issubclass(bool, int), type(1), type("").__name__, callable(len))
print(int("42"), int("-0x1f", 16), int("0b11", 0), int(3.9), int("1_000"), float("1e3"), float("inf"), float("-nan"), bool("x"))
print(str(1), repr("a'b"), repr('a"b\n'), str(None), ascii("é"), format(3.14159, ".2f"), format(255, "#x"), format("a", ">5"))
print(hash(1) == hash(1.0), hash("a") == hash("a"), hash((1, 2)) == hash((1, 2)))
print(hash(-1), hash(2**61 - 1), hash(2**61), hash(1.5), hash((1, 2, 3)), hash(""), hash(None) == hash(None), hash(frozenset([1, 2, 3])))
print(list(iter(lambda it=iter([1, 2, 0, 3]): next(it), 0)), next(iter([]), "d"))
print(dict(a=1, b=2), dict([("x", 1)]), dict({"k": 2}, z=3), {**{"a": 1}, "b": 2})
d = {"a": 1, "b": 2, "c": 3}
print(d.pop("b"), d, d.setdefault("z", 9), d.get("q"), list(d.items()), d.popitem(), "a" in d)
d.update({"m": 1}, n=2); print(d, d | {"a": 5}, list(d), dict.fromkeys("ab", 0), d == {"n": 2, "m": 1, "c": 3, "a": 1})
print(list({1: 2}.keys() | {3: 4}.keys()), {1, 2} & {2, 3}, {1, 2} | {3}, {1, 2} - {2}, {1, 2} ^ {2, 3}, {1} < {1, 2}, {3, 1, 2} == {1, 2, 3})
s = {1, 2}; s.add(3); s.discard(9); s.remove(1); print(s, len(s), frozenset(s), s.union([7]), s.isdisjoint({9}))
l = [3, 1, 2]; l.sort(); l.insert(0, 9); l.extend("ab"); print(l, l.index(1), l.count(9), l.pop(), l.pop(0), l[::-1], l[1:], l[-1])
l[1:2] = [7, 8, 9]; print(l); del l[0]; del l[1:3]; print(l, l * 2, [1] + [2], l.copy() == l); l.reverse(); l.clear(); print(l)
print([1, 2] < [1, 3], (1, 2) == (1, 2), (1,) + (2,), (0,) * 3, (1, 2, 3)[1:], [1, [2]] == [1, [2]])
print(1 < 2 < 3, 1 < 3 < 2, 5 // 2, -5 // 2, 5 % -3, -5 % 3, 2 ** 100, 7 / 2, 1e300 * 1e10, 0.1 + 0.2, 1 / 3)
print(10 ** 20 // 3, -10 ** 20 % 7, (1 << 70) >> 68, 0xff & 0x0f | 0x30 ^ 1, ~5, not 0, 3 and 0 or "x")
print("%d %s %r %5.2f %x" % (1, "a", "b", 3.14159, 255), "{} {1}".format if False else "{0} {x:>4}".format(1, x="q"))
print("a" * 3, "abc"[1], "abc"[::-1], "b" in "abc", "x".join(["a", "b"]), "a,b".split(","), " x ".strip(), "Ab".lower(), "abc".find("c"))
print(b"abc"[0], b"abc"[1:], bytes([1, 2]), b"a" + b"b", bytearray(b"xy"), b"ab".hex(), bytes.fromhex("0aff"), "é".encode(), b"\xc3\xa9".decode())
print((10).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), (-1).to_bytes(2, "big", signed=True), (255).bit_length())
x = 5
print(f"{x} {x!r} {x:03d} {x=} {'a':>3} {x:{x}} {3.14159:.{2}f} {{}}")
print(eval if False else type(print), Ellipsis, NotImplemented, ...)
print(1 if x else 2, [i for i in range(5) if i % 2], {i: i * i for i in range(3)}, {i % 2 for i in range(5)})
print([(i, j) for i in range(2) for j in range(i + 1)], [[j for j in range(i)] for i in range(3)])
print(complex(1, 2) * 2j, 3j + 1, abs(3 + 4j), (1 + 2j).conjugate(), 1j ** 2)
print(sorted(k for k in vars(type("T", (), {"a": 1})) if k != "__weakref__"))
for bad in (lambda: int("x"), lambda: [1][5], lambda: {}["k"], lambda: 1 / 0, lambda: "a" + 1, lambda: len(1), lambda: None.x, lambda: [] < {},
            lambda: int([]), lambda: float("z"), lambda: chr(-1), lambda: 1(), lambda: {[]: 1}, lambda: (1).foo, lambda: "abc"[10], lambda: [1, 2, 3].index(9),
            lambda: range(0, 1, 0), lambda: next(iter([])), lambda: iter(1), lambda: 5 in 5, lambda: -"a", lambda: 1 + None, lambda: "x" * "y", lambda: max([]),
            lambda: 3 % 0, lambda: 1.0 // 0, lambda: {}.pop("a"), lambda: [].pop(), lambda: sum(["a"], ""), lambda: sorted([1, "a"]),
            lambda: print(1, foo=2), lambda: isinstance(1, 1), lambda: hash([]), lambda: "a".join([1]), lambda: set([[]]), lambda: dict([1]), lambda: zip(1), lambda: type(1, 2)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
