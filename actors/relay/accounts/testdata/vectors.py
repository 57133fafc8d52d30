"""Signed requests of the account API (storage-cbfs sections 2.5 and 3.4, docs/running-a-relay.md), from the documents alone. Nothing but Python's own library:
keccak256, secp256k1 and Ed25519 are written here.

python3 vectors.py > vectors.json
"""
import base64
import hashlib
import hmac
import json
import struct

# --- keccak256, FIPS 202's permutation with the original padding ---


def keccak256(data):
    mask = 2**64 - 1
    rot = lambda v, n: ((v << n) | (v >> (64 - n))) & mask if n else v
    data = bytearray(data) + b"\x01"
    data += bytes(-len(data) % 136)
    data[-1] |= 0x80
    a = [[0] * 5 for _ in range(5)]
    for at in range(0, len(data), 136):
        for i in range(17):
            a[i % 5][i // 5] ^= struct.unpack_from("<Q", data, at + 8 * i)[0]
        lfsr = 1
        for _ in range(24):
            c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
            d = [c[(x + 4) % 5] ^ rot(c[(x + 1) % 5], 1) for x in range(5)]
            a = [[a[x][y] ^ d[x] for y in range(5)] for x in range(5)]
            x, y, cur = 1, 0, a[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                cur, a[x][y] = a[x][y], rot(cur, (t + 1) * (t + 2) // 2 % 64)
            for y in range(5):
                row = [a[x][y] for x in range(5)]
                for x in range(5):
                    a[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
            for j in range(7):
                lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x71)) % 256
                if lfsr & 2:
                    a[0][0] ^= 1 << ((1 << j) - 1)
    return b"".join(struct.pack("<Q", a[i % 5][i // 5]) for i in range(4))


assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

# --- secp256k1 with RFC 6979 and low s: r, s, recovery id of 0 or 1 ---

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)


def plus(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0]:
        if (p[1] + q[1]) % P == 0:
            return None
        k = 3 * p[0] * p[0] * pow(2 * p[1], -1, P) % P
    else:
        k = (q[1] - p[1]) * pow(q[0] - p[0], -1, P) % P
    x = (k * k - p[0] - q[0]) % P
    return x, (k * (p[0] - x) - p[1]) % P


def times(k, p):
    out = None
    while k:
        if k & 1:
            out = plus(out, p)
        p, k = plus(p, p), k >> 1
    return out


def address(secret):
    x, y = times(secret, G)
    return keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:]


def wallet_sign(secret, digest):
    h = lambda key, *parts: hmac.new(key, b"".join(parts), hashlib.sha256).digest()
    own, e = secret.to_bytes(32, "big"), int.from_bytes(digest, "big") % N
    v, k = b"\x01" * 32, bytes(32)
    k = h(k, v, b"\x00", own, e.to_bytes(32, "big"))
    v = h(k, v)
    k = h(k, v, b"\x01", own, e.to_bytes(32, "big"))
    v = h(k, v)
    v = h(k, v)
    once = int.from_bytes(v, "big")
    x, y = times(once, G)
    s = pow(once, -1, N) * (e + x * secret) % N
    odd = y & 1
    if s > N // 2:
        s, odd = N - s, odd ^ 1
    return x.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([odd])


# --- Ed25519, RFC 8032 ---

Q = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, Q) % Q
BY = 4 * pow(5, -1, Q) % Q


def from_y(y, sign):
    xx = (y * y - 1) * pow(D * y * y + 1, -1, Q) % Q
    x = pow(xx, (Q + 3) // 8, Q)
    if (x * x - xx) % Q:
        x = x * pow(2, (Q - 1) // 4, Q) % Q
    return Q - x if x & 1 != sign else x


BASE = (from_y(BY, 0), BY)


def edwards(p, q):
    t = D * p[0] * q[0] * p[1] * q[1] % Q
    return (p[0] * q[1] + p[1] * q[0]) * pow(1 + t, -1, Q) % Q, (p[1] * q[1] + p[0] * q[0]) * pow(1 - t, -1, Q) % Q


def scaled(k, p):
    out = (0, 1)
    while k:
        if k & 1:
            out = edwards(out, p)
        p, k = edwards(p, p), k >> 1
    return out


def packed(p):
    return (p[1] | (p[0] & 1) << 255).to_bytes(32, "little")


def expanded(seed):
    h = hashlib.sha512(seed).digest()
    a = int.from_bytes(h[:32], "little") & ~7 & (1 << 254) - 1 | 1 << 254
    return a, h[32:]


def key_of(seed):
    return packed(scaled(expanded(seed)[0], BASE))


def key_sign(seed, message):
    a, prefix = expanded(seed)
    number = lambda *parts: int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L
    r = number(prefix, message)
    first = packed(scaled(r, BASE))
    return first + ((r + number(first, key_of(seed), message) * a) % L).to_bytes(32, "little")


# RFC 8032, section 7.1, test 2
SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
assert key_of(SEED).hex() == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
assert key_sign(SEED, b"\x72").hex().startswith("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da")

# --- the documents ---


def certificate(wallet, seed, chain_id, expires_ms):
    """A certificate of a wallet's for a key: fields in bincode's form, then the wallet's signature over their keccak256."""
    text = lambda s: struct.pack("<Q", len(s)) + s.encode()
    body = address(wallet) + key_of(seed) + text("cbfs") + struct.pack("<Q", chain_id) + text("cowboy-%d" % chain_id) + text("cowboy:cbfs")
    body += struct.pack("<Q", expires_ms)
    return body + wallet_sign(wallet, keccak256(body))


def message(node, method, target, body, cert, timestamp, nonce, challenge_id, challenge):
    """What the key signs for a request: each field behind its length in four bytes, the most significant first."""
    sha = lambda b: hashlib.sha256(b).digest()
    fields = [b"cbfs:ras:v1", node, method.encode(), target.encode(), sha(body), sha(cert), b"%d" % timestamp, nonce.encode(), challenge_id.encode(), challenge]
    return b"".join(len(f).to_bytes(4, "big") + f for f in fields)


def headers(seed, node, method, target, body, cert, timestamp, nonce, challenge_id, challenge):
    signature = key_sign(seed, message(node, method, target, body, cert, timestamp, nonce, challenge_id, challenge))
    return {
        "X-Cbfs-Delegation": base64.b64encode(cert).decode(),
        "X-Cbfs-Timestamp": str(timestamp),
        "X-Cbfs-Nonce": nonce,
        "X-Cbfs-Challenge-Id": challenge_id,
        "X-Cbfs-Signature": base64.b64encode(signature).decode(),
    }


def vectors():
    now = 1_750_000_000_000
    for i, (method, target, body) in enumerate([
        ("GET", "/ras/auth/me", b""),
        ("GET", "/ras/volumes?limit=2&cursor=a%20b", b""),
        ("POST", "/ras/volumes", bytes(range(256))),
        ("PUT", "/ras/volumes/docs/set_expiry", b'{"tx": "00"}'),
        ("DELETE", "/ras/volumes/a.b-c_d", b"x" * 1_000),
    ]):
        wallet, seed = 1_000 + i, bytes([i + 1]) * 32
        cert = certificate(wallet, seed, 7, now + 1_000 * i + 60_000)
        node, nonce = hashlib.sha256(b"node %d" % i).digest(), hashlib.sha256(b"nonce %d" % i).hexdigest()[: 16 + 12 * i]
        name, challenge = hashlib.sha256(b"name %d" % i).hexdigest()[:32], hashlib.sha256(b"challenge %d" % i).digest()
        given = (node, method, target, body, cert, now + i, nonce, name, challenge)
        yield {
            "wallet": address(wallet).hex(), "seed": seed.hex(), "expires_at_ms": now + 1_000 * i + 60_000, "certificate": cert.hex(), "node_id": node.hex(),
            "method": method, "target": target, "body": body.hex(), "timestamp_ms": now + i, "nonce": nonce, "challenge_id": name,
            "challenge": challenge.hex(), "message": message(*given).hex(), "headers": headers(seed, *given),
        }


if __name__ == "__main__":
    print(json.dumps(list(vectors()), indent=1))
