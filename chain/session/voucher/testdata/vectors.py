# Makes vouchers.json: vouchers as EIP-712 has them, with keccak-256 and secp256k1 of this file alone. Run it with Python 3 and its standard library.
import hashlib, json

M = (1 << 64) - 1
def rol(x, n): return ((x << n) | (x >> (64 - n))) & M if n else x

def rounds(a):
    lfsr = 1
    for _ in range(24):
        c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
        d = [c[(x + 4) % 5] ^ rol(c[(x + 1) % 5], 1) for x in range(5)]
        a = [[a[x][y] ^ d[x] for y in range(5)] for x in range(5)]
        x, y, cur = 1, 0, a[1][0]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            cur, a[x][y] = a[x][y], rol(cur, (t + 1) * (t + 2) // 2 % 64)
        for y in range(5):
            row = [a[x][y] for x in range(5)]
            for x in range(5):
                a[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5] & M)
        for j in range(7):
            lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x71)) % 256
            if lfsr & 2:
                a[0][0] ^= 1 << ((1 << j) - 1)
    return a

def keccak(data):
    rate, a = 136, [[0] * 5 for _ in range(5)]
    data = bytearray(data) + b"\x01" + bytes(rate - len(data) % rate - 1)
    data[-1] |= 0x80
    for at in range(0, len(data), rate):
        for i in range(rate // 8):
            a[i % 5][i // 5] ^= int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little")
        a = rounds(a)
    return b"".join(a[i % 5][i // 5].to_bytes(8, "little") for i in range(4))

assert keccak(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)

def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    s = (3 * p[0] * p[0] * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)) % P
    x = (s * s - p[0] - q[0]) % P
    return x, (s * (p[0] - x) - p[1]) % P

def mul(k, p):
    out = None
    while k:
        if k & 1:
            out = add(out, p)
        p, k = add(p, p), k >> 1
    return out

def address(secret):
    x, y = mul(secret, G)
    return keccak(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:]

def sign(secret, h):
    k = int.from_bytes(hashlib.sha256(b"k" + h).digest(), "big") % N
    x, y = mul(k, G)
    s = pow(k, -1, N) * (int.from_bytes(h, "big") + x * secret) % N
    v = y & 1
    if s > N // 2:
        s, v = N - s, v ^ 1
    return x.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([v])

def word(n): return n.to_bytes(32, "big")

def digest(chain, session, amount, nonce, expires, usage):
    domain = keccak(keccak(b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")
                    + keccak(b"Cowboy MPP Session") + keccak(b"1") + word(chain) + word(0x0C))
    kind = keccak(b"Voucher(bytes32 session_id,uint128 cumulative_amount,uint64 nonce,uint64 expires_at,bytes32 usage_digest)")
    return keccak(b"\x19\x01" + domain + keccak(kind + session + word(amount) + word(nonce) + word(expires) + usage))

out = []
for n, (chain, amount, nonce, expires) in enumerate([(1, 1, 1, 1), (31337, 10**18, 7, 3600), (2**63, 2**128 - 1, 2**64 - 1, 2**64 - 1)]):
    secret = int.from_bytes(hashlib.sha256(b"payer %d" % n).digest(), "big") % N
    session, usage = keccak(b"session %d" % n), keccak(b"usage %d" % n)
    h = digest(chain, session, amount, nonce, expires, usage)
    out.append({"secret": word(secret).hex(), "payer": address(secret).hex(), "chain_id": str(chain), "session": session.hex(), "cumulative": str(amount),
                "nonce": str(nonce), "expires": str(expires), "usage": usage.hex(), "digest": h.hex(), "signature": sign(secret, h).hex()})
payer, runner = address(1), address(2)
ident = keccak(payer + runner + (9).to_bytes(8, "big") + (77).to_bytes(8, "big"))
print(json.dumps({"vouchers": out, "id": {"payer": payer.hex(), "runner": runner.hex(), "nonce": "9", "height": "77", "session_id": ident.hex()}}, indent=1))
