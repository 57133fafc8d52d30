"""Writes ../testdata/*.json: what CPython 3.11 answers to the questions the tests of package text ask.

    python3 runtime/pvm/text/gen/record.py
"""

import hashlib
import json
import os
import random
import unicodedata

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testdata")
ALL = [chr(c) for c in range(0x110000)]


def save(name, value):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as f:
        if isinstance(value, list):
            f.write("[" + ",\n".join(json.dumps(v, separators=(",", ":")) for v in value) + "]\n")
        else:
            json.dump(value, f, indent=0, sort_keys=True)
            f.write("\n")


def digest(items):
    h = hashlib.sha256()
    for item in items:
        h.update(item)
    return h.hexdigest()


def wide(text):
    return text.encode("utf-32-le", "surrogatepass") + b";"


def characters():
    out = {}
    for name in ("isalpha", "isdecimal", "isdigit", "isnumeric", "isalnum", "isspace", "isprintable", "islower",
                 "isupper", "istitle"):
        out[name] = digest(b"1" if getattr(c, name)() else b"0" for c in ALL)
    out["idstart"] = digest(b"1" if c.isidentifier() else b"0" for c in ALL)
    out["idcontinue"] = digest(b"1" if ("a" + c).isidentifier() else b"0" for c in ALL)
    out["category"] = digest(unicodedata.category(c).encode() for c in ALL)
    out["combining"] = digest(bytes([unicodedata.combining(c)]) for c in ALL)
    out["decimal"] = digest(bytes([unicodedata.decimal(c, 255)]) for c in ALL)
    out["digit"] = digest(bytes([unicodedata.digit(c, 255)]) for c in ALL)
    for name in ("upper", "lower", "title", "casefold", "swapcase", "capitalize"):
        out[name] = digest(wide(getattr(c, name)()) for c in ALL)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        out[form] = digest(wide(unicodedata.normalize(form, c)) for c in ALL)
    out["repr"] = digest(wide(repr(c)) for c in ALL)
    out["ascii"] = digest(wide(ascii(c)) for c in ALL)
    save("characters.json", out)


def sample(rng, pool, longest):
    return "".join(rng.choice(pool) for _ in range(rng.randrange(longest)))


def cases():
    rng = random.Random(20)
    out = []

    def add(op, *args):
        out.append([op, list(args[:-1]), args[-1]])

    marks = [c for c in ALL if unicodedata.combining(c)]
    decomposing = [c for c in ALL if unicodedata.decomposition(c)]
    hangul = [chr(c) for c in (0x1100, 0x1112, 0x1161, 0x1175, 0x11A7, 0x11A8, 0x11C2, 0x11C3, 0xAC00, 0xAC01, 0xD7A3)]
    letters = list("aeoqAEOQdDsS=<>") + hangul
    for _ in range(1500):
        text = "".join(rng.choice(rng.choice((letters, marks, decomposing, hangul))) for _ in range(rng.randrange(1, 9)))
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            add(form, text, unicodedata.normalize(form, text))
    cased = list("aAzZ1 '.\u03a3\u03c3\u03c2\u0130\u0131\u00df\u1e9e\u01c4\u01c5\u01c6\ufb03\u0345\u00ad\u1f88\u1f80\u0149\u0300\u2019")
    for _ in range(600):
        text = sample(rng, cased, 9)
        for name in ("upper", "lower", "title", "casefold", "swapcase", "capitalize", "islower", "isupper", "istitle"):
            add(name, text, getattr(text, name)())
    for _ in range(600):
        h, n, m = sample(rng, "ab\u00e9", 14), sample(rng, "ab\u00e9", 4), sample(rng, "xy", 3)
        k = rng.randrange(-1, 5)
        add("find", h, n, h.find(n))
        add("rfind", h, n, h.rfind(n))
        add("count", h, n, h.count(n))
        add("replace", h, n, m, k, h.replace(n, m, k))
        if n:
            add("split", h, n, k, h.split(n, k))
            add("rsplit", h, n, k, h.rsplit(n, k))
    spaces = list("ab \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2003\u2028\u2029\u3000\u200b")
    for _ in range(600):
        text = sample(rng, spaces, 12)
        k = rng.randrange(-1, 4)
        add("fields", text, k, text.split(None, k))
        add("rfields", text, k, text.rsplit(None, k))
        add("strip", text, text.strip())
        add("lstrip", text, text.lstrip())
        add("rstrip", text, text.rstrip())
        add("stripset", text, "ab\u2003\x85", text.strip("ab\u2003\x85"))
        for keep in (False, True):
            add("splitlines", text, keep, text.splitlines(keep))
        add("expandtabs", text, 8, text.expandtabs())
        add("expandtabs", text, k, text.expandtabs(k))
        low = "".join(c for c in text if ord(c) < 256).encode("latin-1")
        add("bfields", low.decode("latin-1"), k, [p.decode("latin-1") for p in low.split(None, k)])
        add("brfields", low.decode("latin-1"), k, [p.decode("latin-1") for p in low.rsplit(None, k)])
        add("bsplitlines", low.decode("latin-1"), True, [p.decode("latin-1") for p in low.splitlines(True)])
    ascii_pool = list("aZz09 -'_\x7f\x00@[`{")
    for _ in range(300):
        text = sample(rng, ascii_pool, 9)
        for name in ("upper", "lower", "title", "swapcase", "capitalize"):
            add("ascii" + name, text, getattr(text, name)())
        for width in (0, 5, 8, 11):
            add("center", text, width, text.center(width, "*"))
            add("zfill", text, width, text.zfill(width))
    quotes = list("a'\"\\\t\n\r\x00\x7f\x80\xa0\xad\xff\u0100\u200b\u2028\u20ac\U0001f600\U000e0001\uffff")
    for _ in range(400):
        text = sample(rng, quotes, 7)
        add("repr", text, repr(text))
        add("ascii", text, ascii(text))
        raw = text.encode("utf-8")
        add("brepr", raw.decode("latin-1"), repr(raw))
    pool = [0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF, 0x8F, 0x90, 0x9F,
            0xA0]
    for _ in range(3000):
        raw = bytes(rng.choice(pool) for _ in range(rng.randrange(1, 7)))
        try:
            raw.decode("utf-8")
            result = [-1, -1, ""]
        except UnicodeDecodeError as e:
            result = [e.start, e.end, e.reason]
        add("decode", raw.decode("latin-1"), result)
    save("cases.json", out)


characters()
cases()
