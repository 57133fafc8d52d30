"""Blobs: bytes named by what they are. Up to 64 KiB lie in the actor's storage; what is larger lies elsewhere, and the actor keeps a reference of 64 bytes."""

import pvm_host as _host

INLINE_BYTES = 65_536
SHA256 = 0x12
KECCAK256 = 0x1B
BLAKE3 = 0x1E


class BlobRef:
    """A reference to a blob: which bytes, by their digest, and how many."""

    def __init__(self, digest, hash_alg, codec, size, chunk_size):
        self.digest = digest
        self.hash_alg = hash_alg
        self.codec = codec
        self.size = size
        self.chunk_size = chunk_size

    @staticmethod
    def from_bytes(raw):
        """Reads the 64 bytes of a reference."""
        if len(raw) != 64 or raw[46:] != bytes(18) or raw[32] not in (SHA256, KECCAK256, BLAKE3):
            raise ValueError("not a reference to a blob")
        return BlobRef(raw[:32], raw[32], raw[33], int.from_bytes(raw[34:42], "big"), int.from_bytes(raw[42:46], "big"))

    def to_bytes(self):
        """The 64 bytes that stand on the chain."""
        head = self.digest + bytes([self.hash_alg, self.codec])
        return head + self.size.to_bytes(8, "big") + self.chunk_size.to_bytes(4, "big") + bytes(18)

    def multihash(self):
        """The number of the function, the length of the digest, and the digest."""
        return bytes([self.hash_alg, len(self.digest)]) + self.digest

    def matches(self, data):
        """Whether these bytes are the blob."""
        return _host.check_blob(self.to_bytes(), data)

    def __eq__(self, other):
        return isinstance(other, BlobRef) and self.to_bytes() == other.to_bytes()

    def __hash__(self):
        return hash(self.to_bytes())

    def __repr__(self):
        return "BlobRef(" + self.multihash().hex() + ", " + str(self.size) + " bytes)"


def _raw(ref):
    return ref.to_bytes() if isinstance(ref, BlobRef) else ref


def put(data):
    """Keeps up to 64 KiB in the actor's storage and gives the BlobRef. The same bytes are kept once."""
    return BlobRef.from_bytes(_host.put_blob(data))


def get(ref):
    """The bytes of an inline blob of this actor, None if it has none of this reference."""
    return _host.get_blob(_raw(ref))


def delete(ref):
    """Removes an inline blob; whether there was one."""
    return _host.delete_blob(_raw(ref))


def ref(data, hash_alg=SHA256, codec=0, chunk_size=0):
    """The BlobRef of bytes that lie elsewhere; nothing is stored."""
    return BlobRef.from_bytes(_host.blob_ref(data, hash_alg, codec, chunk_size))
