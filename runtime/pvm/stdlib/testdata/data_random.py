# Random documents, packed structures, formatted numbers and combinations of iterators.
import itertools
import json
import math
import struct

SEED, ROUNDS = 5, 150


class Stream:
    def __init__(self, seed):
        self.state = seed * 2862933555777941757 + 3037000493

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (self.state >> 20) % n

    def pick(self, items):
        return items[self.below(len(items))]


def number(rng):
    kind = rng.below(7)
    if kind == 0:
        return rng.below(2 ** (1 + rng.below(40))) - 2 ** rng.below(38)
    if kind == 1:
        return struct.unpack(">d", struct.pack(">Q", rng.below(2 ** 44) << 20 | rng.below(2 ** 20)))[0]
    if kind == 2:
        return rng.pick([0.0, -0.0, 1.5, 1e16, 1e-7, 123456789.125, 0.1, 1e22, 5e-324, 1.7976931348623157e308, float("inf"), -float("inf"), float("nan")])
    if kind == 3:
        return rng.below(1000) / 8
    if kind == 4:
        return -rng.below(10 ** (1 + rng.below(12)))
    return rng.below(10 ** 9) / 10 ** rng.below(15)


def text(rng):
    return "".join([rng.pick(['a', 'b', '"', "\\", "/", "\n", "\t", "\x00", "\x7f", "é", "\u2028", "😀", " ", "1"]) for _ in range(rng.below(8))])


def document(rng, depth):
    kind = rng.below(9)
    if depth and kind < 2:
        return [document(rng, depth - 1) for _ in range(rng.below(4))]
    if depth and kind < 4:
        return {rng.pick([text(rng), text(rng), rng.below(5), 1.5, None, True]): document(rng, depth - 1) for _ in range(rng.below(4))}
    if kind == 4:
        return rng.pick([None, True, False])
    if kind < 7:
        return text(rng)
    return number(rng)


def attempt(label, f):
    try:
        print(label, repr(f()))
    except Exception as e:
        print(label, type(e).__name__, e)


def damage(rng, s):
    at = rng.below(len(s) + 1)
    return s[:at] + rng.pick(["", "x", ",", "]", "}", '"', "\\", " ", "1", "-", ".", "e", "\n", "NaN"]) + s[at + rng.below(2):]


SPECS = ["", "d", "f", "e", "g", "%", ".3f", ".0f", "10.2e", "+g", "<12", "^+12.1f", "=+12", "012.3f", ",", "_", ",.2f", "#x", "b", "o", "n", "c", "#.3g", "z", ".20f", "s", "*>20.6G"]
CODES = "bBhHiIlLqQfdnN?xcsp"

rng = Stream(SEED)
for turn in range(ROUNDS):
    doc = document(rng, 3)
    s = json.dumps(doc, sort_keys=False, ensure_ascii=bool(rng.below(2)), separators=(", ", ": "))
    print(s)
    attempt("sorted", lambda: json.dumps(doc, sort_keys=True, ensure_ascii=True, separators=(",", ":"), indent=rng.pick([None, 2, "\t"])))
    attempt("back", lambda: json.loads(s))
    for _ in range(3):
        bad = damage(rng, s)
        attempt("bad %r" % bad, lambda: json.loads(bad))
    order = rng.pick("<>=!@")
    codes = "".join([rng.pick(["", "", "2", "3"]) + rng.pick(CODES) for _ in range(1 + rng.below(4))])
    attempt("size " + order + codes, lambda: struct.calcsize(order + codes))
    values = [rng.pick([number(rng), rng.below(200), True, b"a", b"xyz"]) for _ in range(rng.below(6))]
    attempt("pack %r" % values, lambda: struct.pack(order + codes, *values))
    data = bytes([rng.below(256) for _ in range(rng.below(30))])
    attempt("unpack %r" % data, lambda: struct.unpack_from(order + codes, data))
    x = number(rng)
    for _ in range(4):
        spec = rng.pick(SPECS)
        attempt("format %r %s" % (x, spec), lambda: format(x, spec))
    attempt("percent", lambda: rng.pick(["%d", "%5.2f", "%-10s|", "%+e", "%x", "%#o", "%g", "%r", "%08.3f", "%c", "% d"]) % x)
    attempt("parts", lambda: (math.frexp(x), math.modf(x), math.floor(x), math.trunc(x)))
    attempt("integral", lambda: (round(x), round(x, 2), round(x, -1), float(x).hex(), float(x).as_integer_ratio()))
    a, b = rng.below(2 ** 40) - 2 ** 39, rng.below(2 ** 20) + 1
    attempt("ints", lambda: (math.gcd(a, b), math.lcm(a, b), math.isqrt(abs(a)), math.comb(rng.below(30), rng.below(30)), math.perm(rng.below(20), rng.below(20))))
    pool = [rng.below(4) for _ in range(rng.below(6))]
    attempt("combine", lambda: (list(itertools.combinations(pool, rng.below(4))), list(itertools.permutations(pool, rng.below(3))), list(itertools.product(pool, repeat=rng.below(3))),
                                list(itertools.combinations_with_replacement(pool, rng.below(3)))))
    attempt("cut", lambda: (list(itertools.islice(pool, rng.below(4), rng.below(8), 1 + rng.below(3))), [(k, list(g)) for k, g in itertools.groupby(pool, lambda v: v // 2)],
                            list(itertools.zip_longest(pool, pool[1:], fillvalue=0)), list(itertools.accumulate(pool)), list(itertools.pairwise(pool))))
