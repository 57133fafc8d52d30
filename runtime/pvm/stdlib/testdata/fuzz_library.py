# What generated programs found in the library: ranges of floats in structures, formats of decimals, NaNs, long texts in messages.
import collections, decimal, json, math, struct
def t(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
for code in "efd":
    for order in "<>@":
        for x in (65519, 65520, 2**24, -2**127, 2**128, 2**1023, 2**1024, 65519.0, 65520.0, 1e300, float("inf"), True, "x", None, decimal.Decimal(7)):
            t(lambda: struct.pack(order + code, x))
values = [decimal.Decimal(x) for x in ("0", "-0", "1.5", "-12345.678", "1E+5", "-1e-7", "NaN", "-Infinity", "-0.0004")]
for spec in ("*^+013%", "<0", "<05", "05", "005", "00", "x>+z07f", "=+08,", "z.1f", "z.1F", "zF", "z.0%", "z.1e", "N", "12.3N", "0=12", "0=12N", "x<,N", "n", "#", "_", "z", "Z", "d", "s", "é^9", "<0N"):
    for x in values:
        t(lambda: format(x, spec))
for x in ("nan", "-nan", "inf", "-inf", "-0.0"):
    t(lambda: decimal.Decimal(float(x)))
    t(lambda: decimal.Decimal.from_float(float(x)))
for n in (150, 197, 198, 199, 200, 300):
    for text in ("x" * n, "'" * n, "é\n" * n, b"\xff" * n, bytearray(b"z" * n), "ﬁ🙂" * n):
        t(lambda: int(text))
        t(lambda: int(text, 36))
        t(lambda: len(str(text)) and float(text) if n < 200 else 0)
for x in (None, True, 5, 2.0, (), "", b"", int, len, [].append):
    t(lambda: len(repr(x.__hash__)) - len(type(x).__name__))
