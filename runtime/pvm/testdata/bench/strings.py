def run(n):
    parts = []
    for i in range(n):
        s = f"{i:05d}:{i * 7 % 13}"
        parts.append(s.upper().replace(":", "-"))
    text = ",".join(parts)
    toks = text.split(",")
    t = 0
    for tok in toks:
        a, b = tok.split("-")
        t += int(a) + len(b)
        if tok.startswith("000"):
            t += 1
    r = ""
    for c in text[:20000]:
        if c.isdigit():
            r += c
    return t, len(text), len(r), text.find("99999"), text.count("12")
print([run(20000) for _ in range(10)][0])
