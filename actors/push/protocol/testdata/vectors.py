"""Frames, signatures and subsets of runner-marketplace section 9, from the document alone: CBOR, keccak256 and secp256k1 are written here, Ed25519 is OpenSSL's.

python3 vectors.py > vectors.json
"""
import hashlib
import hmac
import json
import math
import struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# --- keccak256, FIPS 202's permutation with the original padding ---


def keccak256(data):
    rate, lanes = 136, [[0] * 5 for _ in range(5)]
    rot = lambda v, n: ((v << n) | (v >> (64 - n))) & (2**64 - 1) if n else v
    data = bytearray(data) + b"\x01"
    data += bytes(-len(data) % rate)
    data[-1] |= 0x80

    def permute(a):
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
        return a

    for at in range(0, len(data), rate):
        for i in range(rate // 8):
            lanes[i % 5][i // 5] ^= struct.unpack_from("<Q", data, at + 8 * i)[0]
        lanes = permute(lanes)
    return b"".join(struct.pack("<Q", lanes[i % 5][i // 5]) for i in range(4))


assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

# --- secp256k1, RFC 6979, low s ---

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)


def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    m = 3 * p[0] * p[0] * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (m * m - p[0] - q[0]) % P
    return x, (m * (p[0] - x) - p[1]) % P


def times(k, p):
    out = None
    while k:
        if k & 1:
            out = add(out, p)
        p, k = add(p, p), k >> 1
    return out


def compressed(sk):
    x, y = times(sk, G)
    return bytes([2 + y % 2]) + x.to_bytes(32, "big")


def sign(sk, digest):
    x, h1 = sk.to_bytes(32, "big"), (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    mac = lambda key, data: hmac.new(key, data, hashlib.sha256).digest()
    v, k = b"\x01" * 32, b"\x00" * 32
    for sep in (b"\x00", b"\x01"):
        k = mac(k, v + sep + x + h1)
        v = mac(k, v)
    while True:
        v = mac(k, v)
        nonce = int.from_bytes(v, "big")
        if 0 < nonce < N:
            px, py = times(nonce, G)
            r = px % N
            s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * sk) % N
            if r and s:
                parity = py % 2
                if s > N // 2:
                    s, parity = N - s, 1 - parity
                return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([parity])
        k = mac(k, v + b"\x00")
        v = mac(k, v)


# --- CBOR, RFC 8949 section 4.2 ---


def head(major, n):
    for size, info, form in ((24, None, None), (2**8, 24, ">B"), (2**16, 25, ">H"), (2**32, 26, ">I"), (2**64, 27, ">Q")):
        if n < size:
            return bytes([major << 5 | (n if info is None else info)]) + (b"" if form is None else struct.pack(form, n))


def cbor(v):
    if v is False or v is True:
        return b"\xf5" if v else b"\xf4"
    if isinstance(v, int):
        return head(0, v)
    if isinstance(v, bytes):
        return head(2, len(v)) + v
    if isinstance(v, str):
        return head(3, len(v.encode())) + v.encode()
    if isinstance(v, list):
        return head(4, len(v)) + b"".join(map(cbor, v))
    pairs = sorted((cbor(k), cbor(x)) for k, x in v.items())
    return head(5, len(pairs)) + b"".join(k + x for k, x in pairs)


def frame(kind, fields):
    payload = cbor(fields)
    return struct.pack(">IB", 1 + len(payload), kind) + payload


be8 = lambda n: struct.pack(">Q", n)

# --- the two sides ---

CHAIN = 7
sk = int.from_bytes(hashlib.sha256(b"a runner").digest(), "big")
runner = compressed(sk)
node = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)
node_key = node.public_key().public_bytes_raw()
validator = b"\xed" + node_key
channel = bytes(range(32))
job = hashlib.sha256(b"a job").digest()
spec = b"what is to be done" * 20
tx = b"signed transaction" * 300

hello = {"version": 0x0100, "public_key": runner, "role": 0, "block_height": 1_000_000, "nonce": bytes([1]) * 32}
answer = {"version": 0x0100, "public_key": validator, "role": 1, "block_height": 1_000_001, "nonce": bytes([2]) * 32}
LABEL = b"cowboy-cip11-handshake-v1"
ours = keccak256(LABEL + be8(CHAIN) + channel + cbor(hello) + cbor(answer))
theirs = keccak256(LABEL + be8(CHAIN) + channel + cbor(answer) + cbor(hello))
ping = keccak256(b"cowboy-cip11-ping-v1" + ours + be8(1_000_002) + be8(3))
pong = keccak256(b"cowboy-cip11-pong-v1" + ours + be8(1_000_003) + be8(3))
assignment = keccak256(b"cowboy-cip11-assignment-v1" + be8(CHAIN) + runner + job + keccak256(spec) + be8(1_000_004) + be8(1_000_104))
cancel = keccak256(b"cowboy-cip11-cancel-v1" + be8(CHAIN) + runner + job + bytes([1]))
voting = hashlib.sha512(b"a validator").digest()[:48]
endpoint = b"validator.example:4301"
invitation = keccak256(b"cowboy-cip11-invitation-v1" + be8(CHAIN) + voting + be8(1_790_000_000_000) + endpoint)
ed = lambda h: node.sign(h)

frames = {
    "hello of a runner": frame(0x01, hello),
    "hello of a validator": frame(0x01, answer),
    "helloack of a runner": frame(0x02, {"signature": sign(sk, ours)}),
    "helloack of a validator": frame(0x02, {"signature": ed(theirs) + b"\xed"}),
    "ping": frame(0x10, {"block_height": 1_000_002, "nonce": 3, "signature": sign(sk, ping)}),
    "pong": frame(0x11, {"block_height": 1_000_003, "nonce": 3, "signature": ed(pong) + b"\xed"}),
    "backpressure": frame(0x12, {"active_jobs": 5, "max_concurrent": 300, "accepting_new": True}),
    "backpressure with a reason": frame(0x12, {"active_jobs": 0, "max_concurrent": 1, "accepting_new": False, "reason": "draining"}),
    "capabilities": frame(0x13, {"added": ["http", "llm"], "removed": []}),
    "assignment": frame(
        0x20, {"job_id": job, "job_spec": spec, "block_height": 1_000_004, "deadline_block": 1_000_104, "signature": ed(assignment)}
    ),
    "accepted": frame(0x21, {"job_id": job, "status": 0}),
    "duplicate": frame(0x21, {"job_id": job, "status": 1}),
    "rejected": frame(0x21, {"job_id": job, "status": 2, "reason": "full"}),
    "progress": frame(0x22, {"job_id": job, "fraction": 100, "detail": "done"}),
    "result": frame(0x23, {"job_id": job, "transaction": tx}),
    "cancel": frame(0x24, {"job_id": job, "reason": 1, "signature": ed(cancel)}),
    "goodbye": frame(0xF0, {"reason": 1}),
}

subsets = []
for n in (0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 100, 128, 129, 300):
    keys = sorted(hashlib.sha512(b"validator %d" % i).digest()[:48] for i in range(n))
    k = min(n, min(max(math.ceil(math.log2(n)) + 1, 3), 8)) if n else 0
    order = sorted(range(n), key=lambda i: keccak256(runner + keys[i]))
    subsets.append({"validators": n, "places": order[:k]})

print(json.dumps({
    "runner_key": runner.hex(),
    "node_key": node_key.hex(),
    "challenge_of_runner": ours.hex(),
    "challenge_of_validator": theirs.hex(),
    "network_identity": hashlib.sha256(b"_COWBOY_NET_PEER" + node_key).hexdigest(),
    "invitation_signature": ed(invitation).hex(),
    "frames": {name: raw.hex() for name, raw in frames.items()},
    "subsets": subsets,
}, indent=1))
