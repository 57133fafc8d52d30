# Ways of writing numbers, and reading them back.
for n in (0, 7, 255, 1000, 123456789, -42, 2**40, -2**64):
    print(f"{n:d}|{n:5d}|{n:<8d}|{n:+d}|{n:08d}|{n:x}|{n:#X}|{n:o}|{n:b}|{n:,}|{n:_}|{n:_x}|{n:e}|{n:.3f}|{n:g}|{n:%}")
for v in (0.0, 1.0, -1.5, 3.14159265, 1e-10, 123456.789, 1e21, 9.995, 0.5, 99999.5):
    print(f"{v}|{v:.0f}|{v:.1f}|{v:.5f}|{v:e}|{v:.2e}|{v:g}|{v:.3g}|{v:.10g}|{v:12.4f}|{v:<12.2f}|{v:^12.1f}|{v:+.1f}|{v:,.2f}|{v:.1%}|{v!r:>12}")
for digits in range(0, 18, 3): print([round(x, digits) for x in (1 / 3, 2 / 3, 1e10 / 7, -0.125, 2.675)], f"{1 / 7:.{digits}f}", f"{1e10 / 7:.{digits}e}", f"{2 / 3:.{digits}g}")
for s in ("12", "0x1F", "0b11", "-0o17", "1e3", "1_000", " 5 ", "٣", "1.5", "inf", "nan", "", "1 2", "0x", "1e", "--1", "+5"):
    r = []
    for f in (int, float, lambda t: int(t, 0), lambda t: int(t, 16), complex):
        try: r.append(repr(f(s)))
        except ValueError: r.append("ValueError")
    print(repr(s), *r)
print([int(x) for x in (1.9, -1.9, "10", True, b"7")], [float(x) for x in (1, "2.5", True, b"1e2")], int("zz", 36), int("-101", 2), int("0b101", 2), int("0_1", 8))
print(*(f"{b:08b}" for b in b"AZ"), *(f"{ord(c):#06x}" for c in "é€"), [f"{i:>{w}}" for i, w in ((1, 3), (22, 4))], [f"{0.1 * i:.{i}f}" for i in range(5)])
print(str(1e15), str(1e16), str(123456789012345680.0), str(0.0001), str(0.00001), repr(1.1), repr(1e100), repr(2.0**60), repr(5e-324), 1e23, 9007199254740993.0, 0.1 + 0.2, 1e15 / 3, 100 * 1.1, 1.0 - 0.9, 4.35 * 100, 1.15 + 2.30)
def human(n):
    for u in ("B", "KB", "MB", "GB"):
        if n < 1024: return f"{n:.1f}{u}" if u != "B" else f"{n}B"
        n /= 1024
    return f"{n:.1f}TB"
print([human(n) for n in (0, 1023, 1024, 1536, 10**6, 10**9, 10**13)], [f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}" for n in (1, 2, 3, 4, 11, 12, 21, 101, 111)])
def words(n):
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    tens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
    if n < 20: return ones[n]
    if n < 100: return tens[n // 10] + ("-" + ones[n % 10] if n % 10 else "")
    for d, w in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if n >= d: return words(n // d) + " " + w + (" " + words(n % d) if n % d else "")
print(*map(words, (0, 13, 42, 100, 999, 1001, 123456, 10**9 + 7)), sep="; ")
def base(n, b): return base(n // b, b) + "0123456789abcdefghijklmnopqrstuvwxyz"[n % b] if n >= b else "0123456789abcdefghijklmnopqrstuvwxyz"[n]
print([base(255, b) for b in (2, 3, 8, 16, 36)], all(int(base(n, b), b) == n for n in range(0, 500, 7) for b in range(2, 37)))
def table(rows):
    ws = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]
    return "\n".join(" | ".join(f"{c:>{w}}" if isinstance(c, (int, float)) else f"{c:<{w}}" for c, w in zip(r, ws)) for r in rows)
print(table([("name", "qty", "price"), ("apple", 3, 1.25), ("kiwi", 12, 0.4), ("watermelon", 1, 10.0)]))
