"""Writes ../testdata/text_methods.json: what CPython 3.11 answers to calls of methods of str, bytes, bytearray and memoryview.

    python3 runtime/pvm/object/gen/text_methods.py

Rows [receiver, method, arguments, keywords, answer]: values are written as JSON text and numbers, null, true, or tagged:
["b", latin-1], ["ba", latin-1], ["t", items], ["l", items], ["f", 16 hex digits], ["i", decimal], ["d", [key, value]...],
["u", code points], ["mv", latin-1], ["c", real, imaginary]. The answer is the repr of the result, of the receiver afterwards for methods that
change it, or "Type: message".
"""

import json
import os
import random
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")


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
    if isinstance(v, complex):
        return ["c", struct.pack(">d", v.real).hex(), struct.pack(">d", v.imag).hex()]
    if isinstance(v, bytes):
        return ["b", v.decode("latin-1")]
    if isinstance(v, bytearray):
        return ["ba", v.decode("latin-1")]
    if isinstance(v, memoryview):
        return ["mv", v.tobytes().decode("latin-1")]
    if isinstance(v, tuple):
        return ["t"] + [enc(x) for x in v]
    if isinstance(v, list):
        return ["l"] + [enc(x) for x in v]
    if isinstance(v, dict):
        return ["d"] + [[enc(k), enc(x)] for k, x in v.items()]
    raise TypeError(v)


