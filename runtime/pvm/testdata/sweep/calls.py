# What TestSweep calls, and with what: CALLS are pairs of a name and a callable,
# VALUES triples of a name, a function that makes the value and whether calls may
# change it. The sizes are those of the contents in bytes.
import abc, collections, dataclasses, decimal, enum, functools, hashlib, itertools, json, math, re, struct, typing

SIZES = (1, 64, 4096, 262144)


class Plain:
    pass


class Named:
    "An object with methods for everything that is asked of it."

    def __init__(self, n=0):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError
        return i

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return False


def grown(n):
    "A value of n bytes of every type that can have contents."
    few = n // 16 + 1
    text = "ab" * (n // 2) + "c"
    long_name = type(text, (), {})
    nested = []
    for _ in range(min(few, 300)):
        nested = [nested]
    group = ValueError(text)
    for _ in range(min(few, 200)):
        group = ExceptionGroup(text[:9], [group])
    chain = ValueError(text)
    for _ in range(min(few, 5000)):
        link = ValueError("x")
        link.__context__ = chain
        chain = link
    bits = min(n * 8, 4000)
    deep = (int,)
    for _ in range(min(few, 250)):
        deep = (deep, str)
    return [
        ("str", lambda: text, False),
        ("str digits", lambda: "1" * n, False),
        ("str blanks", lambda: " " * n, False),
        ("str wide", lambda: "é€😀" * (n // 3 + 1), False),
        ("str lone", lambda: "\ud800" * (n // 3 + 1), False),
        ("str percent", lambda: "%s" * few, False),
        ("str braces", lambda: "{}" * few, False),
        ("str spec", lambda: ">" + str(n), False),
        ("str commas", lambda: "a," * (n // 2 + 1), False),
        ("str parens", lambda: "(" * n, False),
        ("bytes", lambda: b"ab" * (n // 2) + b"c", False),
        ("bytes high", lambda: b"\xff" * n, False),
        ("bytearray", lambda: bytearray(n), True),
        ("memoryview", lambda: memoryview(bytes(n)), False),
        ("memoryview of steps", lambda: memoryview(bytes(n))[::-2], False),
        ("int", lambda: 1 << bits, False),
        ("int odd", lambda: (1 << bits) - 1, False),
        ("int negative", lambda: -(1 << bits) + 1, False),
        ("int small", lambda: n, False),
        ("list", lambda: list(range(few)), True),
        ("list of texts", lambda: [text[:9] + str(i) for i in range(few)], True),
        ("list of text", lambda: [text] * 4, True),
        ("list of big ints", lambda: [1 << bits] * 4, True),
        ("list of pairs", lambda: [(i, i) for i in range(few)], True),
        ("list of lists", lambda: [[] for _ in range(few)], True),
        ("list of objects", lambda: [Named() for _ in range(few)], True),
        ("list nested", lambda: nested, False),
        ("tuple", lambda: tuple(range(few)), False),
        ("tuple of types", lambda: (int, str) * few, False),
        ("tuple of classes", lambda: (long_name,) * few, False),
        ("tuple nested", lambda: deep, False),
        ("dict", lambda: dict.fromkeys(range(few)), True),
        ("dict of names", lambda: {"k" + str(i): i for i in range(few)}, True),
        ("dict of text", lambda: {text: text}, True),
        ("set", lambda: set(range(few)), True),
        ("frozenset", lambda: frozenset(map(str, range(few))), False),
        ("range", lambda: range(n), False),
        ("slice", lambda: slice(0, n, 2), False),
        ("iterator", lambda: iter(list(range(few))), True),
        ("generator", lambda: (i for i in range(few)), True),
        ("map", lambda: map(str, range(few)), True),
        ("dict view", lambda: dict.fromkeys(range(few)).items(), False),
        ("class", lambda: long_name, False),
        ("instance", lambda: long_name(), False),
        ("object", lambda: Named(few), False),
        ("exception", lambda: ValueError(text), False),
        ("key error", lambda: KeyError(text), False),
        ("exception group", lambda: group, False),
        ("exception chain", lambda: chain, False),
        ("deque", lambda: collections.deque(range(few)), True),
        ("decimal", lambda: decimal.Decimal("1" * min(n, 1000)), False),
        ("alias", lambda: list[(int,) * few], False),
    ]


VALUES = []
for size in SIZES:
    for name, make, mutable in grown(size):
        VALUES.append((name + " " + str(size), make, mutable))
VALUES += [
    ("none", lambda: None, False),
    ("true", lambda: True, False),
    ("zero", lambda: 0, False),
    ("minus", lambda: -1, False),
    ("huge", lambda: 2**62, False),
    ("float", lambda: 1.5, False),
    ("float huge", lambda: 1e308, False),
    ("float tiny", lambda: 5e-324, False),
    ("nan", lambda: math.nan, False),
    ("complex", lambda: 1 + 2j, False),
    ("function", lambda: grown, False),
    ("identity", lambda: lambda *a: a, False),
    ("type", lambda: type, False),
    ("int type", lambda: int, False),
    ("str type", lambda: str, False),
    ("error type", lambda: ValueError, False),
    ("method", lambda: "x".join, False),
    ("letter", lambda: "s", False),
    ("encoding", lambda: "utf-8", False),
    ("byte", lambda: b"a", False),
    ("empty", lambda: "", False),
    ("nothing", lambda: (), False),
    ("plain", lambda: Plain(), False),
    ("module", lambda: math, False),
    ("pattern", lambda: re.compile("(a+)+b"), False),
    ("hash", lambda: hashlib.sha256(), False),
    ("partial", lambda: functools.partial(max, 1), False),
    ("property", lambda: property(len), False),
    ("coroutine frame", lambda: (lambda: (yield))(), True),
]

CALLS = []
seen = set()


def add(name, f):
    if callable(f) and (id(f), name.rpartition(".")[2]) not in seen:
        seen.add((id(f), name.rpartition(".")[2]))
        CALLS.append((name, f))


def add_type(name, t):
    if ("type", id(t)) in seen:
        return
    seen.add(("type", id(t)))
    add(name, t)
    for attr in sorted(vars(t)):
        found = vars(t)[attr]
        if isinstance(found, (classmethod, staticmethod)):
            found = getattr(t, attr)
        if attr.startswith("__") and not callable(found):
            continue
        if callable(found):
            add(name + "." + attr, found)
        elif hasattr(type(found), "__get__"):
            add(name + "." + attr, lambda v, attr=attr: getattr(v, attr))


for value in [make() for _, make, _ in VALUES if _ is not None]:
    add_type(type(value).__name__, type(value))
    try:
        add_type(type(iter(value)).__name__, type(iter(value)))
    except TypeError:
        pass
for module in (abc, collections, dataclasses, decimal, enum, functools, hashlib, itertools, json, math, re, struct, typing):
    for attr in sorted(dir(module)):
        found = getattr(module, attr)
        if attr in ("print", "breakpoint", "exit", "quit", "input"):
            continue
        if isinstance(found, type):
            add_type(module.__name__ + "." + attr, found)
        elif callable(found):
            add(module.__name__ + "." + attr, found)

for found in (
    ArithmeticError, AssertionError, AttributeError, BaseException, BaseExceptionGroup, BlockingIOError,
    BrokenPipeError, BufferError, BytesWarning, ChildProcessError, ConnectionAbortedError, ConnectionError,
    ConnectionRefusedError, ConnectionResetError, DeprecationWarning, EOFError, EncodingWarning, Exception,
    ExceptionGroup, FileExistsError, FileNotFoundError, FloatingPointError, FutureWarning, GeneratorExit, ImportError,
    ImportWarning, IndentationError, IndexError, InterruptedError, IsADirectoryError, KeyError, KeyboardInterrupt,
    LookupError, MemoryError, ModuleNotFoundError, NameError, NotADirectoryError, NotImplementedError, OSError,
    OverflowError, PendingDeprecationWarning, PermissionError, ProcessLookupError, RecursionError, ReferenceError,
    ResourceWarning, RuntimeError, RuntimeWarning, StopAsyncIteration, StopIteration, SyntaxError, SyntaxWarning,
    SystemError, SystemExit, TabError, TimeoutError, TypeError, UnboundLocalError, UnicodeDecodeError,
    UnicodeEncodeError, UnicodeError, UnicodeTranslateError, UnicodeWarning, UserWarning, ValueError, Warning,
    ZeroDivisionError, abs, all, any, ascii, bin, bool, bytearray, bytes, callable, chr, classmethod, complex, delattr,
    dict, dir, divmod, enumerate, filter, float, format, frozenset, getattr, globals, hasattr, hash, hex, id, int,
    isinstance, issubclass, iter, len, list, locals, map, max, memoryview, min, next, object, oct, ord, pow, property,
    range, repr, reversed, round, set, setattr, slice, sorted, staticmethod, str, sum, super, tuple, type, vars, zip,
    __import__, aiter, anext,
):
    (add_type if isinstance(found, type) else add)(found.__name__, found)


def keywords(f, d):
    return f(**d)


def arguments(f, a):
    return f(*a)


def unpack(v):
    a, b = v


def unpack_star(v):
    a, *b = v


def unpack_last(v):
    *a, b = v


def matched(v, w):
    match v:
        case {"k1": a, **rest}:
            return rest
        case [a, *rest]:
            return rest
        case str() | int():
            return w


def caught(v, t):
    try:
        raise v
    except t:
        pass


def caught_star(v, t):
    try:
        raise v
    except* t:
        pass


def raised_from(v, w):
    try:
        raise v from w
    except Exception as e:
        return e


def handled(v):
    try:
        raise v
    except Exception:
        try:
            raise KeyError(1)
        except KeyError as e:
            return e


def entered(v):
    with v:
        pass


def looped(v):
    for _ in v:
        pass


def subclass(v):
    class C(v):
        pass


def decorated(v, w):
    @v
    def f(a=w):
        pass


def lent(v, name):
    v.attribute = name
    return v.attribute


def deleted(v, k):
    del v[k]


def stored(v, k, w):
    v[k] = w


def sliced_into(v, k, w):
    v[k:] = w


def extended(v, w):
    v += w
    return v


def multiplied(v, w):
    v *= w
    return v


def told(e):
    return str(e), repr(e), e.args


def refused(f, *a):
    try:
        f(*a)
    except Exception as e:
        return str(e)


CALLS += [
    ("op " + f.__name__, f)
    for f in (
        keywords, arguments, unpack, unpack_star, unpack_last, matched, caught, caught_star, raised_from, handled, entered, looped,
        subclass, decorated, lent, deleted, stored, sliced_into, extended, multiplied, told, refused,
    )
]
CALLS += [
    ("op +", lambda a, b: a + b), ("op -", lambda a, b: a - b), ("op *", lambda a, b: a * b), ("op /", lambda a, b: a / b),
    ("op //", lambda a, b: a // b), ("op %", lambda a, b: a % b), ("op **", lambda a, b: a ** b), ("op @", lambda a, b: a @ b),
    ("op &", lambda a, b: a & b), ("op |", lambda a, b: a | b), ("op ^", lambda a, b: a ^ b), ("op <<", lambda a, b: a << b),
    ("op >>", lambda a, b: a >> b), ("op ==", lambda a, b: a == b), ("op <", lambda a, b: a < b), ("op in", lambda a, b: a in b),
    ("op is", lambda a, b: a is b), ("op []", lambda a, b: a[b]), ("op [:]", lambda a, b: a[b:]), ("op [::]", lambda a, b: a[::b]),
    ("op neg", lambda a: -a), ("op ~", lambda a: ~a), ("op not", lambda a: not a), ("op f", lambda a: f"{a}"),
    ("op f!r", lambda a: f"{a!r}"), ("op f:", lambda a, b: f"{a:{b}}"), ("op [*]", lambda a, b: [*a, *b]),
    ("op {*}", lambda a: {*a}), ("op {**}", lambda a, b: {**a, **b}), ("op ()", lambda f, *a: f(*a)), ("op [for]", lambda v: [x for x in v]),
    ("op {}", lambda a, b: {a: b, b: a}), ("op {,}", lambda a, b: {a, b}), ("op .", lambda a: a.no_such_attribute),
    ("op yield from", lambda v: list((lambda: (yield from v))())),
]
