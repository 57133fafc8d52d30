#: show
def text(x):
    if type(x) in (set, frozenset):
        return type(x).__name__ + "{" + ", ".join(sorted(map(text, x))) + "}"
    if type(x) is list:
        return "[" + ", ".join(map(text, x)) + "]"
    if type(x) is tuple:
        return "(" + ", ".join(map(text, x)) + ",)"
    if type(x) is dict:
        return "{" + ", ".join([text(k) + ": " + text(v) for k, v in x.items()]) + "}"
    return repr(x)
def show(*a):
    print(*[text(x) for x in a])
def bad(e):
    print(type(e).__name__ + ":", e)
#: kept
alive = []
def kept(f):
    def make(*a, **k):
        g = f(*a, **k)
        alive.append(g)
        return g
    return make
#: Thing Pair
class Thing:
    def __init__(self, **kw):
        for k, v in kw.items():
            setattr(self, k, v)
    def __repr__(self):
        return type(self).__name__ + text(sorted(getattr(self, "__dict__", ())))
class Pair:
    __match_args__ = ("first", "second")
    def __init__(self, first, second):
        self.first = first
        self.second = second
    def __repr__(self):
        return "Pair(" + text(self.first) + ", " + text(self.second) + ")"
    def __eq__(self, other):
        return isinstance(other, Pair) and (self.first, self.second) == (other.first, other.second)
    def __lt__(self, other):
        return self.first < other.first
    def __hash__(self):
        return hash((self.first, self.second))
#: Boom
class Boom(ValueError):
    pass
#: Ctx
class Ctx:
    def __init__(self, name, swallow):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        print("enter", self.name)
        return self.name
    def __exit__(self, t, v, tb):
        print("exit", self.name, t and t.__name__, v)
        return self.swallow
#: ACtx awaitable acount run
class Step:
    def __init__(self, value):
        self.value = value
    def __await__(self):
        got = yield self.value
        return got
async def awaitable(v, boom=False):
    r = await Step(v)
    if boom:
        raise v
    return r
@kept
async def acount(n):
    for i in range(n):
        await Step(i)
        yield i
class ACtx:
    def __init__(self, name, swallow):
        self.name, self.swallow = name, swallow
    async def __aenter__(self):
        await Step(0)
        print("aenter", self.name)
        return self.name
    async def __aexit__(self, t, v, tb):
        await Step(0)
        print("aexit", self.name, t and t.__name__, v)
        return self.swallow
def run(coro):
    sent = None
    for _ in range(200):
        try:
            sent = coro.send(sent)
        except StopIteration as e:
            return e.value
    coro.close()
    return "endless"
#: drive inner
@kept
def inner(v):
    got = yield v
    yield ("inner", got)
    return (v, got)
def drive(g, values):
    out = []
    try:
        out.append(next(g))
        for v in values:
            out.append(g.send(v))
        for v, _ in zip(g, range(10)):
            out.append(v)
    except StopIteration as e:
        out.append(("returned", e.value))
    except Exception as e:
        out.append(("raised", type(e).__name__, str(e)))
    return out
#: twice tagged contextmanager_like
def twice(f):
    return lambda *a, **k: (f(*a, **k), f(*a, **k))
def tagged(tag):
    def wrap(f):
        def call(*a, **k):
            return (tag, f(*a, **k))
        return call
    return wrap
def contextmanager_like(f):
    f = kept(f)
    class Managed:
        def __init__(self, *a):
            self.gen = f(*a)
        def __enter__(self):
            return next(self.gen)
        def __exit__(self, t, v, tb):
            if t is None:
                return next(self.gen, False)
            try:
                self.gen.throw(v)
            except StopIteration as stop:
                return stop is not v
            return True
    return Managed
#: eval_order
def eval_order(a, b):
    def say(x):
        print("say", x)
        return x
    return [say(a) + say(b), say(a) < say(b) < say(a), {say(a): say(b)}, say([a])[say(0)], (lambda x, *, y: x)(say(a), y=say(b))]
