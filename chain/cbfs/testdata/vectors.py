# Makes vectors.json with Python's standard library alone: BLAKE3 is written from its specification (section 2), keccak256 from FIPS 202 with the older
# padding, the encodings from docs/spec/storage-cbfs.md. Run: python3 vectors.py > vectors.json
import hashlib, hmac, json, struct

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

def keccak256(data):
    def rol(x, n): n %= 64; return (x << n | x >> (64 - n)) & (2**64 - 1) if n else x
    a = [[0] * 5 for _ in range(5)]
    data = bytearray(data) + b"\1"; data += bytes(-len(data) % 136); data[-1] |= 0x80
    for at in range(0, len(data), 136):
        for i in range(17): a[i % 5][i // 5] ^= int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little")
        lfsr = 1
        for _ in range(24):
            c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
            for x in range(5):
                d = c[x - 1] ^ rol(c[(x + 1) % 5], 1)
                for y in range(5): a[x][y] ^= d
            x, y, cur = 1, 0, a[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                cur, a[x][y] = a[x][y], rol(cur, (t + 1) * (t + 2) // 2)
            for y in range(5):
                row = [a[x][y] for x in range(5)]
                for x in range(5): a[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
            for j in range(7):
                if lfsr & 1: a[0][0] ^= 1 << ((1 << j) - 1)
                lfsr = (lfsr << 1) ^ (0x171 if lfsr & 0x80 else 0)
    return b"".join(a[i % 5][i // 5].to_bytes(8, "little") for i in range(4))

assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

def u64(n): return struct.pack("<Q", n)
def u32(n): return struct.pack("<I", n)
def text(s): s = s.encode(); return u64(len(s)) + s
def seq(n, start): return bytes((start + i) % 256 for i in range(n))
ZERO = bytes(32)

def padded(leaves):
    if not leaves: return ZERO
    n = 1
    while n < len(leaves): n *= 2
    level = leaves + [ZERO] * (n - len(leaves))
    while len(level) > 1: level = [blake3(level[i] + level[i + 1]) for i in range(0, len(level), 2)]
    return level[0]

owner, name = seq(20, 1), "photos.2026"
volume = keccak256(owner + name.encode())
write = seq(16, 100)

def file(path, size):
    return text(path) + u32(0) + text(path) + write + seq(32, 3) + seq(32, 4) + seq(12, 5) + u64(size) + u64(size + 16) + \
        blake3(volume + path.encode() + write) + bytes([4, 2]) + u64(2) + seq(32, 6) + seq(32, 7)

entries = [text("a") + u32(2), file("a/b.txt", 70000), text("a/link") + u32(1) + text("b.txt")]

body = lambda who, secret: seq(16, 9) + secret + volume + text(name) + who + u32(2) + text("logs/") + u64(1 << 20)
v0 = b"\0" + body(seq(20, 30), seq(32, 40)) + u64(500) + u64(700) + b"\1" + u64(5)
cert = owner + seq(32, 60) + text("cbfs") + u64(1337) + text("devnet") + text("cowboy:cbfs") + u64(1800000000000)
v1 = b"\1" + body(owner, b"") + u64(1799999990000) + u64(1799999999000) + b"\0" + u64(0) + cert + seq(65, 70)

def shard_key(slot, n): return blake3(b"cbfs:shard-key:v1" + bytes([slot]) + struct.pack(">Q", n))
def sparse(leaves, depth):
    if not leaves: return ZERO
    if len(leaves) == 1: return leaves[0][1]
    part = ([], [])
    for l in leaves: part[l[0][depth // 8] >> (7 - depth % 8) & 1].append(l)
    return blake3(sparse(part[0], depth + 1) + sparse(part[1], depth + 1))

def content(n, salt): return bytes((i * i + salt) % 251 for i in range(n))
sizes = [(0, 0, 1), (0, 1, 1024), (1, 0, 1025), (1, 1, 5000), (5, 7, 3072)]
roots, leaves = [], []
for slot, n, size in sizes:
    data = content(size, slot * 16 + n)
    root = blake3(data)
    key = shard_key(slot, n)
    roots.append(root.hex()); leaves.append((key, blake3(key + root + u64(size))))

beacon, relay, height = seq(96, 11), seq(20, 80), 7200
prk = hmac.new(bytes(32), beacon, hashlib.sha256).digest()
random = hmac.new(prk, b"cbfs-por-v1\1", hashlib.sha256).digest()
challenge = blake3(b"cbfs:challenge:v1" + relay + volume + b"\5" + struct.pack(">Q", height) + bytes(20))
drawn = blake3(random + challenge)
blob = b"a blob"

print(json.dumps({
    "volume_id": volume.hex(), "shard_id": blake3(volume + b"a/b.txt" + write).hex(), "manifest_shard_id": blake3(volume + b"__manifest__").hex(),
    "entries": [e.hex() for e in entries], "manifest_roots": [padded([blake3(e) for e in entries[:n]]).hex() for n in range(4)],
    "token_v0": v0.hex(), "token_v1_signed": v1.hex(), "certificate_hash": keccak256(cert).hex(),
    "chunk_roots": roots, "shard_roots": [sparse(leaves[:n], 0).hex() for n in range(len(leaves) + 1)],
    "randomness": random.hex(), "pick_of_1000": int.from_bytes(blake3(random + relay + struct.pack(">Q", height))[:8], "big") % 1000,
    "challenge_id": challenge.hex(), "ordinal_of_37": int.from_bytes(drawn[:8], "big") % 37, "draw": str(int.from_bytes(drawn[8:16], "big")),
    "blob_ref": (hashlib.sha256(blob).digest() + b"\x12\0" + struct.pack(">QI", len(blob), 4096) + bytes(18)).hex(),
}, indent=1))
