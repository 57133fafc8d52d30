# Number theory: sieve, factorization, totient, perfect numbers, Collatz, modular arithmetic.
def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[0:2] = b"\0\0"
    for i in range(2, int(n ** 0.5) + 1):
        if flags[i]: flags[i * i::i] = bytes(len(flags[i * i::i]))
    return [i for i, f in enumerate(flags) if f]
primes = sieve(2000)
print(len(primes), primes[:10], primes[-3:], sum(primes))
def factor(n):
    out, d = {}, 2
    while d * d <= n:
        while n % d == 0: out[d] = out.get(d, 0) + 1; n //= d
        d += 1 if d == 2 else 2
    if n > 1: out[n] = out.get(n, 0) + 1
    return out
for n in (1, 2, 360, 997, 1001, 2**20, 600851475143, 10**12 + 39): print(n, factor(n))
def phi(n):
    r = n
    for p in factor(n): r -= r // p
    return r
print([phi(n) for n in range(1, 21)], [n for n in range(2, 500) if sum(d for d in range(1, n) if n % d == 0) == n])
def collatz(n):
    steps = 0
    while n != 1: n = n // 2 if n % 2 == 0 else 3 * n + 1; steps += 1
    return steps
print([collatz(n) for n in range(1, 20)], max(range(1, 2000), key=collatz))
def egcd(a, b): return (a, 1, 0) if b == 0 else (lambda g, x, y: (g, y, x - a // b * y))(*egcd(b, a % b))
def crt(rs, ms):
    M = 1
    for m in ms: M *= m
    x = 0
    for r, m in zip(rs, ms):
        g, p, _ = egcd(M // m, m)
        x += r * p * (M // m)
    return x % M
print(egcd(240, 46), crt([2, 3, 2], [3, 5, 7]), pow(3, 1000, 13))
def miller_rabin(n):
    if n < 2: return False
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % p == 0: return n == p
    d, s = n - 1, 0
    while d % 2 == 0: d //= 2; s += 1
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(a, d, n)
        if x in (1, n - 1): continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1: break
        else: return False
    return True
print([n for n in range(10**9, 10**9 + 100) if miller_rabin(n)], miller_rabin(2**89 - 1), miller_rabin(2**83 - 1), [i for i in range(2, 130) if miller_rabin(2**i - 1)])
p, q, e = 2**61 - 1, 2**31 - 1, 65537
n, t = p * q, (p - 1) * (q - 1)
d = pow(e, -1, t)
m = int.from_bytes(b"cowboy", "big")
c = pow(m, e, n)
print(c, pow(c, d, n).to_bytes(6, "big"))
print([sum(int(c) for c in str(2**n)) for n in (10, 100, 1000)], [n for n in range(1, 1000) if n == sum(int(c) ** len(str(n)) for c in str(n))])
