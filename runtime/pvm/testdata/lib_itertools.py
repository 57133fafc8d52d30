# itertools.
import itertools
from itertools import *
L = list
print(L(islice(count(5), 3)), L(islice(count(1, 2.5), 3)), L(islice(cycle("ab"), 5)), L(repeat(7, 3)), L(islice(repeat("x"), 2)))
print(L(accumulate([1, 2, 3, 4])), L(accumulate([3, 1, 4], max)), L(accumulate([1, 2], initial=100)), L(accumulate("abc")), L(accumulate([])), L(accumulate([1, 2, 3], lambda a, b: a * b)))
print(L(chain([1], "ab", (2,))), L(chain.from_iterable([[1], [2, 3]])), L(chain()), L(compress("abcdef", [1, 0, 1, 0, 1])), L(dropwhile(lambda x: x < 3, [1, 2, 3, 1])), L(takewhile(lambda x: x < 3, [1, 2, 3, 1])), L(filterfalse(lambda x: x % 2, range(6))))
print([(k, L(g)) for k, g in groupby("aaabbca")], [(k, L(g)) for k, g in groupby(range(10), lambda x: x // 3)], [k for k, g in groupby([1, 1, 2])], L(groupby([])))
print(L(islice("abcdefg", 3)), L(islice("abcdefg", 2, 5)), L(islice("abcdefg", 1, None, 2)), L(islice([], 5)), L(islice("ab", 0)), L(pairwise([1, 2, 3])), L(pairwise("a")))
print(L(starmap(pow, [(2, 3), (3, 2)])), L(zip_longest([1, 2, 3], "a", fillvalue="-")), L(zip_longest()), L(product("ab", [1, 2])), L(product([0, 1], repeat=2)), L(product()), L(product("a", [])))
print(L(permutations([1, 2, 3])), L(permutations("abc", 2)), L(permutations([1], 2)), L(combinations("abcd", 2)), L(combinations([1, 2], 3)), L(combinations([], 0)), L(combinations_with_replacement("ab", 2)))
a, b, c = tee([1, 2, 3], 3)
print(next(a), next(a), L(b), L(a), L(c))
for f in (lambda: islice([1], -1), lambda: L(islice([1], 1, 2, 0)), lambda: L(combinations([1], -1)), lambda: L(permutations([1], -1)), lambda: L(product([1], repeat=-1)), lambda: count("a"), lambda: L(chain(1)), lambda: tee([], -1), lambda: L(repeat(1, "x")), lambda: next(cycle([])), lambda: L(starmap(pow, [1])), lambda: L(zip_longest(1)), lambda: L(accumulate(5)), lambda: L(pairwise(5)), lambda: combinations([1])):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
it = iter([1, 2, 3, 4, 5])
print(L(takewhile(lambda x: x < 3, it)), L(it), L(islice(it := iter(range(10)), 3)), next(it), repr(count(3)), repr(repeat(1, 2)), repr(count(1, 2)), repr(repeat(5)))
def grouper(xs, n): return L(zip_longest(*[iter(xs)] * n))
def flatten(xs): return L(chain.from_iterable(xs))
def powerset(xs): return L(chain.from_iterable(combinations(xs, r) for r in range(len(xs) + 1)))
def unique(xs):
    seen = set()
    for x in filterfalse(seen.__contains__, xs): seen.add(x); yield x
def sliding(xs, n):
    its = tee(xs, n)
    for i, x in enumerate(its): next(islice(x, i, i), None)
    return L(zip(*its))
print(grouper("abcde", 2), flatten([[1], [2, [3]]]), powerset([1, 2, 3]), L(unique("abracadabra")), sliding(range(5), 3))
g = groupby([("a", 1), ("a", 2), ("b", 3)], key=lambda t: t[0])
k1, g1 = next(g)
k2, g2 = next(g)
print(k1, L(g1), k2, L(g2))
print(sum(1 for _ in permutations(range(6))), sum(1 for _ in product(range(3), repeat=5)), len(L(combinations(range(10), 4))), L(islice(permutations(range(5), 3), 10, 13)), next(dropwhile(lambda p: sum(p) != 10, product(range(6), repeat=2))))
primes = (n for n in count(2) if all(n % d for d in range(2, int(n ** 0.5) + 1)))
print(L(islice(primes, 10)), L(zip(count(), "abc")), dict(zip("ab", count(1))), L(map(lambda a, b: a * b, count(1), [3, 4])), L(takewhile(lambda x: x < 50, accumulate(count(1)))), type(chain()).__name__, isinstance(count(), type(count())))
