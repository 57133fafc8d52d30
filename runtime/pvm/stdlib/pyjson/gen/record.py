"""Writes ../testdata/cases.json: what CPython 3.11's module json answers to calls that name every option of the layout.

    python3 runtime/pvm/stdlib/pyjson/gen/record.py

Rows [function, arguments, keywords, answer]. Values are JSON text, numbers, true, null, or ["b", Latin-1], ["t", items...],
["l", items...], ["d", [key, value]...], ["f", 16 hexadecimal digits], ["i", decimal], ["u", code points...], ["o"] (an object without a form in JSON), ["h", name] (a
function). The answer is a repr or [exception, message, attributes...].
"""

import json
import os
import random
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")


class Opaque:
    pass


def wrap(x):
    return ["wrapped", 1]


def loop(x):
    return x


def show(x):
    return "<" + str(x) + ">"


def enc(v):
    if v is None or isinstance(v, bool):
        return v
    if isinstance(v, str):
        if any(0xD800 <= ord(c) < 0xE000 for c in v):
            return ["u"] + [ord(c) for c in v]
        return v
    if isinstance(v, int):
        return v if abs(v) < 2**53 else ["i", str(v)]
    if isinstance(v, float):
        return ["f", struct.pack(">d", v).hex()]
    if isinstance(v, (bytes, bytearray)):
        return ["b", bytes(v).decode("latin-1")]
    if isinstance(v, tuple):
        return ["t"] + [enc(x) for x in v]
    if isinstance(v, list):
        return ["l"] + [enc(x) for x in v]
    if isinstance(v, dict):
        return ["d"] + [[enc(k), enc(x)] for k, x in v.items()]
    if isinstance(v, Opaque):
        return ["o"]
    return ["h", v.__name__]


def attempt(f):
    try:
        return repr(f())
    except json.JSONDecodeError as e:
        return ["JSONDecodeError", str(e), e.msg, e.pos, e.lineno, e.colno]
    except Exception as e:
        return [type(e).__name__, str(e)]


def main():
    rng = random.Random(81)
    rows = []

    def call(name, *args, **kw):
        rows.append([name, [enc(a) for a in args], [[k, enc(v)] for k, v in kw.items()], attempt(lambda: getattr(json, name)(*args, **kw))])

    leaves = [None, True, False, 0, -1, 10**20, 1.5, -0.0, 1e16, 1e-7, float("nan"), float("inf"), -float("inf"), "", "a", "h\u00e9\u2028\U0001f600", "\"\\\n\x00\x7f", "\ud800"]
    keys = ["a", "b", "", "\u00e9", "\U0001f600", "\uffff", 1, 10, 2, 1.5, True, None, (1, 2), -3, 2.0]

    def value(depth):
        k = rng.random()
        if depth == 0 or k < 0.4:
            return rng.choice(leaves)
        if k < 0.6:
            return [value(depth - 1) for _ in range(rng.randrange(4))]
        if k < 0.7:
            return tuple(value(depth - 1) for _ in range(rng.randrange(3)))
        names = rng.choice([keys[:6], keys[:6], keys])
        return {rng.choice(names): value(depth - 1) for _ in range(rng.randrange(5))}

    for _ in range(900):
        v = value(3)
        kw = {"sort_keys": rng.random() < 0.5, "ensure_ascii": rng.random() < 0.5}
        kw["separators"] = rng.choice([None, (",", ":"), (", ", ": "), ("; ", "=")])
        kw["indent"] = rng.choice([None, None, 0, 2, "\t", "--"])
        if kw["separators"] is None and kw["indent"] is None:
            kw["separators"] = (", ", ": ")
        if rng.random() < 0.3:
            kw["skipkeys"] = True
        if rng.random() < 0.2:
            kw["allow_nan"] = False
        call("dumps", v, **kw)
    fixed = {"sort_keys": False, "ensure_ascii": True, "separators": (", ", ": ")}
    for v in (Opaque(), [Opaque()], {"a": Opaque()}, b"x", {Opaque(): 1} and [1, Opaque()]):
        call("dumps", v, **fixed)
        for h in (wrap, loop):
            call("dumps", v, default=h, **fixed)
    call("dumps", [1], separators=1)
    call("dumps", [1], separators=(1, 2, 3))
    call("dumps", [1], indent=1.5)
    call("dumps", [1], nope=1)
    docs = ["[1, 2.5, -3e2, NaN, Infinity, -Infinity, null, true, false]", '{"a": {"b": [1, {"c": "d"}]}, "a": 2}', '"\\u00e9\\ud83d\\ude00\\n"', "[", "[1,]", '{"a"}', "nul", "", " ", "1 2",
            '"a\nb"', "\n\n[x]", '["\u00e9\U0001f600", x]', '{"\u00e9": [1, 2]}', "123456789012345678901234567890", "-0", "1e400", '{"a":1,}', "\ufeff1", b"[1]", b"\xef\xbb\xbf[1]", b"\xff",
            b'"\xc3\xa9"', 5, None, "[[[[]]]]", '{"k": "v", "k2": {"k": "w"}}', "1.0", "-", "[1.5e3]"]
    for d in docs:
        call("loads", d)
        call("loads", d, strict=False)
        call("loads", d, parse_int=show, parse_float=show, parse_constant=show)
        call("loads", d, object_hook=wrap)
        call("loads", d, object_pairs_hook=loop)
        call("loads", d, object_hook=wrap, object_pairs_hook=show)
    call("loads", "1", nope=1)
    with open(os.path.join(HERE, "cases.json"), "w", encoding="ascii") as out:
        out.write("[" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in rows) + "]\n")
        print(len(rows))


main()
