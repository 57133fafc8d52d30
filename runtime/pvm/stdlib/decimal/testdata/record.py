"""Writes operations.txt from CPython 3.11's decimal, default context without
traps: lines "operation operand... = result flags", where flags names those of
InvalidOperation (I), DivisionByZero (Z) and Overflow (O) that were set."""
import decimal, random, sys
from decimal import *

assert sys.version_info[:2] == (3, 11)
rng = random.Random(54)
ctx = Context(prec=28, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=[], traps=[])
setcontext(ctx)

special = ["0", "-0", "1", "-1", "Infinity", "-Infinity", "NaN", "-NaN123", "sNaN", "sNaN7", "0E+10", "-0E-7", "1E+999999", "9.99E+999999", "1E-999999",
           "1E-1000026", "9E-1000027", "0E-2000000", "2", "10", "0.1", "3", "0.5", "100", "1.000", "1E+5", "99999999999999999999999999999", "1E-28", "123456789.123456789"]

def digits(n):
    return "".join(rng.choice("0123456789") for _ in range(n))

def number():
    k = rng.randrange(12)
    if k == 0:
        return rng.choice(special)
    sign = rng.choice(["", "", "-"])
    if k < 5:
        return sign + str(rng.randrange(10 ** rng.randrange(1, 8))) + rng.choice(["", ".", "." + digits(rng.randrange(1, 6))])
    if k < 8:
        return sign + digits(rng.randrange(1, 30)) + "." + digits(rng.randrange(0, 30))
    if k == 8:
        return sign + digits(rng.randrange(1, 40)) + "E" + str(rng.randrange(-60, 60))
    if k == 9:
        return sign + digits(rng.randrange(1, 10)) + "E" + str(rng.choice([-1, 1]) * rng.randrange(999900, 1000030))
    if k == 10:
        return sign + rng.choice(["5", "15", "25", "49", "50", "51", "999999999"]) + "0" * rng.randrange(30) + rng.choice(["", "1", "5", "9"]) + "E-%d" % rng.randrange(40)
    return sign + rng.choice(["1", "2", "5", "1.0", "4", "8", "125", "1.50"]) + "E%d" % rng.randrange(-5, 6)

def moderate():
    return rng.choice(["", "-"]) + str(rng.randrange(10 ** rng.randrange(1, 4))) + rng.choice(["", "." + digits(rng.randrange(1, 30))])

def small():
    return rng.choice(["", "-"]) + str(rng.randrange(60))

roundings = [ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_05UP]

def show(r):
    if isinstance(r, tuple):
        return " ".join(map(show, r))
    return str(r)

def line(out, name, args, f):
    ctx.clear_flags()
    try:
        r = f(*[Decimal(a) if isinstance(a, str) and a not in roundings else a for a in args])
    except (ValueError, OverflowError, TypeError) as e:
        return
    flags = "".join(c for c, s in (("I", InvalidOperation), ("Z", DivisionByZero), ("O", Overflow)) if ctx.flags[s])
    print(name, *args, "=", show(r), flags or "-", file=out)

binary = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "quo": lambda x, y: x / y, "quoint": lambda x, y: x // y,
    "rem": lambda x, y: x % y, "divmod": lambda x, y: divmod(x, y), "remnear": lambda x, y: x.remainder_near(y), "max": lambda x, y: x.max(y),
    "min": lambda x, y: x.min(y), "maxmag": lambda x, y: x.max_mag(y), "minmag": lambda x, y: x.min_mag(y), "compare": lambda x, y: x.compare(y),
    "comparesignal": lambda x, y: x.compare_signal(y), "comparetotal": lambda x, y: x.compare_total(y), "comparetotalmag": lambda x, y: x.compare_total_mag(y),
    "nexttoward": lambda x, y: x.next_toward(y), "samequantum": lambda x, y: Decimal(int(x.same_quantum(y)))}
