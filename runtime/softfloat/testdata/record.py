"""Writes format.txt, round.txt and hex.txt from CPython 3.11."""
import random, struct, sys

assert sys.version_info[:2] == (3, 11)
rng = random.Random(311)

def bits(x):
    return "%016x" % struct.unpack(">Q", struct.pack(">d", x))[0]

def value(u):
    return struct.unpack(">d", struct.pack(">Q", u))[0]

edge = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.1, 0.25, 1e16, 1e15, 9999999999999998.0, 123456789012345680.0,
        1e-4, 1e-5, 0.0001234, 0.00001234, 1e22, 1e23, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
        float("inf"), float("-inf"), 999.5, 9.995, 99999.5, 0.000099995, 123456.0, 1234567.0, 2.675, 1e100, 100.0]

def draw():
    k = rng.randrange(4)
    if k == 0:
        x = value(rng.getrandbits(64))
        return x if x == x else 0.75
    if k == 1:
        return rng.randrange(-10**9, 10**9) / rng.choice([1, 2, 4, 8, 16, 100, 1000, 1024])
    if k == 2:
        return rng.uniform(-1, 1) * 10.0 ** rng.randrange(-12, 24)
    return float(rng.randrange(-10**20, 10**20))

with open("format.txt", "w") as out:
    xs = edge + [draw() for _ in range(250)]
    for x in xs:
        print("repr", bits(x), repr(x), file=out)
        for alt in "", "#":
            for kind in "eEfFgG":
                p = rng.randrange(0, 20)
                print(f"{alt}.{p}{kind}", bits(x), format(x, f"{alt}.{p}{kind}"), file=out)
        p = rng.randrange(1, 20)
        print(f".{p}_", bits(x), format(x, f".{p}"), file=out)

with open("round.txt", "w") as out:
    for x in edge + [draw() for _ in range(800)] + [1.7976931348623157e308]:
        for n in (rng.randrange(-25, 25), rng.choice([0, 1, 2, 3, -1, -308, -309, 323, 324, 400, -400, -307])):
            try:
                r = bits(round(x, n))
            except OverflowError:
                r = "overflow"
            print(n, bits(x), r, file=out)

with open("hex.txt", "w") as out:
    texts = ["0x1p0", "1", "-0x1.8p+1", "0X.8P-1", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0", "0x1.00000000000008p0",
             "0x1.000000000000080000000000001p0", "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7ffp1023", "0x1p1024", "0x1p-1074",
             "0x1p-1075", "0x1.0000001p-1075", "0x0.8p-1074", "0x3p-1075", "0x1p-99999999999", "0x0p99999999999", "0x1p99999999999",
             "inf", "-Infinity", "nan", "0x", "0x.", "", "0xg", "0x1p", "0x1p+", "1.2.3", "0x1.8p1x", "p1", "0x1_0", "ffffffffffffffffffff",
             "0x0.00000000000000000000001p100", "0x123456789abcdef01234p-300", "0x1.8", "-.f", "0xffffffffffffffff8p1000"]
    for t in texts:
        if not t:
            continue
        try:
            x = float.fromhex(t)
            print(t, bits(x), x.hex(), file=out)
        except OverflowError:
            print(t, "overflow", file=out)
        except ValueError:
            print(t, "syntax", file=out)
    for _ in range(400):
        x = draw()
        print(x.hex(), bits(x), x.hex(), file=out)
        t = "%s0x%s%x.%xp%d" % (rng.choice(["", "-", "+"]), "0" * rng.randrange(3), rng.getrandbits(rng.randrange(1, 80)),
                              rng.getrandbits(rng.randrange(1, 80)), rng.randrange(-1200, 1000))
        try:
            print(t, bits(float.fromhex(t)), file=out)
        except OverflowError:
            print(t, "overflow", file=out)
