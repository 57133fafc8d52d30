# match: all kinds of patterns.
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
    def __repr__(self): return f"P({self.x},{self.y})"
class Color: RED = 1; GREEN = "g"
def m(v):
    match v:
        case 0: return "zero"
        case 1 | 2 | 3 as n: return f"small {n}"
        case -5: return "minus five"
        case 2.5: return "float"
        case "a" | "b": return "letter"
        case b"x": return "bytes"
        case None: return "none"
        case True: return "true"
        case Color.GREEN: return "green"
        case []: return "empty list"
        case [x]: return f"one {x!r}"
        case [1, y]: return f"pair with 1: {y!r}"
        case [x, y] if x == y: return f"equal pair {x!r}"
        case (x, y): return f"pair {x!r} {y!r}"
        case ["cmd", *args]: return f"cmd {args}"
        case [first, *_, last]: return f"{first!r}..{last!r}"
        case {"type": "circle", "r": r}: return f"circle {r}"
        case {"type": t, **rest}: return f"type {t} rest {rest}"
        case {"a": {"b": [1, z]}}: return f"deep {z}"
        case {}: return f"mapping {len(v)}"
        case Point(0, 0): return "origin"
        case Point(x=0, y=yy): return f"on y at {yy}"
        case Point(xx, 0): return f"on x at {xx}"
        case Point(): return f"point {v}"
        case int(n) if n > 1000: return f"big int {n}"
        case int() | float(): return f"number {v}"
        case str(s): return f"str {s}"
        case bool(): return "bool"
        case _: return "other"
tests = [0, 1, 3, -5, 2.5, "a", b"x", None, True, False, "g", [], [5], (7,), [1, 9], [4, 4], (1, 2), ["cmd"], ["cmd", 1, 2], [1, 2, 3, 4], "cmd", {"type": "circle", "r": 3}, {"type": "sq", "s": 1}, {"a": {"b": [1, 2]}}, {}, {"q": 1},
         Point(0, 0), Point(0, 5), Point(5, 0), Point(3, 4), 5000, 50, 3.5, "hello", object, {1, 2}, range(2), b"", bytearray(b"ab"), (i for i in [])]
for t in tests: print(repr(t) if not callable(t) and "generator" not in repr(t) else "obj", "->", m(t))
def seq(v):
    match v:
        case a, b: return "two", a, b
        case a, *b: return "star", a, b
        case _: return "no"
print(seq([1, 2]), seq((1,)), seq([1, 2, 3]), seq("ab"), seq(5), seq(range(4)), seq([]))
def keys(v):
    match v:
        case {1: one, "two": two, None: n}: return one, two, n
        case {-1: x} | {2.5: x}: return x
        case {Color.RED: r}: return "red", r
        case {"k": None | 0 as k}: return "k", k
        case _: return None
print(keys({1: "a", "two": "b", None: "c"}) , keys({-1: "m"}), keys({2.5: "f"}), keys({1: "r"}), keys({"k": 0}), keys({"k": 1}))
def cls(v):
    match v:
        case int(0) | str(""): return "empty scalar"
        case list([a, b]): return "list of two", a, b
        case dict({"x": x}): return "dict x", x
        case tuple((a, *_)): return "tuple", a
        case set(): return "set"
        case float(f): return "float", f
        case Point(x=Point(a, b), y=[c, *d]): return a, b, c, d
        case Point(int(a) | str(a), _): return "typed", a
        case _: return "?"
for v in (0, "", [1, 2], {"x": 5}, (9, 8), {1}, 1.5, Point(Point(1, 2), [3, 4]), Point("s", 0), Point(None, 0)): print(cls(v))
class NoArgs: pass
class BadArgs: __match_args__ = "x"
class BadArgs2: __match_args__ = (1,)
class Dup: __match_args__ = ("a",); a = 1
def try_match(v):
    try:
        match v:
            case NoArgs(a): return "no"
        return "fell"
    except TypeError as e:
        return str(e)
print(try_match(NoArgs()), try_match(5))
def t2():
    try:
        match BadArgs():
            case BadArgs(a): pass
    except TypeError as e: print(e)
    try:
        match BadArgs2():
            case BadArgs2(a): pass
    except TypeError as e: print(e)
    try:
        match Dup():
            case Dup(1, a=2): pass
    except TypeError as e: print(e)
    try:
        match 5:
            case int(1, 2): pass
    except TypeError as e: print(e)
    try:
        match 5:
            case m(): pass
    except TypeError as e: print(e)
    try:
        match 5:
            case Color.MISSING: pass
    except AttributeError as e: print(e)
t2()
def bind(v):
    r = "unset"
    match v:
        case [x, [y, 3]]: r = "full"
        case [x, *_]: r = "partial"
    return r, locals().get("x") if False else None
print(bind([1, [2, 3]]), bind([1, [2, 4]]), bind(5))
def guard_order(v, log):
    def g(n, r): log.append(n); return r
    match v:
        case x if g(1, False): pass
        case x if g(2, True): return x, log
        case x if g(3, True): pass
print(guard_order("v", []))
match 5, 6:
    case 5, n: print("tuple subject", n)
match [1, 2, 3]:
    case [*all_]: print(all_)
match {"x": 1}:
    case {**kw}: print(kw)
match "abc":
    case str() as whole if len(whole) == 3: print(whole)
x = 10
match x:
    case y: print("capture", y)
def ret():
    for v in ([1], "s", 3):
        match v:
            case [_]: continue
            case str(): pass
            case _: break
    return v
print(ret())
match = {"match": 1}; case = 5
print(match["match"], case)
def http(status):
    match status:
        case 200 | 201 | 204: return "ok"
        case int(n) if 300 <= n < 400: return "redirect"
        case 404: return "not found"
        case int(): return "status"
        case _: return "bad"
print([http(s) for s in (200, 302, 404, 500, "x")])
def ev(e):
    match e:
        case int() | float(): return e
        case ("+", a, b): return ev(a) + ev(b)
        case ("*", a, b): return ev(a) * ev(b)
        case ("-", a): return -ev(a)
        case ("let", str(n), v, body): return ev(subst(body, n, ev(v)))
        case str(): raise NameError(e)
def subst(e, n, v):
    match e:
        case str() if e == n: return v
        case (op, *args): return (op, *(subst(a, n, v) for a in args))
        case _: return e
print(ev(("+", 1, ("*", 2, ("-", 3)))), ev(("let", "x", 5, ("*", "x", "x"))))
