"""Randomness nobody can choose: the seed of the round before the block's own, drawn by domain."""

import pvm_host as _host


def randomness(domain):
    """32 bytes; the same domain in the same block gives the same bytes to everybody, so name yourself in it."""
    return _host.randomness(domain)


def randint(domain, low, high):
    """An integer from low to high, both included, without bias."""
    span = high - low + 1
    if span <= 0:
        raise ValueError("empty range")
    size = (span.bit_length() + 7) // 8 + 16
    raw = b""
    while len(raw) < size:
        raw += _host.randomness(_domain(domain) + b"/" + str(len(raw)).encode())
    return low + int.from_bytes(raw[:size], "big") % span


def choice(domain, items):
    """One element of a sequence."""
    return items[randint(domain, 0, len(items) - 1)]


def _domain(domain):
    return domain.encode() if isinstance(domain, str) else bytes(domain)