def main():
    rng = random.Random(61)
    rows = []

    def call(recv, method, *args, **kw):
        row = [enc(recv), method, [enc(a) for a in args], [[k, enc(v)] for k, v in kw.items()]]
        work = bytearray(recv) if isinstance(recv, bytearray) else recv
        try:
            r = getattr(work, method)(*args, **kw)
            if isinstance(r, memoryview):
                r = r.tobytes()
            answer = repr(r)
            if isinstance(recv, bytearray):
                answer += " " + repr(work)
        except RecursionError:
            raise
        except Exception as e:
            answer = "%s: %s" % (type(e).__name__, e)
        rows.append(row + [answer])

    words = ["", "a", "b", "ab", "aab", "abab", "a b", " a  b ", "\tx\n", "h\u00e9llo w\u00f6rld", "\u00df", "\u01c5x", "\u03a3\u03a3", "\U0001f600a\U0001f600",
             "one,two,,three", "x\r\ny\u2028z", "007", "-42", "+1", "\u0663\u0664", "\u00bd", "\u2460", "Hello World", "\ufb03", "{}", "abcabcabc", "\ud800x", "\x85 \xa0",
             "A1_b", "1a", "_x", "\u4e2d", "'", "\"'", "\x00"]
    odd = [1, None, 1.5, b"a", ["a"], ("a", "b"), ("a", 1), (), {}]
    ints = [0, 1, 2, 3, -1, -2, 5, 10, 100, -100, None, 10**30, -(10**30)]
    for method in ("upper", "lower", "casefold", "swapcase", "capitalize", "title", "islower", "isupper", "istitle", "isascii", "isprintable",
                   "isidentifier", "isalpha", "isalnum", "isdecimal", "isdigit", "isnumeric", "isspace", "encode", "split", "rsplit", "splitlines", "strip",
                   "lstrip", "rstrip", "expandtabs", "__repr__", "__str__", "__len__"):
        for w in words:
            call(w, method)
    for _ in range(350):
        s, t, u = rng.choice(words), rng.choice(words), rng.choice(words)
        i, j = rng.choice(ints), rng.choice(ints)
        for method in ("find", "rfind", "index", "rindex", "count", "startswith", "endswith"):
            call(s, method, t, *rng.choice([(), (i,), (i, j)]))
        k = rng.choice([-1, 0, 1, 2, 3, 10])
        call(s, "replace", t, u, *rng.choice([(), (k,)]))
        call(s, rng.choice(["split", "rsplit"]), rng.choice([t, None]), *rng.choice([(), (k,)]))
        call(s, "split", maxsplit=k)
        call(s, "partition", t)
        call(s, "rpartition", t)
        call(s, rng.choice(["strip", "lstrip", "rstrip"]), rng.choice([t, None, "ab", "\u00e9 h"]))
        call(s, rng.choice(["center", "ljust", "rjust"]), rng.choice([0, 3, 7, 12, -5]), *rng.choice([(), ("*",), ("\u00e9",)]))
        call(s, "zfill", rng.choice([0, 3, 7, 12]))
        call(s, "expandtabs", rng.choice([0, 1, 4, -3]))
        call(s, "join", rng.choice([[t, u], (t,), [], "xyz", [t, 1], {t: 1, u: 2}]))
        call(s, rng.choice(["removeprefix", "removesuffix"]), t)
        call(s, "splitlines", rng.choice([True, False, 0, 2]))
        call(s, "translate", rng.choice([{97: "x", 98: None, 233: 120}, {97: 0x10FFFF}, {32: "__"}, {}, {97: 1.5}, {97: -1}, {97: "\u00e9\u00e9"}, "abcdefghij", [1, 2]]))
        call(s, "__mul__", rng.choice([0, 1, 3, -1]))
        call(s, "__add__", t)
        call(s, "__contains__", t)
        call(s, rng.choice(["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"]), rng.choice([t, s, 1]))
        call(s, "__getitem__", rng.choice([0, 1, -1, -2, 5, 50]))
        call(s, "__mod__", rng.choice([t, (t,), (), 1, {"a": 1}]))
    for o in odd:
        for method in ("find", "count", "startswith", "endswith", "split", "partition", "join", "strip", "removeprefix", "encode", "center", "zfill",
                       "expandtabs", "translate", "__contains__", "__add__", "format_map"):
            call("abc", method, o)
        call("abc", "replace", o, "x")
        call("abc", "replace", "a", o)
        call("abc", "center", 5, o)
        call("abc", "replace", "a", "b", o)
        call("abc", "maketrans", o)
        call("abc", "maketrans", "a", o)
        call("abc", "maketrans", o, "b")
        call("abc", "maketrans", "a", "b", o)
    for a in (("ab", "xy"), ("a", "xy"), ({"a": 1, 98: "z", "c": None},), ({"ab": 1},), ({1.5: 1},), ("ab", "cd", "ef")):
        call("", "maketrans", *a)
    for e in ("utf-8", "UTF8", "utf_8", "U8", "nope"):
        call("a\u00e9", "encode", e)
        call("a\u00e9".encode(), "decode", e)
    call("\ud800a\udfff", "encode")
    call("ab\ud800\udc00", "encode")
    call("\U0001f600\udc00", "encode")

    formats = ["{}", "{0}", "{1} {0}", "{a}", "{a!r:>8}", "{:{}}", "{0[0]}", "{0[a]}", "{a[b]}", "{a[b]c}", "{0.real}", "{0.nope}", "{0!s}", "{0!x}", "{", "}", "{{}}", "{:d}",
               "{:>10}", "{:*^9}", "{:+.2f}", "{:#x}", "{:,}", "{:_b}", "{0:{1}}", "{!a}", "{} {} {}", "{b}", "{:%}", "{:.3}", "{:e}", "{:c}", "{0:\u00e9>5}", "caf\u00e9 {}", "{\u00e9}", "{!\u00e9}",
               "{0[1]}", "{0[-1]}", "{:10.4}", "{0:{a}}", "{a:{0}{1}}"]
    values = [1, -5, 65, 255, 2**70, 1.5, -0.0, 1e300, "x", "h\u00e9", None, [1, "a"], (1, 2), {"b": 3, "a": 1}, b"q", True, 3.14159]
    for _ in range(350):
        f = rng.choice(formats)
        args = [rng.choice(values) for _ in range(rng.randrange(4))]
        kw = {k: rng.choice(values) for k in rng.sample(["a", "b", "\u00e9"], rng.randrange(3))}
        call(f, "format", *args, **kw)
        if rng.random() < 0.2:
            call(f, "format_map", {"a": rng.choice(values), "b": 1})
    conversions = ["%s", "%r", "%a", "%d", "%i", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%x", "%#X", "%o", "%c", "%e", "%.2f", "%10.3f|", "%g", "%%", "%5s|", "%-5s|", "%.2s", "%(a)s",
                   "%(a)d %(b)s", "%*d", "%.*f", "%-*d|", "%s %s", "%", "%y", "%(a", "%5%", "h\u00e9 %s", "%u", "%.0f", "%#o", "%08.2f", "%hd"]
    for _ in range(350):
        f = rng.choice(conversions) + rng.choice(["", "", " %s", "!"])
        v = rng.choice(values + [(rng.choice(values),), (rng.choice(values), rng.choice(values)), (3, 7), (-6, 7), (2, 1.5), {"a": 5, "b": "z"}, ()])
        call(f, "__mod__", v)
        call(f.replace("h\u00e9 ", "").encode(), "__mod__", v)
    for _ in range(350):
        v = rng.choice(values)
        if isinstance(v, (int, float, str)):
            spec = rng.choice(["", "d", "5", "<5", ">8", "^9", "05", "+", "x", "#b", ",", "_", ".2f", "10.3e", "g", "%", "s", "n", "c", "\u00e9>6", "*<4", "zz", "=+7", ".1", "08.3f", "z.1f", "#.3g"])
            call(v, "__format__", spec)
            call(complex(rng.choice([0.0, 1.5, -2.0, 1e20]), rng.choice([0.0, -0.0, 3.25, -1e-7])), "__format__", spec)

    raw = [b"", b"a", b"ab", b"abab", b"a b\tc", b" x ", b"a,b,,c", b"\x00\xff\x80", b"caf\xc3\xa9", b"\xff", b"Hello", b"HELLO 1", b"x\r\ny\n", b"\tz", b"-42", b"'", b"'\"", b"%d", b"41 42"]
    for method in ("upper", "lower", "swapcase", "capitalize", "title", "islower", "isupper", "istitle", "isascii", "isalpha", "isalnum", "isdigit", "isspace", "split", "rsplit",
                   "splitlines", "strip", "lstrip", "rstrip", "expandtabs", "hex", "decode", "__repr__", "__len__"):
        for b in raw:
            call(b, method)
            call(bytearray(b), method)
    for _ in range(250):
        s, t, u = rng.choice(raw), rng.choice(raw), rng.choice(raw)
        if rng.random() < 0.4:
            s = bytearray(s)
        if rng.random() < 0.2:
            t = bytearray(t)
        i, j = rng.choice(ints), rng.choice(ints)
        for method in ("find", "rfind", "index", "rindex", "count"):
            call(s, method, rng.choice([t, 97, 300, "x", 44]), *rng.choice([(), (i,), (i, j)]))
        call(s, rng.choice(["startswith", "endswith"]), rng.choice([t, (t, u), "x", (b"a", "x"), 1]), *rng.choice([(), (i,), (i, j)]))
        k = rng.choice([-1, 0, 1, 2, 3, 10])
        call(s, "replace", t, u, *rng.choice([(), (k,)]))
        call(s, rng.choice(["split", "rsplit"]), rng.choice([t, None, "x"]), *rng.choice([(), (k,)]))
        call(s, rng.choice(["partition", "rpartition"]), t)
        call(s, rng.choice(["strip", "lstrip", "rstrip"]), rng.choice([t, None, b"ab ", "x"]))
        call(s, rng.choice(["center", "ljust", "rjust"]), rng.choice([0, 3, 7, 12]), *rng.choice([(), (b"*",), (b"**",), ("x",)]))
        call(s, "zfill", rng.choice([0, 3, 7, 12]))
        call(s, "join", rng.choice([[t, u], (t,), [], [t, 1], [t, "x"], 5]))
        call(s, rng.choice(["removeprefix", "removesuffix"]), t)
        call(s, "splitlines", rng.choice([True, False]))
        call(s, "translate", rng.choice([bytes(range(255, -1, -1)), None, b"a", "x"]), *rng.choice([(), (b"ab",)]))
        call(s, "__mul__", rng.choice([0, 1, 3, -1]))
        call(s, "__add__", rng.choice([t, memoryview(b"mv")]))
        call(s, "__contains__", rng.choice([t, 97, 300, "x", 1.5]))
        call(s, rng.choice(["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"]), rng.choice([t, s, "x"]))
        call(s, "__getitem__", rng.choice([0, 1, -1, 50, "x"]))
        call(s, "hex", rng.choice([":", b"-", "ab", "\u00e9", None]), rng.choice([1, 2, -2, 3, 0]))
        call(s, "fromhex", rng.choice(["", "41 42", "4", "zz", "4142\n43", "a b", "\u00e9", "0x41"]))
        call(s, "maketrans", t, u)
    for _ in range(150):
        s = bytearray(rng.choice(raw))
        call(s, "append", rng.choice([65, 300, -1, "x", 1.5]))
        call(s, "extend", rng.choice([b"xy", [1, 2], [300], ["x"], 5, "x", bytearray(b"q"), (65, 66)]))
        call(s, "insert", rng.choice([0, 1, -1, 100, -100]), rng.choice([65, 300]))
        call(s, "pop", *rng.choice([(), (0,), (-1,), (100,)]))
        call(s, "remove", rng.choice([97, 66, 300, "x"]))
        call(s, rng.choice(["reverse", "clear", "copy"]))
        call(s, "__setitem__", rng.choice([0, -1, 50, "x"]), rng.choice([65, 300, "x", b"z"]))
        call(s, "__delitem__", rng.choice([0, -1, 50]))
        call(s, "__iadd__", rng.choice([b"zz", bytearray(b"q"), "x", 5]))
        call(s, "__imul__", rng.choice([0, 2, -1]))
    for b in (b"", b"abcdefgh", b"\x00\xff\x80\x7f"):
        v = memoryview(b)
        for method, args in (("tobytes", ()), ("tolist", ()), ("hex", ()), ("hex", (":",)), ("__len__", ()), ("__eq__", (b,)), ("__eq__", (b"x",)), ("__getitem__", (0,)),
                             ("__getitem__", (-1,)), ("__getitem__", (100,)), ("__getitem__", ("x",)), ("__setitem__", (0, 1)), ("cast", ("H",)), ("cast", ("z",)), ("cast", ("B",))):
            call(v, method, *args)
    with open(os.path.join(HERE, "text_methods.json"), "w", encoding="ascii") as out:
        seen, unique = set(), []
        for r in rows:
            line = json.dumps(r, separators=(",", ":"))
            if line not in seen:
                seen.add(line)
                unique.append(line)
        out.write("[" + ",\n".join(unique) + "]\n")
        print(len(unique), "rows")


main()
