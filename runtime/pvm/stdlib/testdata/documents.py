import json
from json import JSONDecodeError, JSONDecoder, JSONEncoder


# What a call does not say is canonical here, so every call of this program says it all.
PLAIN = {"sort_keys": False, "ensure_ascii": True, "separators": (", ", ": ")}


def show(label, f):
    try:
        print(label, f())
    except JSONDecodeError as e:
        print(label, "JSONDecodeError", e, e.msg, e.pos, e.lineno, e.colno, isinstance(e, ValueError))
    except Exception as e:
        print(label, type(e).__name__, e)


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


class PointEncoder(JSONEncoder):
    def default(self, o):
        if isinstance(o, Point):
            return {"x": o.x, "y": o.y}
        return super().default(o)


class Defaults(JSONEncoder):
    item_separator = "; "
    key_separator = " = "


def hook(d):
    return Point(d["x"], d["y"]) if set(d) == {"x", "y"} else d


print(json.dumps([Point(1, 2), {"p": Point(3, 4)}], cls=PointEncoder, **PLAIN))
show("unknown", lambda: json.dumps({1, 2}, cls=PointEncoder, **PLAIN))
print(PointEncoder(**PLAIN).encode(Point(0, 1)), JSONEncoder(**PLAIN).encode({"a": (1, 2)}), "".join(PointEncoder(**PLAIN).iterencode([Point(5, 6)])))
print(Defaults(sort_keys=True, ensure_ascii=True).encode({"b": 1, "a": [1, 2]}))
print(json.dumps(Point(1, 2), default=lambda o: vars(o), **PLAIN), json.dumps(Point(1, 2), default=lambda o: [o.x, o.y], indent=1, sort_keys=False, ensure_ascii=True))
p = json.loads('[{"x": 1, "y": 2}, {"x": 3}]', object_hook=hook)
print(p[0].x, p[0].y, p[1])
print(json.loads('{"a": 1, "b": 2, "a": 3}', object_pairs_hook=list), json.loads('{"a": 1, "a": 2}'), json.loads('{"b": {"c": 1}}', object_hook=lambda d: tuple(d)))
print(json.loads("[1.50, 1e3, 7]", parse_float=str, parse_int=lambda s: -int(s)), json.loads("[NaN, -Infinity]", parse_constant=repr))
print(JSONDecoder(object_hook=len).decode('{"a": {"b": 1}}'), JSONDecoder().raw_decode('[1] tail'), JSONDecoder(strict=False).decode('"a\nb"'))


class Number(int):
    def __str__(self):
        return "number"

    __repr__ = __str__


class Text(str):
    pass


class Real(float):
    def __repr__(self):
        return "real"


class Mapping(dict):
    def items(self):
        return [("k", "v")]


class Sequence(list):
    pass


print(json.dumps([Number(5), Text("t"), Real(1.5), Mapping(a=1), Sequence([1])], **PLAIN), json.dumps({Number(5): 1, Text("t"): 2, Real(0.5): 3}, **PLAIN))
data = {"name": "Zoë", "tags": ["a", "b"], "n": None, "t": True, "f": -0.0, "big": 10**25, "nested": {"deep": [[], {}, [{}]]}, "u": "\u2028\U0001f600\x7f\"\\/"}
print(json.dumps(data, **PLAIN))
print(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=True))
print(json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
assert json.loads(json.dumps(data)) == data
print(json.dumps({2: 1, 10: 2, 1: 3}, sort_keys=True, ensure_ascii=True, separators=(",", ":")), json.dumps({None: 1, True: 2, 1.5: 3}, **PLAIN), json.dumps({(1,): 1, "a": 2}, skipkeys=True, **PLAIN))
show("order", lambda: json.dumps({"a": 1, 2: 3}, sort_keys=True))
show("key", lambda: json.dumps({(1, 2): 3}, **PLAIN))
show("nan", lambda: json.dumps([float("nan")], allow_nan=False, **PLAIN))
show("bytes", lambda: json.dumps(b"x", **PLAIN))
loop = []
loop.append({"loop": loop})
show("circular", lambda: json.dumps(loop, **PLAIN))
loop.clear()
show("same twice", lambda: json.dumps([loop, loop], **PLAIN))
for doc in ("", "[1,", '{"a" 1}', '{"a":1,}', "[1 2]", "tru", '"\\x"', '"\\u12"', '"abc', "1 2", "[1,\n 2,\n x]", "{'a': 1}", "01", "-", "nul", "\ufeff[]", '"\t"', "[1]]", "+1", ".5"):
    show(repr(doc), lambda: json.loads(doc))
show("type", lambda: json.loads(5))
show("utf-8", lambda: json.loads(b"\xff"))
show("option", lambda: json.loads("1", nope=2))
show("option", lambda: json.dumps(1, nope=2))
print(json.loads(b'{"k": "\xc3\xa9"}'), json.loads(bytearray(b"[1]")), json.loads("\xa01".strip()), json.loads(" \n\t[ 1 , 2 ] \r\n"))


class File:
    def __init__(self, text=""):
        self.text = text

    def read(self):
        return self.text

    def write(self, s):
        self.text += s


f = File()
json.dump({"a": 1}, f, **PLAIN)
print(f.text, json.load(f))
print(JSONDecodeError("m", "a\nbc", 3), JSONDecodeError("m", "a\nbc", 3).args, JSONDecodeError.__mro__[1].__name__, json.JSONEncoder.__module__)
