import math
from decimal import Decimal, ROUND_HALF_UP, ROUND_DOWN
def newton(f, df, x, eps=1e-12):
    for i in range(100):
        x2 = x - f(x) / df(x)
        if abs(x2 - x) < eps: return x2, i
        x = x2
    raise ArithmeticError('no convergence')
r, n = newton(lambda x: x * x - 2, lambda x: 2 * x, 1.0); print(r, n, r == math.sqrt(2))
simpson = lambda f, a, b, n=100: (b - a) / n / 3 * (f(a) + f(b) + sum((4 if i % 2 else 2) * f(a + i * (b - a) / n) for i in range(1, n)))
print(round(simpson(math.sin, 0, math.pi), 10), round(simpson(lambda x: 1 / x, 1, math.e), 9))
def mat(a, b): return [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
def mpow(m, n): return [[int(i == j) for j in range(len(m))] for i in range(len(m))] if n == 0 else mat(mpow(mat(m, m), n // 2), m if n % 2 else [[int(i == j) for j in range(len(m))] for i in range(len(m))])
print(mpow([[1, 1], [1, 0]], 90)[0][1], mat([[1, 2], [3, 4]], [[0, 1], [1, 0]]), list(zip(*[[1, 2, 3], [4, 5, 6]])))
def gauss(A, b):
    M = [r[:] + [v] for r, v in zip(A, b)]; n = len(M)
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(M[r][i])); M[i], M[p] = M[p], M[i]
        for r in range(n):
            if r != i: f = M[r][i] / M[i][i]; M[r] = [x - f * y for x, y in zip(M[r], M[i])]
    return [round(M[i][n] / M[i][i], 9) for i in range(n)]
print(gauss([[2., 1, -1], [-3, -1, 2], [-2, 1, 2]], [8., -11, -3]))
def sieve(n):
    s = bytearray([0, 0] + [1] * (n - 1))
    for i in range(2, int(n ** .5) + 1):
        if s[i]: s[i * i::i] = bytes(len(range(i * i, n + 1, i)))
    return [i for i, p in enumerate(s) if p]
print(sieve(60), len(sieve(3000))); collatz = lambda n: 1 + (collatz(n // 2 if n % 2 == 0 else 3 * n + 1) if n > 1 else 0); print(max(range(1, 300), key=collatz), collatz(27))
print([sum(int(d) for d in str(2 ** k)) for k in (15, 100, 1000)], [n for n in range(10, 2000) if n == sum(int(d) ** len(str(n)) for d in str(n))], [n for n in range(2, 500) if sum(d for d in range(1, n) if n % d == 0) == n])
pascal = lambda n: [math.comb(n, k) for k in range(n + 1)]; print(*(f"{' '.join(map(str, pascal(i))):^20}".rstrip() for i in range(6)), sep='\n')
def mandel(w=40, h=12):
    for y in range(h):
        row = ''
        for x in range(w):
            z = c = complex(-2.2 + 3.2 * x / w, -1.2 + 2.4 * y / h); k = 0
            while abs(z) <= 2 and k < 29: z = z * z + c; k += 1
            row += ' .:-=+*#%@'[k // 3]
        yield row
print('\n'.join(mandel()))
def pi_digits(n):
    q, r, t, k, m, x = 1, 0, 1, 1, 3, 3; out = []
    while len(out) < n:
        if 4 * q + r - t < m * t: out.append(m); q, r, m = 10 * q, 10 * (r - m * t), (10 * (3 * q + r)) // t - 10 * m
        else: q, r, t, k, m, x = q * k, (2 * q + r) * x, t * x, k + 1, (q * (7 * k + 2) + r * x) // (t * x), x + 2
    return ''.join(map(str, out))
print(pi_digits(50)); isqrt = lambda n: next(x for x in iter(lambda s=[n]: s.__setitem__(0, (s[0] + n // s[0]) // 2) or s[0], None) if x * x <= n); print(isqrt(10 ** 40), math.isqrt(2 * 10 ** 60))
def loan(p, rate, months):
    p, i = Decimal(p), Decimal(rate) / 1200; pay = (p * i / (1 - (1 + i) ** -months)).quantize(Decimal('.01'), ROUND_HALF_UP); tot = Decimal(0)
    for k in range(1, months + 1):
        intr = (p * i).quantize(Decimal('.01'), ROUND_HALF_UP); pay = min(pay, p + intr); p -= pay - intr; tot += intr
        if k in (1, months): yield f'{k:>3} {pay:>10,} {intr:>8} {p:>12,.2f}'
    yield f'total {tot:,}'
print(*loan('10000', '4.5', 24), sep='\n')
def stats(xs): n = len(xs); m = math.fsum(xs) / n; s = sorted(xs); med = (s[n // 2] + s[~(n // 2)]) / 2; return round(m, 4), med, round(math.sqrt(sum((x - m) ** 2 for x in xs) / (n - 1)), 6), min(xs), max(xs)
print(stats([2.5, 3.5, 1.0, 9.25, 4.0]), math.dist((0, 0), (3, 4)), math.prod(range(1, 11)), math.gcd(84, 36, 24), math.lcm(4, 6, 10), divmod(-17, 5), -17 // 5, math.fmod(-17, 5), round(2.5), round(3.5), f'{1e-7:.3e} {123456789:,} {0.1 + 0.2!r} {1 / 3:.20f} {255:#010b} {-5:+} {1e20:g} {float("inf")} {2**70:_}')
def knap(items, cap):
    best = {0: (0, ())}
    for n, w, v in items:
        for c, (val, ns) in sorted(best.items(), reverse=True):
            if c + w <= cap and val + v > best.get(c + w, (-1,))[0]: best[c + w] = val + v, ns + (n,)
    return max(best.values(), key=lambda t: t[0])
print(knap([('map', 9, 150), ('compass', 13, 35), ('water', 153, 200), ('sandwich', 50, 160), ('glucose', 15, 60), ('tin', 68, 45), ('banana', 27, 60), ('apple', 39, 40)], 200))
def change(n, coins): ways = [1] + [0] * n; [ways.__setitem__(i, ways[i] + ways[i - c]) for c in coins for i in range(c, n + 1)]; return ways[n]
print(change(100, (1, 5, 10, 25, 50)), change(5, (2, 4)))
def hanoi(n, a='A', b='B', c='C'): yield from () if not n else (*hanoi(n - 1, a, c, b), (a, c), *hanoi(n - 1, b, a, c))
print(len(list(hanoi(8))), list(hanoi(2))); ack = lambda m, n: n + 1 if not m else ack(m - 1, 1) if not n else ack(m - 1, ack(m, n - 1)); print(ack(2, 3)); gray = [f'{i ^ i >> 1:03b}' for i in range(8)]; print(gray, [bin(i).count('1') for i in range(16)], int('z', 36), sum(b << i for i, b in enumerate([1, 0, 1, 1])))
