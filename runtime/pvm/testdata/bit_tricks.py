# Bit manipulation on ints of any size.
print([bin(x) for x in (0, 5, -5, 2**70)], [x.bit_count() for x in (0, 255, -255, 2**100 - 1)], [x.bit_length() for x in (0, 1, -1, 255, 256, 2**64)], 6 & -6, 12 & 11, ~0, ~-1, 5 ^ 5, -8 >> 1, -1 >> 100, 1 << 100 >> 98)
def rev(x, n): return int(f"{x:0{n}b}"[::-1], 2)
def rotl(x, k, n=32): return (x << k | x >> n - k) & (1 << n) - 1
def popcount(x):
    c = 0
    while x: x &= x - 1; c += 1
    return c
print(rev(0b1011, 8), hex(rotl(0x80000001, 4)), [popcount(x) for x in (0, 7, 255, 2**40)], [x & -x for x in range(1, 9)], [(x - 1).bit_length() for x in range(1, 10)])
def subsets(mask):
    s = mask
    while True:
        yield s
        if s == 0: return
        s = s - 1 & mask
print(list(subsets(0b101)), sum(1 for _ in subsets(0b111111)))
print([(a ^ b, a & b, a | b, a & ~b, ~a & 0xF) for a, b in ((12, 10), (-1, 5), (2**65, 2**65 + 1), (-2**65, 3), (-7, -9))])
def xorshift(n, x=2463534242):
    out = []
    for _ in range(n):
        x ^= x << 13 & 0xFFFFFFFF; x ^= x >> 17; x ^= x << 5 & 0xFFFFFFFF
        out.append(x)
    return out
print(xorshift(5))
def fnv(data, h=0xcbf29ce484222325):
    for b in data: h = (h ^ b) * 0x100000001b3 % 2**64
    return h
print(hex(fnv(b"hello")), hex(fnv(b"")))
def murmur(data, seed=0):
    h, m = seed, 0xFFFFFFFF
    n = len(data) // 4 * 4
    for i in range(0, n, 4):
        k = int.from_bytes(data[i:i + 4], "little") * 0xcc9e2d51 & m
        h ^= rotl(k, 15) * 0x1b873593 & m
        h = rotl(h, 13) * 5 + 0xe6546b64 & m
    k = int.from_bytes(data[n:], "little")
    if k: h ^= rotl(k * 0xcc9e2d51 & m, 15) * 0x1b873593 & m
    h ^= len(data)
    for shift, mul in ((16, 0x85ebca6b), (13, 0xc2b2ae35), (16, 1)): h = (h ^ h >> shift) * mul & m
    return h
print(murmur(b"hello"), murmur(b""), murmur(b"hello, world!", 42))
class MT:
    def __init__(self, seed):
        self.s, self.i = [seed], 624
        for i in range(1, 624): self.s.append(1812433253 * (self.s[-1] ^ self.s[-1] >> 30) + i & 0xFFFFFFFF)
    def next(self):
        if self.i == 624:
            for k in range(624):
                y = self.s[k] & 0x80000000 | self.s[(k + 1) % 624] & 0x7FFFFFFF
                self.s[k] = self.s[(k + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            self.i = 0
        y = self.s[self.i]; self.i += 1
        y ^= y >> 11; y ^= y << 7 & 0x9D2C5680; y ^= y << 15 & 0xEFC60000
        return y ^ y >> 18
mt = MT(5489)
print([mt.next() for _ in range(5)])
class BitSet:
    def __init__(self, it=()): self.b = 0; [self.add(i) for i in it]
    def add(self, i): self.b |= 1 << i
    def __contains__(self, i): return self.b >> i & 1 == 1
    def __iter__(self):
        b = self.b
        while b: low = b & -b; yield low.bit_length() - 1; b ^= low
    def __or__(self, o): r = BitSet(); r.b = self.b | o.b; return r
    def __sub__(self, o): r = BitSet(); r.b = self.b & ~o.b; return r
    def __len__(self): return self.b.bit_count()
a, b = BitSet([1, 5, 100]), BitSet([5, 7])
print(list(a | b), list(a - b), len(a | b), 100 in a, 99 in a)
print((0x1234).to_bytes(2, "big").hex(), int.from_bytes(b"\x12\x34", "little"), (-1).to_bytes(3, "little", signed=True), int.from_bytes(b"\xff\xfe", "big", signed=True), [x >> 8 * i & 255 for x in (0xDEADBEEF,) for i in range(4)], sum(1 << i for i in range(0, 64, 2)) == 0x5555555555555555)
def isqrt(n):
    r, b = 0, 1 << (n.bit_length() + 1) // 2 * 2
    while b > n: b >>= 2
    while b:
        if n >= r + b: n -= r + b; r = (r >> 1) + b
        else: r >>= 1
        b >>= 2
    return r
print([isqrt(n) for n in (1, 15, 16, 10**12, 2**100)], [n for n in range(1, 100) if n & n - 1 == 0], [a + b - 2 * (a & b) == a ^ b for a, b in ((3, 5), (-4, 9))])
def karatsuba(x, y):
    if x < 2**32 or y < 2**32: return x * y
    n = max(x.bit_length(), y.bit_length()) // 2
    m = (1 << n) - 1
    a, b, c, d = x >> n, x & m, y >> n, y & m
    p, q = karatsuba(a, c), karatsuba(b, d)
    return (p << 2 * n) + (karatsuba(a + b, c + d) - p - q << n) + q
print(karatsuba(3**300, 7**250) == 3**300 * 7**250, karatsuba(2**500 - 1, 2**499 + 1) == (2**500 - 1) * (2**499 + 1))
