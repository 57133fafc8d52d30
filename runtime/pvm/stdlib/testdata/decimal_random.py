from decimal import *

SEED, ROUNDS = 54, 1500


class Stream:
    """A linear congruential generator, the same on every machine."""

    def __init__(self, seed):
        self.state = seed * 2862933555777941757 + 3037000493

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (self.state >> 20) % n

    def pick(self, items):
        return items[self.below(len(items))]

    def digits(self, n):
        return "".join([str(self.below(10)) for _ in range(n)])


SPECIAL = ["0", "-0", "1", "-1", "Infinity", "-Infinity", "NaN", "-NaN123", "sNaN", "sNaN7", "0E+10", "-0E-7", "1E+999999",
           "9.99E+999999", "1E-999999", "1E-1000026", "9E-1000027", "0E-2000000", "2", "10", "0.1", "3", "0.5", "100", "1.000"]


def number(rng):
    kind = rng.below(12)
    sign = rng.pick(["", "", "-"])
    if kind == 0:
        return rng.pick(SPECIAL)
    if kind < 5:
        tail = "." + rng.digits(1 + rng.below(5)) if rng.below(2) else ""
        return sign + str(rng.below(10 ** (1 + rng.below(7)))) + tail
    if kind < 8:
        return sign + rng.digits(1 + rng.below(29)) + "." + rng.digits(rng.below(30))
    if kind == 8:
        return sign + rng.digits(1 + rng.below(39)) + "E" + str(rng.below(120) - 60)
    if kind == 9:
        return sign + rng.digits(1 + rng.below(9)) + "E" + rng.pick(["", "-"]) + str(999900 + rng.below(130))
    if kind == 10:
        return sign + rng.pick(["5", "15", "25", "49", "50", "51", "999999999"]) + "0" * rng.below(30) + rng.pick(["", "1", "5", "9"]) + "E-" + str(rng.below(40))
    return sign + rng.pick(["1", "2", "5", "1.0", "4", "8", "125", "1.50"]) + "E" + str(rng.below(11) - 5)


def moderate(rng):
    tail = "." + rng.digits(1 + rng.below(29)) if rng.below(2) else ""
    return rng.pick(["", "-"]) + str(rng.below(10 ** (1 + rng.below(3)))) + tail


def whole(rng):
    return rng.pick(["", "-"]) + str(rng.below(60))


def bits(rng):
    return "".join([str(rng.below(2)) for _ in range(1 + rng.below(33))])


ROUNDINGS = [ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_05UP]

