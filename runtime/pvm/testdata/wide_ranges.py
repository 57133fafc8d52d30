# Elements of ranges whose length is beyond 64 bits, near and far, and chains of iterators in every state.
import itertools

for r in (range(2**70), range(5, 2**70, 3), range(-(2**62), 2**80), range(0, -(2**70), -(2**40)), range(2**62, 2**90, 2**61), range(-7, -(2**66), -1),
          range(2**63, 2**70), range(0, 2**70, 2**64), range(-(2**63), 2**70, 2**62), range(2**70, -(2**70), -(2**63))):
    print(r[0], r[1], r[2], r[-1], r[3 % 7], list(itertools.islice(r, 4)))
    for i in (2**20, 2**31 - 1, 2**40, 2**62, 2**63 - 1):
        try:
            print(r[i])
        except IndexError as e:
            print(e)
    print(list(dict.fromkeys(itertools.islice(r, 3))))

c = itertools.chain([1, 2], (), "ab", {3: 4}, iter([5]))
print(next(c), next(c), next(c), list(c), list(c), next(c, "end"))
print(list(itertools.chain()), list(itertools.chain([])), list(itertools.chain([], [], [1])))


def raising():
    yield 1
    raise ValueError("inside")


c = itertools.chain(raising(), [2])
print(next(c))
try:
    next(c)
except ValueError as e:
    print(e)
print(list(c))
c = itertools.chain([1], 7, [2])
print(next(c))
try:
    next(c)
except TypeError as e:
    print(e)
print(list(c))
c = itertools.chain(7)
try:
    next(c)
except TypeError as e:
    print(e)
print(list(c))
c = itertools.chain.from_iterable([[1, 2], [3]])
print(next(c), list(c), list(c))
it = iter([1])
for i in range(50):
    it = itertools.chain(it)
print(list(it))


class Chain(itertools.chain):
    pass


print(list(Chain("ab", [1])), isinstance(Chain(), itertools.chain))

a, b, c = list[int], list[int], list[str]
print(a == b, a == c, a != b, a != c, a == list[int, str], dict[str, int] == dict[str, int], set[int] == frozenset[int], int | a | b | c)
print(abs(3 + 4j), abs(-0j), abs(1e200 + 1e200j))
for text in ("१२+३j", "１２", "é", "1" * 40 + "j"):
    try:
        print(complex(text))
    except ValueError as e:
        print(e)
