"""Writes ../testdata/cases.json: what CPython 3.11's json module answers.

    python3 runtime/pvm/text/jsontext/gen/record.py

Rows ["decode", document, strict, answer], where answer is an error [message, position, line, column] or the value, with
every number as [type, text], objects as ["{", [key, value]...], arrays as ["[", values...], strings as ["s", text in
UTF-16 code units]; and rows ["encode", text, ensure_ascii, result].
"""

import json
import os
import random

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")


def show(v):
    if isinstance(v, str):
        return ["s"] + [ord(c) for c in v]
    if isinstance(v, list):
        return ["["] + [show(x) for x in v]
    if isinstance(v, tuple):
        return [v[0], v[1]]
    if isinstance(v, dict):
        return ["{"] + [[show(k), show(x)] for k, x in v.items()]
    return v


def decode(doc, strict):
    try:
        v = json.loads(doc, strict=strict, parse_int=lambda t: ("int", t), parse_float=lambda t: ("float", t),
                       parse_constant=lambda t: ("const", t))
        return show(v)
    except json.JSONDecodeError as e:
        return ["error", e.msg, e.pos, e.lineno, e.colno]


def main():
    rng = random.Random(51)
    rows = []
    docs = ["", " ", "null", "nul", "true ", "false", "NaN", "Infinity", "-Infinity", "-Inf", "-", "0", "-0", "00", "01", "1.", "1.5", "1.e3", "1e", "1e+",
            "1E+5", "1e5x", "-1.25e-7", "12 3", "[]", "[", "[1", "[1,", "[1,]", "[1 2]", "[,]", "]", "{}", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}',
            '{"a" 1}', "{1:2}", "{'a':1}", '{"a":1 "b":2}', '{"a":1,"a":2}', '"', '"a', '"a\\"', '"\\', '"\\x"', '"\\u12"', '"\\u12G4"', '"\\u00e9"', '"\\ud83d\\ude00"',
            '"\\ud83d"', '"\\ude00"', '"\\ud83d\\u0041"', '"\\ud83d\\uZZZZ"', '"\\ud83d\\ude0"', '"a\nb"', '"a\tb"', '"\\b\\f\\n\\r\\t\\/\\\\\\""', "\n\n [1,\n x]",
            '{"a":\n\n}', "[\u00e9]", '"\u00e9\u20ac\U0001f600"', "\ufeff1", "\u00a0[]", "nullx", "[null,true,false,[{}]]", '{"":{"":[]}}', '"\x7f"', "[1.0,2e0,-3]",
            "tru", "[tru]", "{\"a\":nul}", "- 1", "+1", ".5", "0x10", "1_000", "[1]]", '"abc" "d"', "{}{}", "\t\r\n{}\t", "\x0b1", '"\\u000"', '"\\u0000"', '"\\U0041"']
    pieces = ['"', "\\", "u", "d83d", "de00", "{", "}", "[", "]", ":", ",", "1", "-", ".", "e", "null", "true", " ", "\n", '"a"', '"k":', "0", "x", "\u00e9", "\t"]
    for _ in range(2500):
        docs.append("".join(rng.choice(pieces) for _ in range(rng.randrange(1, 12))))
    for d in docs:
        for strict in (True, False):
            rows.append(["decode", d, strict, decode(d, strict)])
    pool = list('ab"\\/\n\r\t\f\b\x00\x1f\x7f\x80\u00e9\u2028\u20ac\ufffd\U0001f600\U0010ffff')
    for _ in range(500):
        text = "".join(rng.choice(pool) for _ in range(rng.randrange(8)))
        for ascii_only in (True, False):
            rows.append(["encode", text, ascii_only, json.dumps(text, ensure_ascii=ascii_only)])
    with open(os.path.join(HERE, "cases.json"), "w", encoding="ascii") as out:
        out.write("[" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in rows) + "]\n")


main()
