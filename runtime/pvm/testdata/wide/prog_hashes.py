import hashlib, struct
def sha256(m):
    def frac(p, r):
        lo, hi = 0, p << 96
        while lo < hi - 1:
            mid = (lo + hi) // 2
            if mid ** r <= p << (32 * r): lo = mid
            else: hi = mid
        return lo & 0xffffffff
    pr = [p for p in range(2, 312) if all(p % q for q in range(2, p))]
    H, K = [frac(p, 2) for p in pr[:8]], [frac(p, 3) for p in pr[:64]]
    rr = lambda x, n: (x >> n | x << 32 - n) & 0xffffffff
    m = bytes(m); d = m + b'\x80' + b'\0' * (-(len(m) + 9) % 64) + struct.pack('>Q', len(m) * 8)
    for o in range(0, len(d), 64):
        w = list(struct.unpack('>16I', d[o:o + 64]))
        for i in range(16, 64): s0 = rr(w[i - 15], 7) ^ rr(w[i - 15], 18) ^ w[i - 15] >> 3; s1 = rr(w[i - 2], 17) ^ rr(w[i - 2], 19) ^ w[i - 2] >> 10; w.append((w[i - 16] + s0 + w[i - 7] + s1) & 0xffffffff)
        a, b, c, e_, e, f, g, h = H
        for k, x in zip(K, w): t1 = h + (rr(e, 6) ^ rr(e, 11) ^ rr(e, 25)) + (e & f ^ ~e & g) + k + x; t2 = (rr(a, 2) ^ rr(a, 13) ^ rr(a, 22)) + (a & b ^ a & c ^ b & c); a, b, c, e_, e, f, g, h = (t1 + t2) & 0xffffffff, a, b, c, (e_ + t1) & 0xffffffff, e, f, g
        H = [(x + y) & 0xffffffff for x, y in zip(H, (a, b, c, e_, e, f, g, h))]
    return struct.pack('>8I', *H).hex()
for m in (b'', b'abc', b'a' * 64, bytes(range(120))): print(sha256(m) == hashlib.sha256(m).hexdigest(), sha256(m)[:16])
def crc32(b, t=[(lambda c: [c := c >> 1 ^ 0xedb88320 * (c & 1) for _ in range(8)][-1])(i) for i in range(256)]):
    c = 0xffffffff
    for x in b: c = t[(c ^ x) & 255] ^ c >> 8
    return c ^ 0xffffffff
print(hex(crc32(b'123456789')), hex(crc32(b'')))
A = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
def b64(b): return ''.join(''.join(A[n >> s & 63] for s in (18, 12, 6, 0))[:4 - p] + '=' * p for i in range(0, len(b), 3) for c in [b[i:i + 3]] for p in [3 - len(c)] for n in [int.from_bytes(c + bytes(p), 'big')])
def unb64(s): n = s.count('='); return b''.join(int.to_bytes(sum(A.index(c) << 18 - 6 * k for k, c in enumerate(s[i:i + 4].replace('=', 'A'))), 3, 'big') for i in range(0, len(s), 4))[:-n or None]
for m in (b'', b'f', b'fo', b'foo', bytes(range(250, 256))): print(b64(m), unb64(b64(m)) == m)
def b58(b, a='123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'):
    n, s = int.from_bytes(b, 'big'), ''
    while n: n, r = divmod(n, 58); s = a[r] + s
    return a[0] * (len(b) - len(b.lstrip(b'\0'))) + s
print(b58(b'\0\0hello world')); fnv = lambda b: __import__ and 0
def fnv(b, h=0xcbf29ce484222325):
    for x in b: h = (h ^ x) * 0x100000001b3 % 2 ** 64
    return h
def adler(b, a=1, c=0):
    for x in b: a = (a + x) % 65521; c = (c + a) % 65521
    return c << 16 | a
print(hex(fnv(b'foobar')), hex(adler(b'Wikipedia')), [hashlib.new(n, b'x').hexdigest()[:8] for n in ('md5', 'sha1', 'sha224', 'sha384', 'sha512', 'sha3_256', 'blake2b', 'blake2s')], hashlib.blake2b(b'k', digest_size=8, key=b'key', salt=b's', person=b'p').hexdigest(), hashlib.shake_128(b'').hexdigest(5), hashlib.pbkdf2_hmac('sha256', b'pw', b'salt', 3).hex()[:16])
h = hashlib.sha256(); h.update(b'a'); k = h.copy(); h.update(b'b'); k.update(b'c'); print(h.hexdigest()[:8], k.hexdigest()[:8], h.digest_size, h.block_size, h.name, hashlib.sha256(b'ab').digest() == h.digest())
def merkle(ls):
    n = [hashlib.sha256(x).digest() for x in ls]
    while len(n) > 1: n = [hashlib.sha256(a + b).digest() for a, b in zip(n[::2], n[1::2] + n[-1:] * (len(n) % 2))]
    return n[0].hex()[:16]
print([merkle([bytes([i]) for i in range(k)]) for k in (1, 2, 3, 4, 7)])