#: probe
def probe(o, a):
    def store():
        o[1] = a
    def drop():
        del o[1]
    def plus():
        nonlocal o
        old = o
        o += a
        return o
    def power():
        p = o
        p **= 2
        return p
    def area():
        o.area = 5
        return o.area
    def unarea():
        del o.area
    def scope():
        with o as got:
            show("body", got)
            raise KeyError("w")
    def write():
        o.fresh = a
        return o.fresh
    def undo():
        del o.x
    def pattern():
        match o:
            case Thing(x=int(v)):
                return ("x", v)
            case [first, *_]:
                return ("seq", first)
            case {"k": v}:
                return ("map", v)
    def derive():
        class Derived(type(o), tag=1):
            pass
        return Derived.__name__
    def loop():
        return [v for v, _ in zip(o, range(9))]
    tests = [
        ("len", lambda: len(o)), ("bool", lambda: bool(o)), ("eq", lambda: o == a), ("ne", lambda: o != a),
        ("lt", lambda: o < a), ("le", lambda: o <= a), ("gt", lambda: o > a), ("ge", lambda: a >= o),
        ("add", lambda: o + a), ("radd", lambda: a + o), ("radd3", lambda: 3 + o), ("mul", lambda: o * 2),
        ("sub", lambda: o - a), ("rsub", lambda: 3 - o), ("mod", lambda: o % a), ("div", lambda: o / a),
        ("floordiv", lambda: o // a), ("and", lambda: o & a), ("or", lambda: o | a), ("matmul", lambda: o @ a),
        ("neg", lambda: -o), ("abs", lambda: abs(o)), ("inv", lambda: ~o), ("int", lambda: int(o)),
        ("float", lambda: float(o)), ("round", lambda: round(o)), ("round2", lambda: round(o, 2)),
        ("complex", lambda: complex(o)), ("bytes", lambda: bytes(o)), ("index", lambda: [1, 2, 3][o]),
        ("item", lambda: o[0]), ("slice", lambda: o[1:2]), ("key", lambda: o[a]), ("in", lambda: a in o),
        ("notin", lambda: 2 not in o), ("loop", loop), ("list", lambda: list(o)), ("star", lambda: (lambda *v: v)(*o)),
        ("unpack", lambda: (lambda p, *q: (p, q))(*o)), ("reversed", lambda: list(reversed(o))),
        ("next", lambda: next(o)), ("call", lambda: o()), ("call2", lambda: o(1, k=2)), ("str", lambda: str(o)),
        ("repr", lambda: repr(o)), ("format", lambda: format(o, ">9")), ("fstr", lambda: f"{o}|{o!r:5}"),
        ("percent", lambda: "%s %r" % (o, o)), ("join", lambda: "".join([o])), ("hash", lambda: hash(o) == hash(o)),
        ("set", lambda: len({o, o})), ("sorted", lambda: sorted([o, o])), ("max", lambda: max([o, o]) is o),
        ("value", lambda: o.value), ("attr", lambda: o.attr), ("other", lambda: (o.other, o.more)),
        ("nope", lambda: o.nope), ("lazy", lambda: (o.lazy, o.lazy)), ("stat", lambda: o.stat()),
        ("make", lambda: type(o).make(2)), ("method", lambda: o.method()), ("chain", lambda: o.chain() is o),
        ("counter", lambda: drive(o.counter(), (1, 2))), ("work", lambda: run(o.work())), ("gen", lambda: o.gen),
        ("reveal", lambda: o.reveal()), ("private", lambda: (o._private, o.__mangled)), ("flag", lambda: o.flag),
        ("store", store), ("drop", drop), ("plus", plus), ("pow", lambda: o ** 2), ("rpow", lambda: 2 ** o),
        ("ipow", power), ("pow3", lambda: pow(o, 2, 5)), ("divmod", lambda: divmod(o, a)), ("shift", lambda: o << 1),
        ("area", area), ("unarea", unarea), ("area2", lambda: o.area), ("with", scope), ("write", write), ("undo", undo),
        ("pattern", pattern), ("derive", derive), ("getitem", lambda: type(o)[3]), ("dir", lambda: [n for n in dir(o) if n[:1] != "_"]),
        ("getattr", lambda: getattr(o, "x", "none")), ("hasattr", lambda: hasattr(o, "y")),
        ("isinstance", lambda: isinstance(3, type(o))), ("x", lambda: o.x), ("sum", lambda: sum([o, o])),
        ("range", lambda: list(range(o))[:3]), ("enumerate", lambda: list(enumerate(o, 1))[:4]),
        ("map", lambda: list(map(str, o))), ("zip", lambda: list(zip(o, o))), ("dict", lambda: dict(o)),
        ("get", lambda: o.__get__(None, Thing)), ("missing", lambda: o.__missing__(1)), ("hint", lambda: o.__length_hint__()),
        ("vars", lambda: sorted(vars(o))), ("type", lambda: type(o).__mro__[-2].__name__),
    ]
    for name, test in tests:
        try:
            show(name, test())
        except Exception as e:
            print(name, end=" ")
            bad(e)
