# Text processing: word counts, wrapping, ciphers, compression, anagrams, roman numerals, CSV, templates.
TEXT = """It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity."""
import re
from collections import Counter, defaultdict
words = re.findall(r"[a-z]+", TEXT.lower())
print(len(words), Counter(words).most_common(5), sorted(set(words), key=lambda w: (-len(w), w))[:4])
def wrap(s, n):
    lines, cur = [], ""
    for w in s.split():
        if cur and len(cur) + 1 + len(w) > n: lines.append(cur); cur = w
        else: cur = f"{cur} {w}" if cur else w
    return lines + [cur]
for line in wrap(TEXT, 40): print(f"|{line:<40}|")
def justify(s, n):
    out = []
    for line in wrap(s, n):
        ws = line.split()
        gaps = len(ws) - 1
        extra = n - sum(map(len, ws))
        if not gaps: out.append(line); continue
        out.append("".join(w + " " * (extra // gaps + (i < extra % gaps)) for i, w in enumerate(ws[:-1])) + ws[-1])
    return out
print("\n".join(justify(TEXT, 30)[:4]))
def caesar(s, k): return "".join(chr((ord(c) - b + k) % 26 + b) if (b := 65 if c.isupper() else 97 if c.islower() else 0) else c for c in s)
def vigenere(s, key, sign=1):
    out, i = [], 0
    for c in s:
        if c.isalpha(): out.append(caesar(c, sign * (ord(key[i % len(key)].lower()) - 97))); i += 1
        else: out.append(c)
    return "".join(out)
print(caesar("Hello, World!", 3), caesar(caesar("Hello", 3), -3), vigenere("Attack at dawn!", "Lemon"), vigenere(vigenere("Attack at dawn!", "Lemon"), "Lemon", -1))
def rle(s): return re.sub(r"(.)\1*", lambda m: f"{len(m[0])}{m[1]}", s)
def unrle(s): return re.sub(r"(\d+)(.)", lambda m: int(m[1]) * m[2], s)
print(rle("WWWWWBBBWWC"), unrle(rle("WWWWWBBBWWC")))
def huffman(s):
    nodes = sorted((n, c) for c, n in Counter(s).items())
    nodes = [(n, c, c) for n, c in nodes]
    while len(nodes) > 1:
        (n1, k1, t1), (n2, k2, t2), *rest = nodes
        nodes = sorted(rest + [(n1 + n2, min(k1, k2), (t1, t2))], key=lambda x: (x[0], x[1]))
    codes = {}
    def walk(t, acc):
        if isinstance(t, str): codes[t] = acc or "0"
        else: walk(t[0], acc + "0"); walk(t[1], acc + "1")
    walk(nodes[0][2], "")
    return codes
codes = huffman("abracadabra")
enc = "".join(codes[c] for c in "abracadabra")
print(dict(sorted(codes.items())), enc, len(enc))
def lzw(s):
    table, w, out = {chr(i): i for i in range(256)}, "", []
    for c in s:
        if w + c in table: w += c
        else: out.append(table[w]); table[w + c] = len(table); w = c
    return out + ([table[w]] if w else [])
def unlzw(codes):
    table = {i: chr(i) for i in range(256)}
    w = out = table[codes[0]]
    for k in codes[1:]:
        e = table[k] if k in table else w + w[0]
        out += e; table[len(table)] = w + e[0]; w = e
    return out
z = lzw("TOBEORNOTTOBEORTOBEORNOT")
print(z, unlzw(z))
groups = defaultdict(list)
for w in "listen silent enlist google elbow below inlets".split(): groups["".join(sorted(w))].append(w)
print([g for g in groups.values() if len(g) > 1])
def roman(n):
    out = ""
    for v, r in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        while n >= v: out += r; n -= v
    return out
def unroman(s):
    vals = dict(zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000)))
    return sum(vals[a] if vals[a] >= vals.get(b, 0) else -vals[a] for a, b in zip(s, s[1:] + " "))
print([roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024)], all(unroman(roman(n)) == n for n in range(1, 4000, 7)))
def parse_csv(text):
    rows, row, field, quoted, i = [], [], "", False, 0
    while i < len(text):
        c = text[i]
        if quoted:
            if c == '"' and text[i + 1:i + 2] == '"': field += '"'; i += 1
            elif c == '"': quoted = False
            else: field += c
        elif c == '"': quoted = True
        elif c == ",": row.append(field); field = ""
        elif c == "\n": rows.append(row + [field]); row, field = [], ""
        else: field += c
        i += 1
    return rows
print(parse_csv('name,quote\nBob,"He said ""hi"", ok"\nAl,"multi\nline"\n'))
def render(t, ctx): return re.sub(r"\{\{\s*(\w+)(?:\|(\w+))?\s*\}\}", lambda m: {"upper": str.upper, "title": str.title, None: str}[m[2]](str(ctx.get(m[1], "?"))), t)
print(render("Hi {{ name|title }}, you owe {{amt}} {{cur|upper}} {{x}}", {"name": "ann lee", "amt": 5, "cur": "cby"}))
def is_pal(s): s = [c for c in s.lower() if c.isalnum()]; return s == s[::-1]
print(is_pal("A man, a plan, a canal: Panama"), is_pal("hello"), "".join(reversed("stressed")), " ".join(w[::-1] for w in "olleh dlrow".split()), "hello world".title().swapcase())
def morse(s): return " / ".join(" ".join({"s": "...", "o": "---", "e": ".", "t": "-"}.get(c, "?") for c in w) for w in s.lower().split())
print(morse("SOS toes"), "".join(f"{ord(c):08b}" for c in "Hi"), "".join(chr(int(b, 2)) for b in re.findall("." * 8, "0100100001101001")))
def soundex(w):
    codes = {c: d for d, cs in enumerate("bfpv cgjkqsxz dt l mn r".split(), 1) for c in cs}
    out, last = w[0].upper(), codes.get(w[0].lower())
    for c in w[1:].lower():
        d = codes.get(c)
        if d and d != last: out += str(d)
        if c not in "hw": last = d
    return (out + "000")[:4]
print([soundex(w) for w in ("Robert", "Rupert", "Tymczak", "Pfister", "Honeyman")])
