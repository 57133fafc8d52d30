# Integer arithmetic over all sign combinations and sizes.
values = [0, 1, -1, 2, -2, 3, 7, -7, 10, -10, 255, 256, 2**31 - 1, -2**31, 2**62, 2**63 - 1, -2**63, 2**63, 2**64, -2**64 - 1,
          10**18, 10**19, -10**30, 2**200 + 1]
for a in values:
    print(a, -a, +a, ~a, abs(a), bool(a), a.bit_length(), int(str(a)) == a)
for a in values:
    row = []
    for b in values:
        row.append((a + b, a - b, a * b))
    print(sum(x for x, _, _ in row), sum(y for _, y, _ in row), sum(z for _, _, z in row))
for a in values:
    for b in values:
        if b:
            q, r = divmod(a, b)
            assert q == a // b and r == a % b and q * b + r == a
            assert (0 <= r < b) if b > 0 else (b < r <= 0)
print([(a // b, a % b) for a in (7, -7) for b in (2, -2)])
for a in (-3, 0, 5, 2**65, -2**65):
    for n in (0, 1, 5, 63, 64, 65, 130):
        print(a << n, a >> n, end=" ")
    print()
print(5 & 3, 5 | 3, 5 ^ 3, -5 & 3, -5 | 3, -5 ^ 3, -5 & -3, -5 | -3, -5 ^ -3)
big = 2**100 - 12345
print(big & 0xFFFF, big | 1, big ^ -1, -big & 0xFFFFFFFFFFFFFFFFFFFF, -big | 7, -big ^ big)
print(2**10, (-2)**3, 0**0, 1**1000, 2**-1, (-2)**-2, 10**-3)
print(pow(3, 200, 1000007), pow(3, -1, 7), pow(-3, 5, 7), pow(2, 10, -7), pow(7, 0, 1))
for f in (lambda: 1 // 0, lambda: 1 % 0, lambda: divmod(1, 0), lambda: 1 << -1, lambda: 1 >> -1, lambda: 0 ** -1, lambda: pow(2, -1, 4),
          lambda: pow(2, 2, 0), lambda: int("x"), lambda: int(""), lambda: int("12", 1), lambda: int("9", 8), lambda: int(None),
          lambda: int([]), lambda: 1 + "a", lambda: 1 < "a", lambda: -"a", lambda: ~1.5, lambda: 1 @ 2):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
x = 5
x += 2; x -= 1; x *= 10; x //= 7; x %= 5; x **= 3; x <<= 2; x |= 1; x &= 0xFF; x ^= 3; x >>= 1
print(x)
x = 7
x /= 2
print(x, 7 / 2, -7 / 2, 10**30 / 10**28, 1 / 3, 2**1000 / 2**999)