unary = {
    "plus": lambda x: +x, "neg": lambda x: -x, "abs": lambda x: abs(x), "sqrt": lambda x: x.sqrt(), "exp": lambda x: x.exp(), "ln": lambda x: x.ln(),
    "log10": lambda x: x.log10(), "reduce": lambda x: x.normalize(), "logb": lambda x: x.logb(), "nextplus": lambda x: x.next_plus(),
    "nextminus": lambda x: x.next_minus(), "class": lambda x: x.number_class(), "eng": lambda x: x.to_eng_string(), "str": lambda x: x}

with open("operations.txt", "w") as out:
    for name, f in binary.items():
        for _ in range(160):
            line(out, name, (number(), number()), f)
        for _ in range(60):
            line(out, name, (moderate(), moderate()), f)
        for a in special[:14]:
            for b in special[:8]:
                line(out, name, (a, b), f)
    for name, f in unary.items():
        for _ in range(120):
            line(out, name, (number(),), f)
        for _ in range(120):
            line(out, name, (moderate(),), f)
        for a in special:
            line(out, name, (a,), f)
        for a in ("1.0000000000000000000000000000000000000001", "0.9999999999999999999999999999999999", "1E-40", "-1E-40", "-1E-29", "1E-29", "5E-29", "2302585.09", "2302583", "-2302600", "-2302650"):
            line(out, name, (a,), f)
    for _ in range(250):
        line(out, "quantize", (number(), number(), rng.choice(roundings)), lambda x, y, m: x.quantize(y, rounding=m))
        line(out, "quantize", (moderate(), "1E%d" % rng.randrange(-8, 3), rng.choice(roundings)), lambda x, y, m: x.quantize(y, rounding=m))
        line(out, "tointegral", (moderate(), rng.choice(roundings)), lambda x, m: x.to_integral_value(rounding=m))
        line(out, "tointegral", (number(), rng.choice(roundings)), lambda x, m: x.to_integral_value(rounding=m))
        line(out, "fma", (number(), number(), number()), lambda x, y, z: x.fma(y, z))
        line(out, "fma", (moderate(), moderate(), moderate()), lambda x, y, z: x.fma(y, z))
        line(out, "scaleb", (number(), small()), lambda x, y: x.scaleb(y))
        line(out, "shift", (number(), small()), lambda x, y: x.shift(y))
        line(out, "rotate", (number(), small()), lambda x, y: x.rotate(y))
        bits = lambda: "".join(rng.choice("01") for _ in range(rng.randrange(1, 34)))
        for name in ("logical_and", "logical_or", "logical_xor"):
            line(out, name, (rng.choice([bits(), bits(), number()]), bits()), lambda x, y: getattr(x, name)(y))
        line(out, "logical_invert", (rng.choice([bits(), bits(), number()]),), lambda x: x.logical_invert())
        line(out, "pow", (number(), number()), lambda x, y: x ** y)
        line(out, "pow", (moderate(), small()), lambda x, y: x ** y)
        line(out, "pow", (str(rng.randrange(20)), small()), lambda x, y: x ** y)
        line(out, "pow", (moderate().lstrip("-"), moderate()), lambda x, y: x ** y)
        line(out, "pow", (str(rng.randrange(1, 30) ** rng.randrange(1, 5)), rng.choice(["0.5", "0.25", "1.5", "-0.5", "0.125", "2.5", "-1.25"])), lambda x, y: x ** y)
        line(out, "pow", (rng.choice(["1", "1.0", "1.00", "1E0", "10", "100", "1E+3", "0.1", "1E-20"]), rng.choice([small(), moderate(), "0.5", "1000000", "-1E10", "Infinity", "1E-400"])), lambda x, y: x ** y)
        line(out, "powmod", (small(), str(rng.randrange(100)), str(rng.randrange(1, 10 ** rng.randrange(1, 12)))), lambda x, y, z: pow(x, y, z))
        line(out, "powmod", (number(), number(), number()), lambda x, y, z: pow(x, y, z))
    for a in special[:14]:
        for b in special[:20]:
            line(out, "pow", (a, b), lambda x, y: x ** y)
