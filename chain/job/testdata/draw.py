"""Makes draw.txt: identities, seeds, drawn committees, aggregators and committee sizes, by the text of runner-marketplace 4.2 to 4.6 and 14 (2), with a
Keccak of its own, integers without bounds, and exact logarithms by integer powers. Run: python3 draw.py > draw.txt"""

RC, r = [], 1
for _ in range(24):
    c = 0
    for j in range(7):
        if r & 1:
            c |= 1 << (2**j - 1)
        r = (r << 1) ^ (0x171 if r & 0x80 else 0)
    RC.append(c)
M64 = 2**64 - 1


def rol(x, n):
    n %= 64
    return ((x << n) | (x >> (64 - n))) & M64


def permute(a):
    for rc in RC:
        col = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
        a = [[a[x][y] ^ col[x - 1] ^ rol(col[(x + 1) % 5], 1) for y in range(5)] for x in range(5)]
        x, y, cur = 1, 0, a[1][0]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            cur, a[x][y] = a[x][y], rol(cur, (t + 1) * (t + 2) // 2)
        a = [[a[x][y] ^ (~a[(x + 1) % 5][y] & M64 & a[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
        a[0][0] ^= rc
    return a


def keccak(data):
    data = bytearray(data) + b"\x01"
    data += bytes(-len(data) % 136)
    data[-1] |= 0x80
    a = [[0] * 5 for _ in range(5)]
    for at in range(0, len(data), 136):
        for i in range(17):
            a[i % 5][i // 5] ^= int.from_bytes(data[at + 8 * i : at + 8 * i + 8], "little")
        a = permute(a)
    return b"".join(a[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


assert keccak(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"


def identity(origin, index, height):
    return keccak(b"cowboy-job-v1" + origin + index.to_bytes(4, "big") + height.to_bytes(8, "big"))


def seed_of(epoch, view, signature, job, at):
    return keccak(b"cowboy-runner-select-v3:" + epoch.to_bytes(8, "big") + view.to_bytes(8, "big") + signature + job + at.to_bytes(8, "little"))


def draw(weights, seed, m, favoured=None):
    """favoured has four times its weight for the first place (4.5, MRU)"""
    left, cur = list(enumerate(weights)), seed
    for i in range(min(m, len(left))):
        now = [(n, 4 * w if i == 0 and n == favoured else w) for n, w in left]
        cur = keccak(cur + i.to_bytes(8, "little"))
        r = int.from_bytes(cur[:16], "little") % sum(w for _, w in now[i:])
        j = i
        while r >= now[j][1]:
            r -= now[j][1]
            j += 1
        left[i], left[j] = left[j], left[i]
    return [n for n, _ in left[:m]]


def size(n, parts):
    """⌈2·log2(n)·2^32 / share⌉ is the least m with n^(2·2^32) <= 2^(m·share); log2 is first rounded down to 32 bits as the text wants, by powers of 2 of 64"""
    x, log = n, 0
    bits = n.bit_length() - 1
    num, den = n, 2**bits
    log = bits
    for _ in range(32):
        num, den, log = num * num, den * den, log * 2
        if num >= 2 * den:
            den, log = den * 2, log + 1
        cut = max(num.bit_length() - 400, 0)
        num, den = num >> cut, den >> cut
    share = max(parts, 2**32 // 100)
    m = min(max(-(-2 * log // share), 3), 9)
    return log, m, -(-2 * m // 3)


state = b"vectors"


def rnd(n):
    global state
    state = keccak(state)
    return int.from_bytes(state, "big") % n


def rbytes(n):
    out = b""
    while len(out) < n:
        rnd(1)
        out += state
    return out[:n]


for _ in range(8):
    origin, index, height = rbytes(32), rnd(2**32), rnd(2**40)
    print("identity", origin.hex(), index, height, identity(origin, index, height).hex())
for _ in range(8):
    epoch, view, signature, job, at = rnd(2**20), rnd(2**30), rbytes(96), rbytes(32), rnd(2**40)
    seed = seed_of(epoch, view, signature, job, at)
    print("seed", epoch, view, signature.hex(), job.hex(), at, seed.hex())
    attempt = 1 + rnd(3)
    print("retry", seed.hex(), attempt, keccak(seed + b"retry:" + attempt.to_bytes(4, "little")).hex())
for k in range(60):
    n = 1 + rnd(12)
    weights = [1 + rnd(2 ** [1, 8, 64, 92, 120][k % 5]) for _ in range(n)]
    seed, m = rbytes(32), 1 + rnd(9)
    print("draw", seed.hex(), m, ",".join(map(str, weights)), ",".join(map(str, draw(weights, seed, m))))
for _ in range(20):
    n = 1 + rnd(9)
    reps, job, p = [rnd(5) for _ in range(n)], rbytes(32), [50, 50, 0, 100, 33][rnd(5)]
    floor = sorted(reps)[max(-(-p * n // 100), 1) - 1]
    good = [i for i in range(n) if reps[i] >= floor]
    r = int.from_bytes(keccak(job + b"agg-select-v3")[:16], "little") % len(good)
    print("aggregator", job.hex(), p, ",".join(map(str, reps)), good[r])
for n, parts in [(1, 2**32), (2, 2**32), (20, 2**32 * 4 // 10), (4, 2**31), (3, 2**31), (5, 2**30), (1000, 1), (7, 3 * 2**30), (2**40 + 1, 2**32)] + [
    (1 + rnd(100_000), rnd(2**32) + 1) for _ in range(30)
]:
    print("size", n, parts, *size(n, parts))
for k in range(40):
    n = 1 + rnd(9)
    weights = [1 + rnd(2 ** [1, 8, 64, 92, 118][k % 5]) for _ in range(n)]
    seed, m, favoured = rbytes(32), 1 + rnd(9), rnd(n + 1)  # n is nobody
    print("favour", seed.hex(), m, favoured, ",".join(map(str, weights)), ",".join(map(str, draw(weights, seed, m, favoured))))
