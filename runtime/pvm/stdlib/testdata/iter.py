import itertools
from itertools import *


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


def take(n, it):
    return list(islice(it, n))


show("accumulate", lambda: list(accumulate([1, 2, 3, 4])))
show("accumulate mul", lambda: list(accumulate([1, 2, 3, 4], lambda a, b: a * b)))
show("accumulate initial", lambda: list(accumulate([1, 2, 3], initial=100)))
show("accumulate none", lambda: list(accumulate("abc", None)))
show("accumulate empty", lambda: list(accumulate([])))
show("accumulate empty initial", lambda: list(accumulate([], initial=5)))
show("accumulate bad", lambda: list(accumulate([1, "a"])))
show("accumulate noargs", lambda: accumulate())
show("chain", lambda: list(chain("abc", [1, 2], (), {3: 4})))
show("chain iter", lambda: list(chain.from_iterable(["ab", [1]])))
show("chain bad", lambda: list(chain([1], 5)))
show("chain kw", lambda: chain(x=1))
show("combinations", lambda: list(combinations("abcd", 2)))
show("combinations 0", lambda: list(combinations("abcd", 0)))
show("combinations big", lambda: list(combinations("ab", 3)))
show("combinations neg", lambda: combinations("ab", -1))
show("combinations float", lambda: combinations("ab", 1.5))
show("cwr", lambda: list(combinations_with_replacement("abc", 2)))
show("cwr empty", lambda: list(combinations_with_replacement("", 2)))
show("cwr empty0", lambda: list(combinations_with_replacement("", 0)))
show("permutations", lambda: list(permutations("abc")))
show("permutations 2", lambda: list(permutations("abcd", 2)))
show("permutations 0", lambda: list(permutations("abc", 0)))
show("permutations big", lambda: list(permutations("ab", 3)))
show("permutations str", lambda: permutations("ab", "x"))
show("permutations neg", lambda: permutations("ab", -2))
show("product", lambda: list(product("ab", [1, 2])))
show("product rep", lambda: list(product([0, 1], repeat=3)))
show("product 2 rep", lambda: list(product("ab", "c", repeat=2)))
show("product none", lambda: list(product()))
show("product repeat 0", lambda: list(product("ab", repeat=0)))
show("product empty", lambda: list(product("ab", [])))
show("product neg", lambda: product("ab", repeat=-1))
show("product kw", lambda: product("ab", x=1))
show("compress", lambda: list(compress("abcdef", [1, 0, 1, 0, 1])))
show("compress kw", lambda: list(compress(data="abc", selectors=[True, False, True])))
show("count", lambda: take(4, count()))
show("count 5", lambda: take(3, count(5)))
show("count step", lambda: take(4, count(1, 3)))
show("count float", lambda: take(4, count(0.5, 0.25)))
show("count neg", lambda: take(4, count(step=-2)))
show("count big", lambda: take(3, count(2**63 - 2)))
show("count repr", lambda: (repr(count(3)), repr(count(1.5, 2)), repr(count(1, 1)), repr(count(0, 2))))
show("count bad", lambda: count("a"))
show("cycle", lambda: take(7, cycle("abc")))
show("cycle empty", lambda: list(cycle([])))
show("dropwhile", lambda: list(dropwhile(lambda x: x < 3, [1, 2, 3, 1, 5])))
show("takewhile", lambda: list(takewhile(lambda x: x < 3, [1, 2, 3, 1, 5])))
show("filterfalse", lambda: list(filterfalse(lambda x: x % 2, range(8))))
show("filterfalse none", lambda: list(filterfalse(None, [0, 1, "", "a", None])))
show("filterfalse kw", lambda: filterfalse(function=None, iterable=[]))
show("groupby", lambda: [(k, list(g)) for k, g in groupby("aaabbcaa")])
show("groupby key", lambda: [(k, list(g)) for k, g in groupby([1, 3, 5, 2, 4, 7], key=lambda x: x % 2)])
show("groupby keys", lambda: [k for k, g in groupby("aabbcc")])


def stale():
    groups = [g for k, g in groupby("aabb")]
    return [list(g) for g in groups]


show("groupby stale", stale)


def partial_group():
    out = []
    for k, g in groupby("aabbcc"):
        out.append((k, next(g)))
    return out


show("groupby partial", partial_group)
show("islice", lambda: list(islice("abcdefgh", 3)))
show("islice 2", lambda: list(islice("abcdefgh", 2, 6)))
show("islice 3", lambda: list(islice("abcdefgh", 1, None, 3)))
show("islice none", lambda: list(islice("abc", None)))
show("islice 0", lambda: list(islice("abc", 0)))
show("islice neg", lambda: islice("abc", -1))
show("islice bad", lambda: islice("abc", "a"))
show("islice step", lambda: islice("abc", 0, 2, 0))
show("islice start", lambda: islice("abc", "a", 2))
show("islice args", lambda: islice("abc"))


def islice_rest():
    it = iter(range(10))
    a = list(islice(it, 1, 5, 2))
    return a, list(it)


show("islice rest", islice_rest)
show("pairwise", lambda: list(pairwise("abcd")))
show("pairwise 1", lambda: list(pairwise("a")))
show("repeat", lambda: list(repeat(7, 3)))
show("repeat inf", lambda: take(3, repeat("x")))
show("repeat neg", lambda: list(repeat(1, -5)))
show("repeat repr", lambda: (repr(repeat("a")), repr(repeat("a", 2)), repr(repeat(1, times=0))))
show("repeat bad", lambda: repeat(1, "a"))
show("starmap", lambda: list(starmap(pow, [(2, 5), (3, 2), (10, 3)])))
show("starmap bad", lambda: list(starmap(pow, [5])))
show("zip_longest", lambda: list(zip_longest("abc", "xy", fillvalue="-")))
show("zip_longest none", lambda: list(zip_longest([1, 2], [3])))
show("zip_longest empty", lambda: list(zip_longest()))
show("zip_longest kw", lambda: zip_longest("ab", fill=1))


def tees():
    a, b, c = tee([1, 2, 3, 4], 3)
    first = [next(a), next(a)]
    rest = list(b)
    d, = tee(a, 1)
    return first, rest, list(a), list(c), list(d)


show("tee", tees)
show("tee 0", lambda: tee([1], 0))
show("tee neg", lambda: tee([1], -1))


class Sub(chain):
    pass


show("subclass", lambda: (list(Sub("ab", "c")), isinstance(Sub(), chain), type(Sub.from_iterable([])).__name__))


def errors():
    def gen():
        yield 1
        raise KeyError("x")
    out = []
    for f in (chain, cycle, pairwise, accumulate):
        it = f(gen())
        try:
            for v in it:
                out.append(v)
        except KeyError as e:
            out.append(repr(e))
    return out


show("errors", errors)
show("sum", lambda: sum(x * y for x, y in product(range(10), repeat=2)))
show("len hints", lambda: [repeat(1, 5).__length_hint__()])
show("names", lambda: sorted(n for n in dir(itertools) if not n.startswith("_")))
