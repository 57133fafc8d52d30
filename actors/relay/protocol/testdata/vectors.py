# Makes vectors.json: what relays sign of messages to each other, from docs/spec/storage-cbfs.md section 3.3 and the words of package protocol. BLAKE3 is
# written from its specification (section 2), Ed25519 is OpenSSL's. Run: python3 vectors.py > vectors.json
import json, struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
PERM = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
M32 = 0xFFFFFFFF

def rotr(x, n): return (x >> n | x << (32 - n)) & M32

def compress(cv, block, counter, length, flags):
    v = list(cv) + IV[:4] + [counter & M32, counter >> 32, length, flags]
    m = list(struct.unpack("<16I", block.ljust(64, b"\0")))
    def g(a, b, c, d, x, y):
        v[a] = (v[a] + v[b] + x) & M32; v[d] = rotr(v[d] ^ v[a], 16)
        v[c] = (v[c] + v[d]) & M32; v[b] = rotr(v[b] ^ v[c], 12)
        v[a] = (v[a] + v[b] + y) & M32; v[d] = rotr(v[d] ^ v[a], 8)
        v[c] = (v[c] + v[d]) & M32; v[b] = rotr(v[b] ^ v[c], 7)
    for r in range(7):
        g(0, 4, 8, 12, m[0], m[1]); g(1, 5, 9, 13, m[2], m[3]); g(2, 6, 10, 14, m[4], m[5]); g(3, 7, 11, 15, m[6], m[7])
        g(0, 5, 10, 15, m[8], m[9]); g(1, 6, 11, 12, m[10], m[11]); g(2, 7, 8, 13, m[12], m[13]); g(3, 4, 9, 14, m[14], m[15])
        m = [m[i] for i in PERM]
    return [v[i] ^ v[i + 8] for i in range(8)]

def chunk(data, index, root):
    cv, blocks = IV, [data[i:i + 64] for i in range(0, len(data), 64)] or [b""]
    for i, b in enumerate(blocks):
        last = i == len(blocks) - 1
        cv = compress(cv, b, index, len(b), (i == 0) * 1 | last * 2 | (last and root) * 8)
    return cv

def tree(data, index, root):
    if len(data) <= 1024: return chunk(data, index, root)
    left = 1024
    while left * 2 < len(data): left *= 2
    pair = tree(data[:left], index, False) + tree(data[left:], index + left // 1024, False)
    return compress(IV, struct.pack("<16I", *pair), 0, 64, 4 | root * 8)

def blake3(data): return struct.pack("<8I", *tree(data, 0, True))

assert blake3(b"").hex() == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"  # of the published test vectors

def seq(n, start): return bytes((start + i) % 256 for i in range(n))
def be8(n): return struct.pack(">Q", n)

sender, receiver, volume, root, piece = seq(32, 1), seq(32, 40), seq(32, 80), seq(32, 120), seq(32, 160)
time, slot, number, version = 1_800_000_000_123, 5, 2**33 + 7, 300
key = Ed25519PrivateKey.from_private_bytes(seq(32, 200))
push = blake3(b"cbfs:peer_push_shard:v1" + sender + receiver + volume + root + bytes([slot]) + be8(number) + piece + be8(time))
update = blake3(b"cbfs:peer_placement_update:v1" + sender + receiver + volume + be8(version) + be8(time))
print(json.dumps({
    "push": push.hex(), "push_signature": key.sign(push).hex(), "update": update.hex(), "update_signature": key.sign(update).hex(),
}, indent=1))
