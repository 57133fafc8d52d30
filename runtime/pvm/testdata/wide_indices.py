# Indices and counts beyond 32 bits.
import functools, itertools, json
from collections import deque

big = 10 ** 12
huge = 10 ** 18
print(slice(0, big, big // 10).indices(10 ** 15), slice(-big, None, -huge).indices(5), slice(None, huge).indices(huge + 1))
print([1, 2, 3][::big], [1, 2, 3][::-big], "abc"[big:], "abc"[-big:], b"abc"[:huge], (1, 2)[:-huge])
print(range(0, big, huge)[0], len(range(big)), range(huge)[big], range(huge)[big:big * 2:big], big in range(huge), range(huge).index(big))
d = deque([1, 2, 3], maxlen=big)
print(d.maxlen, repr(d), len(d))
for n in (big, -big, big + 1, 2 ** 31, 2 ** 32 + 1, huge):
    d.rotate(n)
    print(n, d)
d.insert(big, 9)
d.insert(-big, 8)
print(d)
l = [1, 2]
l.insert(big, 3)
l.insert(-big, 0)
b = bytearray(b"bc")
b.insert(big, 100)
b.insert(-big, 97)
print(l, b)
print([].index.__name__, [1, 2, 1].index(1, 1, big), [1, 2, 1].index(1, -big, huge), "aba".find("a", 1, big), "aba".rfind("a", -huge, huge), b"aba".count(b"a", -big, big))
print(list(itertools.islice([1, 2, 3, 4], 0, big, big)), list(itertools.islice([1, 2, 3], big)), list(itertools.islice([1, 2, 3], big, huge)))
it = itertools.islice([1, 2, 3], 0, None, 2 ** 62)
print(next(it), next(it, "end"))


@functools.lru_cache(maxsize=big)
def f(x):
    return x


print(f(1), f.cache_info(), f.cache_parameters())
e = UnicodeDecodeError("utf-8", b"abc", big, huge, "why")
print(e.start, e.end)
e.start = 2 ** 40
print(e.start, e.args)
e = BlockingIOError(1, "x", big)
print(e.characters_written)
e.characters_written = huge
print(e.characters_written)
print(json.JSONDecodeError("bad", "abc", big))
print([] * big, () * huge, "" * big, b"" * huge, deque() * big, [1] * -big)
for thing in ([1], (1,), "a", b"a", bytearray(b"a")):
    for n in (huge, 2 ** 60):
        try:
            print(len(thing * n))
        except (MemoryError, OverflowError) as e:
            pass
        else:
            print("made")
for n in (huge, 2 ** 62):
    for make in (lambda: "a".center(n), lambda: "a".zfill(n), lambda: b"a".ljust(n), lambda: bytes(n), lambda: (1).to_bytes(n, "big"), lambda: "%*d" % (n, 1), lambda: format(1, str(n)), lambda: [0] * n):
        try:
            make()
        except (MemoryError, OverflowError, ValueError):
            pass
        else:
            print("made")
print((2 ** 70).__index__() >> big, 0 << big, -1 >> huge, pow(2, -1, 7), round(12345, big))
print(itertools.repeat(1, big), sum(itertools.islice(itertools.repeat(2, huge), 3)))
for text, start in (("abc", big), ("abc", -big)):
    print(text.startswith("", start), text.startswith("a", start), text.index("", -big), text.count("", start))
print("a,b,c".split(",", big), "aaa".replace("a", "b", huge), "a b".rsplit(None, big), b"a,b".split(b",", huge), "x".expandtabs(5), "\t".expandtabs(0))
print(divmod(huge, big), huge.bit_length(), hash(huge), hash(2 ** 61 - 1), hash(-huge), hash((big, huge)), hash(1.5), hash("é" * 3) == hash("é" * 3))
print(memoryview(b"abc")[big:].tobytes(), memoryview(b"abc")[::2].tolist())
for i in (big, -big, huge):
    for seq in ([1], (1,), "a", b"a", deque([1]), range(3), memoryview(b"a")):
        try:
            seq[i]
        except IndexError as e:
            print(e)
