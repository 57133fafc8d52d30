"""Writes ../testdata/cases.json: what CPython 3.11's module re answers to calls.

    python3 runtime/pvm/stdlib/pyre/gen/record.py

Rows [path, arguments, keywords, answer]: the path is a function of the module, or ["compile", arguments] and a method of the
pattern. Values are JSON text, numbers and null, or ["b", Latin-1], ["t", items]; ["f"] is a function that wraps a match in brackets. A
match is shown by its repr, groups, dictionary and positions, an iterator by its items, anything else by its repr.
"""

import json
import os
import random
import re
import warnings

warnings.simplefilter("ignore")
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")


def bracket(m):
    g = m.group()
    return "[" + g + "]" if isinstance(g, str) else b"[" + g + b"]"


def enc(v):
    if isinstance(v, bytes):
        return ["b", v.decode("latin-1")]
    if isinstance(v, tuple):
        return ["t"] + [enc(x) for x in v]
    if v is bracket:
        return ["f"]
    return v


def show(r):
    if isinstance(r, re.Match):
        return [repr(r), repr(r.groups()), repr(r.groupdict("?")), repr(r.span()), repr(r.regs), repr(r.lastindex), repr(r.lastgroup), repr((r.pos, r.endpos)),
                repr(r[0]), repr(r.group(0))]
    if hasattr(r, "__next__"):
        return [show(x) for x in r]
    return repr(r)


def attempt(f):
    try:
        return show(f())
    except re.error as e:
        return ["re.error", str(e), e.msg, repr(e.pattern), e.pos, e.lineno, e.colno]
    except Exception as e:
        return [type(e).__name__, str(e)]


def main():
    rng = random.Random(71)
    rows = []

    def call(name, *args, **kw):
        rows.append([[name], [enc(a) for a in args], {k: enc(v) for k, v in kw.items()}, attempt(lambda: getattr(re, name)(*args, **kw))])

    def method(pattern, flags, name, *args, **kw):
        def f():
            return getattr(re.compile(pattern, flags), name)(*args, **kw)
        rows.append([["compile", [enc(pattern), flags], name], [enc(a) for a in args], {k: enc(v) for k, v in kw.items()}, attempt(f)])

    patterns = ["a", "(a)(b)?", "(?P<x>a)(?P<y>b)?", "a*", "", "(", "a\n(b", "[", r"\d+", r"(\w+)@(\w+)", "(?i)\u00e9", ".", "^a|b$", ",", "(,)", "x|(y)|(z)", "a{2,1}", "(?P<1>a)", "*",
                b"a", b"(a)|b", b"\xff", "a{99999999999}", r"\b", "(?<=a)b", "\u00e9+", "(?x) a b "]
    subjects = ["", "a", "ab", "abab", "aab", "caf\u00e9\u00c9\u00e9 ab", "a,b,,c", "user@host x@y", "12 345", "\U0001f600a\U0001f600", b"abab", b"\xff\x00a", "xyz", bytearray(b"ab"), 5, None]
    repls = ["", "-", "<\\g<0>>", "\\1", "\\2", "\\g<x>", "\\\\", "\\q", "\\g<", "\u00e9", bracket, b"-", b"<\\g<0>>", 5, None, "\\x"]
    for p in patterns + [5, None, ["a"]]:
        call("compile", p) if not isinstance(p, list) else None
        for _ in range(4):
            s = rng.choice(subjects)
            if isinstance(s, bytearray) or isinstance(p, list):
                continue
            for name in ("search", "match", "fullmatch", "findall", "finditer", "split"):
                call(name, p, s)
            call(rng.choice(["sub", "subn"]), p, rng.choice(repls), s)
            call(rng.choice(["sub", "subn"]), p, rng.choice(repls), s, rng.choice([0, 1, 2, -1]))
            call("search", p, s, rng.choice([2, 2 | 8, 16, 64, 256, 4, 32]))
            call("split", p, s, maxsplit=rng.choice([0, 1, 2, -1]))
            call("sub", p, "x", s, count=1, flags=rng.choice([0, 2]))
            if isinstance(p, (str, bytes)):
                for name in ("search", "match", "fullmatch", "findall", "finditer"):
                    method(p, 0, name, s, *rng.choice([(), (1,), (1, 3), (-5, 100), (5,), (0, -1), (10**30,)]))
                method(p, 2, "sub", rng.choice(repls), s)
                method(p, 0, "split", s, rng.choice([0, 1]))
                method(p, 0, "__repr__")
    for s in ["", "a.b*c", "\u00e9-x", b"a.b", "a b\n\t#", 5]:
        call("escape", s)
    for args in (("a", 0), ("a", 2), ("a", 8 | 2), ("a", 1024), ("(?i)a", 16), ("\u00e9" * 300, 0), (b"a", 256), ("a", "x"), ("a", 4), (b"a", 32)):
        call("compile", *args)
    with open(os.path.join(HERE, "cases.json"), "w", encoding="ascii") as out:
        out.write("[" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in rows) + "]\n")
        print(len(rows))


main()
