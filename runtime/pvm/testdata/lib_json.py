# json: parsing, dumping (always with sort_keys and compact separators given), errors.
import json
def d(x, **k): return json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False, **k)
for v in (None, True, False, 0, -5, 10**30, 1.5, -0.0, 1e100, 1e-7, "", "abc", 'q"\\/\b\f\n\r\t\x00\x1f', "é😀\u2028", [], [1, [2, [3]]], {}, {"b": 1, "a": [True, None]}, (1, 2), {"n": {"x": {}}}, {1: "int"}, {True: 1}, {None: 2}):
    s = d(v)
    print(s, json.loads(s) == v)
print(json.dumps({"b": 1, "a": 2}, indent=2, sort_keys=True), json.dumps([1, [2, {}], {"k": []}], indent=1, sort_keys=True), json.dumps([], indent=2), json.dumps({"a": (1,)}, indent="--", sort_keys=True))
for s in ("null", " [1, 2.5, -3e2, 1E5, true] ", '{"a": {"b": [1]}, "c": "d"}', '"\\u00e9\\ud83d\\ude00\\n\\/"', "1", "-0", "0.0", "[]", "{}", '""', '{"a":1,"a":2}', "[[[[]]]]", '"\\ud800"', "NaN", "Infinity", "-Infinity", "123456789012345678901234567890", "1e400"):
    print(repr(s), repr(json.loads(s)))
for s in ("", " ", "[1,]", "{,}", '{"a"}', '{"a":}', "{a:1}", "[1 2]", "nul", "'a'", '"abc', '"\\x"', '"\\u12"', "01", "1.", ".5", "+1", "[", "{", '{"a":1', "[1", "1 2", '"\n"', '"\t"', "tru", "--1", "1e", "[1,,2]", '{"a":1,}', "\ufeff[]", "{1:2}"):
    try:
        print(repr(s), json.loads(s))
    except json.JSONDecodeError as e:
        print(repr(s), e, e.pos, e.lineno, e.colno, e.msg)
for v in (object(), {1, 2}, b"x", range(3), {(1, 2): 3}, [lambda: 0]):
    try:
        print(d(v))
    except TypeError as e:
        print(e if "object at" not in str(e) else "not serializable")
class P:
    def __init__(self, x): self.x = x
print(d(P(5), default=lambda o: {"p": o.x}), d([P(1), {"k": P(2)}], default=vars))
print(json.loads('{"a": 1, "b": {"c": 2}}', object_hook=lambda d: sorted(d.items())), json.loads("[1.5, 2]", parse_float=str, parse_int=lambda s: int(s) * 10), json.loads('{"x": 1, "x": 2}', object_pairs_hook=list), json.loads("NaN", parse_constant=lambda c: "const " + c))
class Enc(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, set): return sorted(o)
        return super().default(o)
print(d({"s": {3, 1}}, cls=Enc), Enc(sort_keys=True).encode([{2}]))
print(json.loads(b'{"bytes": "\xc3\xa9"}'), json.loads(bytearray(b"[1]")), json.dumps("é", ensure_ascii=True), json.dumps("😀\x7f", ensure_ascii=True), d({"é": 1}))
for f in (lambda: json.loads(5), lambda: json.dumps(float("nan"), allow_nan=False), lambda: json.loads(b"\xff"), lambda: json.dumps({b"k": 1}, sort_keys=True)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(json.dumps(float("inf")), json.dumps({"a": None, "skip": 1, (1,): 2}, skipkeys=True, separators=(",", ":")), json.JSONDecoder().raw_decode('[1] tail'), json.dumps([1.0, 2, "3"], separators=(", ", ": ")))
deep = json.loads("[" * 50 + "]" * 50)
print(json.dumps(deep).count("["), json.loads(json.dumps({"k": [1, {"z": None}]}, sort_keys=True))["k"][1])
