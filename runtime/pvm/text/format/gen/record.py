"""Writes ../testdata/cases.json: what CPython 3.11 makes of formats and values.

    python3 runtime/pvm/text/format/gen/record.py

Ints are written as decimal text, doubles as their 16 hexadecimal digits.
"""

import json
import os
import random
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")


def attempt(f):
    try:
        return f()
    except Exception as e:
        return "%s: %s" % (type(e).__name__, e)


def bits(x):
    return struct.pack(">d", x).hex()


def spec(rng, types):
    out = ""
    if rng.random() < 0.5:
        if rng.random() < 0.5:
            out += rng.choice("*0 \u00e9<")
        out += rng.choice("<>^=")
    out += rng.choice(["", "", "+", "-", " "])
    out += rng.choice(["", "", "", "z"]) + rng.choice(["", "", "#"]) + rng.choice(["", "", "0"])
    out += rng.choice(["", "", "1", "5", "8", "12", "13", "20", "\u0661\u0662"])
    out += rng.choice(["", "", "", ",", "_", ",_", "_,"])
    out += rng.choice(["", "", "", ".", ".0", ".1", ".3", ".20"])
    out += rng.choice(types)
    if rng.random() < 0.03:
        out += rng.choice(["x", "\u00e9", "\u1234", " "])
    return out


def main():
    rng = random.Random(31)
    rows = []
    ints = [0, 1, -1, 7, 65, 255, -255, 999, 1000, -1000, 123456, 1234567, -1234567, 0x10FFFF, 0x110000, 0x1F600, 2**62, -2**63,
            2**63, 2**64, 10**30, -(10**30), 2**200]
    floats = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.1, -0.001, 123.456, 1234567.0, 1e15, 1e16, 1e17, 123456789012345.6, 1e-4, 1e-5, 1e100, -1e300,
              5e-324, 1.7976931348623157e308, float("inf"), -float("inf"), float("nan"), 99.995, 0.045, 9.5, 1e22, 1e23]
    texts = ["", "a", "abc", "h\u00e9llo", "\U0001f600\U0001f600", "a longer text"]
    for _ in range(1500):
        s, x = spec(rng, ["", "d", "b", "o", "x", "X", "n", "c", "s"]), rng.choice(ints)
        if s.endswith(tuple("bcdoxXn")) or s == "" or s[-1].isdecimal() or s[-1] not in "eEfFgG%s":
            rows.append(["int", s, str(x), attempt(lambda: format(x, s))])
        s, x = spec(rng, ["", "e", "E", "f", "F", "g", "G", "n", "%", "d"]), rng.choice(floats)
        if rng.random() < 0.4:
            x = rng.uniform(-1, 1) * 10 ** rng.randrange(-8, 22)
        if s:
            rows.append(["float", s, bits(x), attempt(lambda: format(x, s))])
        y = rng.choice(floats)
        if s:
            rows.append(["complex", s, bits(x), bits(y), attempt(lambda: format(complex(x, y), s))])
        s, t = spec(rng, ["", "s", "d"]), rng.choice(texts)
        if s:
            rows.append(["str", s, t, attempt(lambda: format(t, s))])
        c = "%" + "".join(rng.choice("-+ #0") for _ in range(rng.randrange(3))) + rng.choice(["", "1", "5", "12"])
        c += rng.choice(["", "", ".", ".0", ".1", ".4", ".20"]) + rng.choice(["", "", "h", "l", "L"])
        x = rng.choice(ints)
        k = c + rng.choice("diuoxX")
        rows.append(["%int", k, str(x), k % x])
        f = rng.choice(floats)
        k = c + rng.choice("eEfFgG")
        rows.append(["%float", k, bits(f), k % f])
        k = c + "s"
        rows.append(["%str", k, t, k % t])
    for f in ["%(a", "%(a(b)", "%", "%5", "%y", "%\u00e9", "%\u1234", "%5.", "%5.1", "%99999999999999999999d", "%.99999999999d", "%-", "%.3000000000f",
              "%l", "%(k)%", "%#", "%z", "%\x01"]:
        rows.append(["%bad", f, attempt(lambda: f % ({"k": 1, "a": 1} if "(" in f else 1))])
    fields = ["{", "}", "{{", "}}", "{}", "x}", "{!", "{!r", "{!r:", "{!rr}", "{0!}", "{a[", "{a[}", "{a[]}", "{a.}", "{a[0}", "{:{", "{:{}",
              "{:{}}", "{:{:{}}}", "{0}{}", "{}{0}", "{0[1}", "{01}", "{99999999999999999999}", "{:}}", "{0:{{}", "{!r}{{", "}{", "{0!r", "{0!", "{a{b}}",
              "{0:{1}}", "{:}", "{:{}}|{{}}", "{\u0661}", "{0:\u0663}", "a{0}b{1}c", "{0:>5}{1:<5}", "{1:{0}d}{0:{1}x}|", "{0:{1}{1}}", "{:5}{:5}", "{a}",
              "{a:{0}}", "{a}{0}{a}", "{{{0}}}", "{0:{a}}", "{0!s:>5}", "{0!r:>5}", "{0!a:>5}"]
    for f in fields:
        rows.append(["fields", f, attempt(lambda: f.format(3, 4, a=5))])
    with open(os.path.join(HERE, "cases.json"), "w", encoding="ascii") as out:
        out.write("[" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in rows) + "]\n")


main()
