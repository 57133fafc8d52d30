# complex.
a, b = 3 + 4j, 1 - 2j
print(a, b, a + b, a - b, a * b, a / b, -a, +a, abs(a), a.real, a.imag, a.conjugate(), a == 3 + 4j, a != b, a == 5, 5 + 0j == 5, bool(0j), bool(a), hash(5 + 0j) == hash(5), complex(), complex(1), complex(1, 2), complex("1+2j"), complex(" -3j "), complex("5"), complex(1.5, -0.0))
print(1j * 1j, 2j ** 2, (1 + 1j) ** 2, (1 + 1j) ** -1, 1j + 1, 2 * 1j, 1j / 2, 3 - 1j, 2 ** (1 + 0j), repr(1j), str(1 + 0j), repr(complex(0, -1)), repr(complex(-0.0, 1)), 1e3j, 1.5J, [1j, 2], {1j: 1}[1j], sum([1j, 2j]))
for f in (lambda: a < b, lambda: int(a), lambda: float(a), lambda: a // b, lambda: a % b, lambda: divmod(a, b), lambda: a / 0, lambda: 0j ** -1, lambda: complex("x"), lambda: complex("1 + 2j"), lambda: complex("1", 2), lambda: complex(1, "2"), lambda: round(a), lambda: a & b, lambda: [1][1j], lambda: range(1j), lambda: a.x):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(f"{a}", f"{a:.2f}", f"{a:>12}", f"{1.5 + 2.25j:.1f}", isinstance(a, complex), type(a * 1).__name__, type((a - a).real).__name__, abs(-5j), abs(1 + 1j) ** 2)
