def egcd(a, b):
    x0, x1, y0, y1 = 1, 0, 0, 1
    while b: q, a, b = a // b, b, a % b; x0, x1 = x1, x0 - q * x1; y0, y1 = y1, y0 - q * y1
    return a, x0, y0
def is_prime(n, bases=(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)):
    if n < 2: return False
    for p in bases:
        if n % p == 0: return n == p
    d, s = n - 1, 0
    while d % 2 == 0: d //= 2; s += 1
    for a in bases:
        x = pow(a, d, n)
        if x in (1, n - 1): continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1: break
        else: return False
    return True
def next_prime(n):
    n |= 1
    while not is_prime(n): n += 2
    return n
p, q = next_prime(2 ** 127 + 12345), next_prime(3 ** 80)
n, phi, e = p * q, (p - 1) * (q - 1), 65537
d = pow(e, -1, phi); print(p, q, n.bit_length(), egcd(e, phi)[0], d == egcd(e, phi)[1] % phi)
m = int.from_bytes(b'attack at dawn', 'big'); c = pow(m, e, n); r = pow(c, d, n); print(hex(c)); print(r.to_bytes((r.bit_length() + 7) // 8, 'big'))
class Rng:
    def __init__(self, s): self.s = s
    def __call__(self, k): self.s = (self.s * 6364136223846793005 + 1442695040888963407) % 2 ** 64; return (self.s >> 33) % k
rng = Rng(42); print([rng(100) for _ in range(10)])
def shamir(secret, k, n, P=2 ** 61 - 1):
    co = [secret] + [rng(P) for _ in range(k - 1)]
    return [(x, sum(c * pow(x, i, P) for i, c in enumerate(co)) % P) for x in range(1, n + 1)]
def recover(sh, P=2 ** 61 - 1):
    t = 0
    for i, (xi, yi) in enumerate(sh):
        num = den = 1
        for j, (xj, _) in enumerate(sh):
            if i != j: num = num * -xj % P; den = den * (xi - xj) % P
        t += yi * num * pow(den, P - 2, P)
    return t % P
sh = shamir(123456789, 3, 5); print(recover(sh[:3]), recover(sh[2:]), recover(sh[:2]) == 123456789)
print([k for k in range(2, 60) if is_prime(k)], is_prime(2 ** 89 - 1), is_prime(2 ** 89 + 1))
