"""Writes special.txt from CPython 3.11: results at special arguments, kept
where no rounding is involved (zeros, infinities, NaN, errors, small integers),
and fsum.txt: sums of random lists."""
import math, random, struct, sys

assert sys.version_info[:2] == (3, 11)

def bits(x):
    return "%016x" % struct.unpack(">Q", struct.pack(">d", x))[0]

inf, nan = math.inf, math.nan
args = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5, 1.5, -1.5, inf, -inf, nan, 5e-324, -5e-324, 1e-310, 1.7976931348623157e308,
        -1.7976931348623157e308, 1e300, -1e300, 4.0, 8.0, 27.0, -8.0, 1000.0, -1000.0, 1023.0, 1024.0, -1022.0, -1074.0, -1075.0, -1076.0, 709.0, 710.0, 171.0, 172.0, 1e22, 100.0, 1e15]
unary = "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt erf erfc gamma lgamma".split()

def call(name, *a):
    try:
        r = getattr(math, name)(*a)
    except ValueError:
        return "domain"
    except OverflowError:
        return "range"
    exact = r != r or r in (0.0, inf, -inf) or (r == int(r) and abs(r) < 2**53) or abs(math.frexp(r)[0]) == 0.5
    return bits(r) if exact else None

with open("special.txt", "w") as out:
    for name in unary:
        for x in args:
            r = call(name, x)
            if r:
                print(name, bits(x), r, file=out)
    for name in ("pow", "atan2", "hypot", "fmod", "remainder", "copysign", "nextafter"):
        for x in args:
            for y in args:
                r = call(name, x, y)
                if r:
                    print(name, bits(x), bits(y), r, file=out)

rng = random.Random(5)
with open("fsum.txt", "w") as out:
    for n in range(300):
        k = rng.randrange(1, 12)
        xs = [rng.uniform(-1, 1) * 2.0 ** rng.randrange(-rng.choice([5, 60, 1000]), rng.choice([5, 60, 1000])) for _ in range(k)]
        if n % 3 == 0:
            xs += [-x for x in xs[: rng.randrange(k)]] + [rng.choice([5e-324, 1e-310, 1.0, -0.0])]
        if n % 20 == 0:
            xs.append(rng.choice([inf, -inf, nan]))
        rng.shuffle(xs)
        print(bits(math.fsum(xs)), *map(bits, xs), file=out)