# Kinds of operands: n any number, m a moderate one, p a positive moderate one, w a small whole one, b binary digits.
OPERATIONS = [
    ("add", "nn", lambda x, y: x + y), ("add", "mm", lambda x, y: x + y), ("sub", "nn", lambda x, y: x - y),
    ("sub", "mm", lambda x, y: x - y), ("mul", "nn", lambda x, y: x * y), ("mul", "mm", lambda x, y: x * y),
    ("div", "nn", lambda x, y: x / y), ("div", "mm", lambda x, y: x / y), ("floordiv", "nn", lambda x, y: x // y),
    ("mod", "nn", lambda x, y: x % y), ("mod", "mm", lambda x, y: x % y), ("divmod", "mm", lambda x, y: divmod(x, y)),
    ("remainder_near", "nn", lambda x, y: x.remainder_near(y)), ("max", "nn", lambda x, y: x.max(y)),
    ("min", "nn", lambda x, y: x.min(y)), ("max_mag", "mm", lambda x, y: x.max_mag(y)), ("min_mag", "mm", lambda x, y: x.min_mag(y)),
    ("compare", "nn", lambda x, y: x.compare(y)), ("compare_signal", "nn", lambda x, y: x.compare_signal(y)),
    ("compare_total", "nn", lambda x, y: x.compare_total(y)), ("compare_total_mag", "nn", lambda x, y: x.compare_total_mag(y)),
    ("order", "nn", lambda x, y: (x < y, x <= y, x == y, x != y, x > y, x >= y)), ("next_toward", "nn", lambda x, y: x.next_toward(y)),
    ("same_quantum", "nn", lambda x, y: x.same_quantum(y)), ("copy_sign", "nn", lambda x, y: x.copy_sign(y)),
    ("plus", "n", lambda x: +x), ("neg", "n", lambda x: -x), ("abs", "n", lambda x: abs(x)), ("sqrt", "n", lambda x: x.sqrt()),
    ("sqrt", "p", lambda x: x.sqrt()), ("exp", "n", lambda x: x.exp()), ("exp", "m", lambda x: x.exp()), ("ln", "n", lambda x: x.ln()),
    ("ln", "p", lambda x: x.ln()), ("log10", "n", lambda x: x.log10()), ("log10", "p", lambda x: x.log10()),
    ("normalize", "n", lambda x: x.normalize()), ("logb", "n", lambda x: x.logb()), ("next_plus", "n", lambda x: x.next_plus()),
    ("next_minus", "n", lambda x: x.next_minus()), ("number_class", "n", lambda x: x.number_class()),
    ("eng", "n", lambda x: x.to_eng_string()), ("repr", "n", lambda x: x), ("adjusted", "n", lambda x: x.adjusted()),
    ("tuple", "n", lambda x: x.as_tuple()), ("ratio", "m", lambda x: x.as_integer_ratio()), ("hash", "m", lambda x: hash(x)),
    ("float", "m", lambda x: float(x)), ("int", "m", lambda x: int(x)), ("round", "m", lambda x: round(x)),
    ("round", "mw", lambda x, y: round(x, int(y))), ("predicates", "n", lambda x: (x.is_normal(), x.is_subnormal(), x.is_signed(), x.is_zero())),
    ("fma", "nnn", lambda x, y, z: x.fma(y, z)), ("fma", "mmm", lambda x, y, z: x.fma(y, z)), ("scaleb", "nw", lambda x, y: x.scaleb(y)),
    ("shift", "nw", lambda x, y: x.shift(y)), ("rotate", "nw", lambda x, y: x.rotate(y)),
    ("logical_and", "bb", lambda x, y: x.logical_and(y)), ("logical_or", "bb", lambda x, y: x.logical_or(y)),
    ("logical_xor", "bb", lambda x, y: x.logical_xor(y)), ("logical_invert", "b", lambda x: x.logical_invert()),
    ("pow", "nn", lambda x, y: x ** y), ("pow", "mw", lambda x, y: x ** y), ("pow", "pm", lambda x, y: x ** y),
    ("powmod", "www", lambda x, y, z: pow(x, y, z)),
]
FORMATS = ["", "f", "e", "g", "E", "G", "%", "n", ".3f", ".0f", ".10e", ".5g", "+.2f", " .2f", ",.2f", "015.3f", "<20", "*^30.4f", ">+25.3e", "_^12", "=+10", "020,.1f", ".30f"]


def operand(rng, kind):
    if kind == "n":
        return number(rng)
    if kind == "m":
        return moderate(rng)
    if kind == "p":
        return moderate(rng).lstrip("-")
    if kind == "b":
        return bits(rng)
    return whole(rng)


def attempt(name, words, f):
    try:
        result = f()
    except (ArithmeticError, ValueError, TypeError) as e:
        result = type(e).__name__ + ": " + str(e)
    print(name, *words, "=", result)


def one(rng):
    choice = rng.below(len(OPERATIONS) + 4)
    if choice < len(OPERATIONS):
        name, kinds, f = OPERATIONS[choice]
        words = [operand(rng, k) for k in kinds]
        attempt(name, words, lambda: f(*[Decimal(w) for w in words]))
    elif choice == len(OPERATIONS):
        x, y, mode = number(rng), number(rng), rng.pick(ROUNDINGS)
        attempt("quantize", [x, y, mode], lambda: Decimal(x).quantize(Decimal(y), rounding=mode))
    elif choice == len(OPERATIONS) + 1:
        x, y, mode = moderate(rng), "1E" + str(rng.below(11) - 8), rng.pick(ROUNDINGS)
        attempt("quantize", [x, y, mode], lambda: Decimal(x).quantize(Decimal(y), rounding=mode))
    elif choice == len(OPERATIONS) + 2:
        x, mode = number(rng), rng.pick(ROUNDINGS)
        attempt("to_integral", [x, mode], lambda: Decimal(x).to_integral_value(rounding=mode))
    else:
        x, spec = moderate(rng), rng.pick(FORMATS)
        attempt("format", [x, spec], lambda: format(Decimal(x), spec))


rng = Stream(SEED)
for _ in range(ROUNDS):
    one(rng)
