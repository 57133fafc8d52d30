# Hashes and codes written out: SHA-256, MD5-like rotations, CRC32, Adler, base64, base58, XTEA, RC4, Luhn, Merkle tree.
import hashlib, struct
def sha256(msg):
    def frac_root(p, k):
        lo, hi = 0, 1 << 40
        n = p << (32 * k)
        x = 1
        while x ** k <= n: x *= 2
        lo, hi = x // 2, x
        while lo + 1 < hi:
            m = (lo + hi) // 2
            if m ** k <= n: lo = m
            else: hi = m
        return lo & 0xFFFFFFFF
    primes, c = [], 2
    while len(primes) < 64:
        if all(c % p for p in primes): primes.append(c)
        c += 1
    K = [frac_root(p, 3) for p in primes]
    H = [frac_root(p, 2) for p in primes[:8]]
    rot = lambda x, n: (x >> n | x << 32 - n) & 0xFFFFFFFF
    msg = msg + b"\x80" + b"\0" * ((55 - len(msg)) % 64) + struct.pack(">Q", len(msg) * 8)
    for i in range(0, len(msg), 64):
        w = list(struct.unpack(">16I", msg[i:i + 64]))
        for j in range(16, 64):
            s0 = rot(w[j - 15], 7) ^ rot(w[j - 15], 18) ^ w[j - 15] >> 3
            s1 = rot(w[j - 2], 17) ^ rot(w[j - 2], 19) ^ w[j - 2] >> 10
            w.append((w[j - 16] + s0 + w[j - 7] + s1) & 0xFFFFFFFF)
        a, b, c, d, e, f, g, h = H
        for j in range(64):
            t1 = h + (rot(e, 6) ^ rot(e, 11) ^ rot(e, 25)) + (e & f ^ ~e & g) + K[j] + w[j]
            t2 = (rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) & 0xFFFFFFFF, a, b, c, (d + t1) & 0xFFFFFFFF, e, f, g
        H = [(x + y) & 0xFFFFFFFF for x, y in zip(H, (a, b, c, d, e, f, g, h))]
    return b"".join(struct.pack(">I", x) for x in H)
for m in (b"", b"abc", b"a" * 100): print(sha256(m).hex(), sha256(m) == hashlib.sha256(m).digest())
table = []
for i in range(256):
    c = i
    for _ in range(8): c = c >> 1 ^ 0xEDB88320 if c & 1 else c >> 1
    table.append(c)
def crc32(data):
    c = 0xFFFFFFFF
    for b in data: c = table[(c ^ b) & 255] ^ c >> 8
    return c ^ 0xFFFFFFFF
def adler(data):
    a, b = 1, 0
    for x in data: a = (a + x) % 65521; b = (b + a) % 65521
    return b << 16 | a
print(hex(crc32(b"123456789")), hex(adler(b"Wikipedia")))
AL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
def b64(data):
    out = ""
    for i in range(0, len(data), 3):
        chunk = data[i:i + 3]
        n = int.from_bytes(chunk + b"\0" * (3 - len(chunk)), "big")
        out += "".join(AL[n >> s & 63] for s in (18, 12, 6, 0))[:len(chunk) + 1] + "=" * (3 - len(chunk))
    return out
def unb64(s):
    n = sum(1 for c in s if c == "=")
    bits = "".join(f"{AL.index(c):06b}" for c in s.rstrip("="))
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - len(bits) % 8, 8))
print([b64(b"hello"[:n]) for n in range(6)], unb64(b64(bytes(range(20)))) == bytes(range(20)))
B58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
def b58(data):
    n, out = int.from_bytes(data, "big"), ""
    while n: n, r = divmod(n, 58); out = B58[r] + out
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + out
print(b58(b"\0\0hello world"), b58(hashlib.sha256(b"x").digest()))
def xtea(block, key, enc=True):
    v0, v1 = block
    D, M = 0x9E3779B9, 0xFFFFFFFF
    s = 0 if enc else D * 32 & M
    for _ in range(32):
        if enc:
            v0 = v0 + ((v1 << 4 ^ v1 >> 5) + v1 ^ s + key[s & 3]) & M
            s = s + D & M
            v1 = v1 + ((v0 << 4 ^ v0 >> 5) + v0 ^ s + key[s >> 11 & 3]) & M
        else:
            v1 = v1 - ((v0 << 4 ^ v0 >> 5) + v0 ^ s + key[s >> 11 & 3]) & M
            s = s - D & M
            v0 = v0 - ((v1 << 4 ^ v1 >> 5) + v1 ^ s + key[s & 3]) & M
    return v0, v1
c = xtea((0x41424344, 0x45464748), (0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F))
print([hex(x) for x in c], [hex(x) for x in xtea(c, (0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F), False)])
def rc4(key, data):
    s, j = list(range(256)), 0
    for i in range(256): j = (j + s[i] + key[i % len(key)]) % 256; s[i], s[j] = s[j], s[i]
    i = j = 0
    out = bytearray()
    for b in data:
        i = (i + 1) % 256; j = (j + s[i]) % 256; s[i], s[j] = s[j], s[i]
        out.append(b ^ s[(s[i] + s[j]) % 256])
    return bytes(out)
print(rc4(b"Key", b"Plaintext").hex(), rc4(b"Key", rc4(b"Key", b"Plaintext")))
def luhn(n): return sum(int(d) if i % 2 == 0 else sum(divmod(2 * int(d), 10)) for i, d in enumerate(reversed(n))) % 10 == 0
print(luhn("4539578763621486"), luhn("8273123273520569"))
def H(*parts): return hashlib.sha256(b"".join(parts)).digest()
def merkle(leaves):
    level = [H(b"\0", l) for l in leaves]
    levels = [level]
    while len(level) > 1:
        if len(level) % 2: level = level + [level[-1]]
        level = [H(b"\1", a, b) for a, b in zip(level[::2], level[1::2])]
        levels.append(level)
    return levels
def proof(levels, i):
    out = []
    for level in levels[:-1]:
        j = i ^ 1
        out.append((j < i, level[min(j, len(level) - 1)])); i //= 2
    return out
def verify(leaf, pr, root):
    h = H(b"\0", leaf)
    for left, s in pr: h = H(b"\1", s, h) if left else H(b"\1", h, s)
    return h == root
ls = [bytes([i]) * 3 for i in range(5)]
lv = merkle(ls)
root = lv[-1][0]
print(root.hex(), [verify(l, proof(lv, i), root) for i, l in enumerate(ls)], verify(b"bad", proof(lv, 0), root))
def hamming(bits):
    n, p = len(bits), 0
    out = [0]
    i = 1
    it = iter(bits)
    for pos in range(1, 100):
        if pos & (pos - 1): 
            b = next(it, None)
            if b is None: break
            out.append(b)
        else: out.append(0)
    k = 1
    while k < len(out):
        for pos in range(1, len(out)):
            if pos & k and pos != k: out[k] ^= out[pos]
        k *= 2
    return out[1:]
code = hamming([1, 0, 1, 1])
code[4] ^= 1
err = 0
for pos, b in enumerate(code, 1):
    if b: err ^= pos
print(code, "error at", err, [n ^ n >> 1 for n in range(8)], [bin(n).count("1") for n in range(10)])
