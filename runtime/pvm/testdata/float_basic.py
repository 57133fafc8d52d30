# Floats: literals, arithmetic, repr, comparison.
vals = [0.0, -0.0, 1.0, -1.5, 0.1, 0.2, 1e-7, 1e16, 123456789.123, 1e100, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308,
        float("inf"), float("-inf")]
for v in vals:
    print(v, repr(v), str(v), -v, abs(v), bool(v), v == v, v.is_integer() if v - v == 0 else None)
for a in vals[:9]:
    for b in vals[:9]:
        r = [a + b, a - b, a * b]
        if b:
            r += [a / b, a // b, a % b, divmod(a, b)]
        print(r)
print(0.1 + 0.2, 0.1 * 3, 1 / 3, 2 / 3, 1e16 + 1, 1e15 + 0.3, 100.0, 1e22, 1e23, 123e-5, 1.0e-4, 1e-5, 12345678901234567.0)
print(7.5 // 2, -7.5 // 2, 7.5 % 2, -7.5 % 2, 7.5 % -2, divmod(-7.5, 2), 2.5 ** 2, 4 ** 0.5, 2.0 ** -1, (-8) ** 2.0)
nan = float("nan")
inf = float("inf")
print(nan, nan == nan, nan != nan, nan < 1, inf > 1e308, inf - inf, inf * 0, inf / inf, inf + 1, -inf < inf, [nan] == [nan], nan in [nan])
print(max(1.5, 2), min(2, 1.5), sum([0.1] * 10), round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234.5678, -2), round(1e20, 2))
print(round(0.5), round(1.5), round(2.345, 2), round(1.005, 2), round(-0.4), round(5e-324, 5), round(1.15, 1), type(round(1.0)), type(round(1.0, 0)))
for f in (lambda: 1.0 / 0, lambda: 1.0 // 0, lambda: 1.0 % 0, lambda: 0.0 ** -1, lambda: float("x"), lambda: float(""), lambda: float([]),
          lambda: int(inf), lambda: int(nan), lambda: round(inf), lambda: 1e308 ** 2, lambda: 1.5 << 1, lambda: "a" * 1.5, lambda: [1][1.0]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
for s in ("1", " 1.5 ", "-1e5", ".5", "5.", "1_0.5", "inf", "-Infinity", "NaN", "1e400", "-1e-400", "0x1", "1__0", "١.٥"):
    try:
        print(repr(s), float(s))
    except ValueError as e:
        print(e)
print(1.0 == 1, 1.5 == 3 / 2, 2**53 == 2.0**53, 2**53 + 1 == 2.0**53, 0.5 in (1, 0.5), 1e1000 == inf, -0.0 == 0.0, str(-0.0))
print(hash(1.0), hash(0.5), hash(-0.0), hash(1e300), hash(inf), hash(-inf), hash(2.5), hash(0.1))
print((0.5).as_integer_ratio(), (0.1).as_integer_ratio(), (-2.5).as_integer_ratio(), (0.1).hex(), (-1.5).hex(), float.fromhex("0x1.8p1"), (1e-320).hex())
print(float(), float(3), float(True), float("1e3"), 3.0 .real, 3.5.imag, (2.5).conjugate(), 5.0.is_integer(), (-0.0).is_integer())
print(3.7.__int__(), 3.7.__trunc__(), (-3.7).__floor__(), (-3.7).__ceil__(), 1.5.__add__(1), (1.5).__radd__(2), (1.5).__eq__("x"))
x = 1.5
x += 1; x *= 2; x -= 0.5; x /= 3; x //= 0.5; x **= 3; x %= 5
print(x)
print(1.1 + 2.2 == 3.3, abs(1.1 + 2.2 - 3.3) < 1e-9, 0.1 + 0.7 + 0.2, (0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3))
print([i / 10 for i in range(-5, 6)], [2.0 ** i for i in range(-5, 12)], 10.0 ** 15, 10.0 ** 16, 10.0 ** 17)
class F(float):
    def __str__(self): return "F"
print(F(1.5), F("2") + 1, type(F(1) + 1), repr(F(2.5)), F(2.5) == 2.5, f"{F(2.5)}", f"{F(2.5):.1f}", "%s" % F(1))
