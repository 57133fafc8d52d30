"""Writes digests.txt from CPython 3.11."""
import hashlib, sys
assert sys.version_info[:2] == (3, 11)
with open("digests.txt", "w") as out:
    for name in sorted(hashlib.algorithms_guaranteed):
        for n in (0, 1, 3, 31, 55, 56, 63, 64, 65, 72, 103, 104, 111, 112, 127, 128, 129, 135, 136, 143, 144, 167, 168, 256, 1000):
            h = hashlib.new(name, bytes(i % 251 for i in range(n)))
            print(name, n, h.hexdigest(100) if name.startswith("shake") else h.hexdigest(), file=out)
p = dict(digest_size=20, salt=b"salt", person=b"me", fanout=2, depth=3, leaf_size=4, node_offset=5, node_depth=1, inner_size=32, last_node=True)
print(hashlib.blake2b(b"data", **p).hexdigest(), hashlib.blake2s(b"data", **p).hexdigest())
