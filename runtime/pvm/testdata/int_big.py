# Big integers: algorithms that stress carries and division.
def fact(n):
    r = 1
    for i in range(2, n + 1):
        r *= i
    return r
print(fact(50), fact(100), len(str(fact(200))))
def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
print(fib(100), fib(500))
def isqrt(n):
    x = n
    y = (x + 1) // 2
    while y < x:
        x = y
        y = (x + n // x) // 2
    return x
print(isqrt(10**100), isqrt(2 * 10**60))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
print(gcd(fact(30), fib(300)), gcd(2**90 - 1, 2**60 - 1))
def pi_digits(n):
    out = []
    q, r, t, k, m, x = 1, 0, 1, 1, 3, 3
    while len(out) < n:
        if 4 * q + r - t < m * t:
            out.append(str(m))
            q, r, m = 10 * q, 10 * (r - m * t), (10 * (3 * q + r)) // t - 10 * m
        else:
            q, r, t, k, m, x = q * k, (2 * q + r) * x, t * x, k + 1, (q * (7 * k + 2) + r * x) // (t * x), x + 2
    return "".join(out)
print(pi_digits(60))
p = 2**127 - 1
print(pow(3, p - 1, p), pow(5, (p - 1) // 2, p) in (1, p - 1))
h = 0
for ch in "the quick brown fox":
    h = (h * 1000003 ^ ord(ch)) & (2**128 - 1)
print(h, hex(h), f"{h:040x}")
x = 2**500
for i in range(0, 500, 37):
    print(x >> i & 0xFF, (x - 1) >> i & 0xFF, -x >> i & 0xFF)
print(int("9" * 200) + 1 == 10**200, str(10**200 - 1) == "9" * 200, int("f" * 50, 16) == 16**50 - 1)
print(10**50 // 3, -10**50 // 3, 10**50 % 97, -10**50 % 97, (10**50) * (-(10**50)))
print((1 << 300) - (1 << 299) == 1 << 299, (3**200).bit_length(), (3**200) ^ (5**130) == (5**130) ^ (3**200))
print(sorted([2**70, -2**70, 0, 2**64, 2**63, -1]), max(2**64, 2**65), 2**64 == 2.0**64, 2**53 + 1 == 2.0**53, 2**64 < 1e20)
print(float(10**22), float(2**70 + 1), int(1e22), int(-1.5e300) % 1000, 10**300 / 10**299)
try:
    float(10**400)
except OverflowError as e:
    print(e)
try:
    10**400 / 1
except OverflowError as e:
    print(e)
