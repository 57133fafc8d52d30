def m(x):
    match x:
        case 0: return "zero"
        case 1 | 2: return "small"
        case -1.5: return "neg"
        case "s": return "str s"
        case True: return "true"
        case None: return "none"
        case []: return "empty"
        case [a]: return f"one {a}"
        case [a, b]: return f"two {a} {b}"
        case (1, *rest, 9): return f"rest {rest}"
        case [_, _, *_]: return "many"
        case {"k": v, "n": {"d": d}}: return f"nested {v} {d}"
        case {"k": v, **rest}: return f"map {v} {rest}"
        case {}: return "mapping"
        case str() as s if len(s) > 3: return f"long {s}"
        case str(s): return f"str {s}"
        case int(): return "int"
        case Point(x=0, y=0): return "origin"
        case Point(0, y): return f"yaxis {y}"
        case Point(x, y) if x == y: return f"diag {x}"
        case Point(): return "point"
        case Color.RED: return "red"
        case _: return "other"
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
class Color:
    RED = object()
for x in [0, 1, 2, -1.5, "s", None, [], [1], [1, 2], (1, 2, 3, 9), (2, 3, 4), {"k": 1, "n": {"d": 2}}, {"k": 1, "z": 3}, {"q": 1},
          "longer", "abc", 77, Point(0, 0), Point(0, 5), Point(3, 3), Point(1, 2), Color.RED, 3.5, b"x", range(2)]:
    print(m(x))
def binds(v):
    match v:
        case [(a, b) | (a, b, _), c]:
            return a, b, c
        case (("x" | "y") as k, [*_, last]):
            return k, last
        case {"a": [1, x], "b": (y,)}:
            return x, y
    return None
print(binds([(1, 2), 3]), binds([(1, 2, 9), 3]), binds(("y", [1, 2, 3])), binds({"a": [1, 5], "b": [6], "c": 0}), binds(5))
match (1, 2):
    case (x, y): pass
print(x, y)
class D(dict): pass
match D(a=1):
    case {"a": q}: print(q)
match [1, [2, [3]]]:
    case [a, [b, [c]]]: print(a, b, c)
def f(x):
    match x:
        case float() | int(): return "num"
        case list() | tuple(): return "seq"
        case dict(): return "dict"
        case bool(): return "bool"
print(f(1.0), f(1), f([]), f(()), f({}), f(True))
try:
    match 1:
        case int(1, 2): pass
except TypeError as e: print(e)
