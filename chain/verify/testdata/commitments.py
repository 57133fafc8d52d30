"""Commitments to results, by another program: writes commitments.json. Keccak-256, secp256k1 and RFC 6979 are written out from FIPS 202 (with Keccak's own
padding), SEC 1/2 and RFC 6979; nothing of the project is used. Run: python3 commitments.py > commitments.json"""
import hashlib, hmac, json

M = (1 << 64) - 1

def keccak256(data):
    rot = lambda v, n: ((v << n) | (v >> (64 - n))) & M if n else v
    rc, lfsr = [], 1
    for _ in range(24):
        c = 0
        for j in range(7):
            if lfsr & 1:
                c |= 1 << ((1 << j) - 1)
            lfsr = (lfsr << 1) ^ (0x171 if lfsr & 0x80 else 0)
        rc.append(c)
    a = [[0] * 5 for _ in range(5)]
    rate = 136
    data = bytearray(data) + b"\x01"
    data += b"\x00" * (-len(data) % rate)
    data[-1] |= 0x80
    for at in range(0, len(data), rate):
        for i in range(rate // 8):
            a[i % 5][i // 5] ^= int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little")
        for r in range(24):
            c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
            for x in range(5):
                d = c[(x - 1) % 5] ^ rot(c[(x + 1) % 5], 1)
                for y in range(5):
                    a[x][y] ^= d
            x, y, cur = 1, 0, a[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                a[x][y], cur = rot(cur, (t + 1) * (t + 2) // 2 % 64), a[x][y]
            for y in range(5):
                row = [a[x][y] for x in range(5)]
                for x in range(5):
                    a[x][y] = row[x] ^ (~row[(x + 1) % 5] & M & row[(x + 2) % 5])
            a[0][0] ^= rc[r]
    return b"".join(a[i % 5][i // 5].to_bytes(8, "little") for i in range(4))

assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)

def add(p, q):
    if p is None: return q
    if q is None: return p
    if p[0] == q[0] and (p[1] + q[1]) % P == 0: return None
    s = (3 * p[0] * p[0] * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)) % P
    x = (s * s - p[0] - q[0]) % P
    return x, (s * (p[0] - x) - p[1]) % P

def mul(k, p):
    r = None
    while k:
        if k & 1: r = add(r, p)
        p, k = add(p, p), k >> 1
    return r

def nonce(key, h):
    k, v, x = b"\0" * 32, b"\1" * 32, key.to_bytes(32, "big")
    z = (int.from_bytes(h, "big") % N).to_bytes(32, "big")
    for b in (b"\0", b"\1"):
        k = hmac.new(k, v + b + x + z, hashlib.sha256).digest()
        v = hmac.new(k, v, hashlib.sha256).digest()
    v = hmac.new(k, v, hashlib.sha256).digest()
    return int.from_bytes(v, "big")

def sign(key, h):
    k = nonce(key, h)
    x, y = mul(k, G)
    r, odd = x % N, y & 1
    s = pow(k, -1, N) * (int.from_bytes(h, "big") + r * key) % N
    if s > N // 2:
        s, odd = N - s, odd ^ 1
    return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([odd])

def vector(key, job, output):
    h = keccak256(b"cowboy-job-result-v1" + job + keccak256(output))
    proof = sign(key, h)
    salt = keccak256(proof)
    x, y = mul(key, G)
    return {
        "key": key.to_bytes(32, "big").hex(), "runner": keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex(), "job": job.hex(),
        "output": output.hex(), "signed": h.hex(), "proof": proof.hex(), "salt": salt.hex(), "commitment": keccak256(output + salt).hex(),
    }

# The encoding of an output that succeeded: outcome, done, total, Bytes data, four numbers of usage, timestamp, three absent options.
def output(data):
    n, size = len(data), b""
    while n > 127:
        size, n = size + bytes([n & 127 | 128]), n >> 7
    return bytes(3) + size + bytes([n]) + data + bytes([5, 7, 2, 64, 9, 0, 0, 0])

if __name__ == "__main__":
    list_ = []
    for i, data in enumerate([b"", b"42", b'{"price": 1.5}', b"x" * 135, b"y" * 136, bytes(range(256)) * 5]):
        key = int.from_bytes(hashlib.sha256(b"runner %d" % i).digest(), "big") % N
        list_.append(vector(key, hashlib.sha256(b"job %d" % i).digest(), output(data)))
    print(json.dumps(list_, indent=1))
