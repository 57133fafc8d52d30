# Makes volume.json: what the keys of private volumes are sealed to. Keccak-256 is written out here, from FIPS 202 with the padding of 2011; Python's own
# hashlib has only the later one, which the permutation is checked by.
import hashlib, json

RC, bit = [], 1
for _ in range(24):
    c = 0
    for j in range(7):
        if bit & 1:
            c |= 1 << ((1 << j) - 1)
        bit = (bit << 1) ^ (0x171 if bit & 0x80 else 0)
    RC.append(c)
TURN, x, y = {(0, 0): 0}, 1, 0
for t in range(24):
    TURN[x, y] = (t + 1) * (t + 2) // 2 % 64
    x, y = y, (2 * x + 3 * y) % 5
FULL = (1 << 64) - 1


def left(word, n):
    return (word << n | word >> (64 - n)) & FULL


def permute(s):
    for c in RC:
        column = [s[x, 0] ^ s[x, 1] ^ s[x, 2] ^ s[x, 3] ^ s[x, 4] for x in range(5)]
        s = {(x, y): w ^ column[(x - 1) % 5] ^ left(column[(x + 1) % 5], 1) for (x, y), w in s.items()}
        s = {(y, (2 * x + 3 * y) % 5): left(w, TURN[x, y]) for (x, y), w in s.items()}
        s = {(x, y): w ^ (~s[(x + 1) % 5, y] & s[(x + 2) % 5, y] & FULL) for (x, y), w in s.items()}
        s[0, 0] ^= c
    return s


def sponge(data, first):
    data = bytearray(data) + bytes([first]) + bytes(-(len(data) + 1) % 136)
    data[-1] |= 0x80
    s = {(x, y): 0 for x in range(5) for y in range(5)}
    for at in range(0, len(data), 136):
        for i in range(17):
            s[i % 5, i // 5] ^= int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little")
        s = permute(s)
    return b"".join(s[i, 0].to_bytes(8, "little") for i in range(4))


def keccak(data):
    return sponge(data, 1)


for text in (b"", b"abc", bytes(200)):
    assert sponge(text, 6) == hashlib.sha3_256(text).digest()
assert keccak(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

with open("vectors.json") as f:
    master = bytes.fromhex(json.load(f)["commitments"][0])
cases = []
for owner, name, account, chain, version, epoch in (
    (bytes(range(1, 21)), b"docs", bytes(range(1, 21)), 1, 1, 1),
    (bytes([0xfe] * 20), b"a.very-long_name" * 4, bytes(range(1, 21)), 2**40 + 5, 2**33, 7),
):
    volume = keccak(owner + name)
    key = keccak(b"cbfs-dek" + volume)
    aad = chain.to_bytes(8, "big") + account + key + version.to_bytes(8, "little") + epoch.to_bytes(8, "little") + master
    cases.append(dict(owner=owner.hex(), name=name.decode(), account=account.hex(), chain=chain, version=version, epoch=epoch, volume_id=volume.hex(),
                      key_hash=key.hex(), aad=aad.hex(), wrapping_key_hash=keccak(master).hex()))
with open("volume.json", "w") as f:
    json.dump(cases, f, indent=1)
    f.write("\n")
