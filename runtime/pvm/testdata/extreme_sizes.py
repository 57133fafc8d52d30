# Operations that ask for more than there can be: each is refused, and those that need no room for it are done.
import itertools


def attempt(what, f):
    try:
        print(what, repr(f())[:40])
    except (OverflowError, MemoryError, ValueError, IndexError):
        print(what, "refused")


for n in ((1 << 62) - 1, 1 << 62, (1 << 63) - 64, (1 << 63) - 2, (1 << 63) - 1, 1 << 63, 1 << 64, 1 << 80, -(1 << 63), -(1 << 62)):
    for v in (0, 1, -1, True, 7, -7, 1 << 64, -(1 << 64), (1 << 63) - 1, -(1 << 63)):
        attempt((v, "<<", n), lambda: v << n)
        attempt((v, ">>", n), lambda: v >> n)
        attempt((v, "//", n), lambda: v // n)
        attempt((v, "%", n), lambda: v % n)
        attempt((v, "divmod", n), lambda: divmod(v, n))
        attempt((v, "+", n), lambda: v + n)
        attempt((v, "-", n), lambda: v - n)
        attempt((v, "*", n), lambda: v * n)
        attempt((v, "/", n), lambda: v / n)
        attempt((v, "&", n), lambda: (v & n, v | n, v ^ n))
        attempt((v, "compared", n), lambda: (v < n, v == n, v >= n))
    for v in (0, 1, -1, True):
        if n > 0:
            attempt((v, "**", n), lambda: v ** n)
    for v in ("a", b"a", [1], (1,), bytearray(b"a")):
        if n > 0:
            attempt((v, "*", n), lambda: v * n)
        attempt((v, "of", n), lambda: v[n:])
        attempt((v, "to", n), lambda: v[:n])
        attempt((v, "by", n), lambda: v[::n])
        attempt((v, "at", n), lambda: v[n])
    for v in (range(10), range(0, 10, n), range(n), range(n, 0, -1), range(-n, n, 3)):
        attempt((v, "of"), lambda: (v[1:], v[::n], v[-1], n in v, v.index(n)))
        attempt((v, "as a truth"), lambda: bool(v))
    attempt(("bytes", n), lambda: bytes(n))
    attempt(("bytearray", n), lambda: bytearray(n))
    attempt(("to_bytes", n), lambda: (1).to_bytes(n, "big"))
    attempt(("slice", n), lambda: slice(n, -n, n).indices(10))
    attempt(("repeat", n), lambda: next(itertools.repeat(1, n)) if n > 0 else None)
    attempt(("count", n), lambda: list(itertools.islice(itertools.count(n, n), 3)))
    attempt(("hash", n), lambda: (hash(n), hash(float(n))))
    attempt(("abs", n), lambda: (abs(n), -n, ~n, +n, n.bit_length(), round(n, -3)))
    attempt(("pow", n), lambda: (pow(7, n if n > 0 else -n, 13), pow(n, 3, 1 << 63)))
    attempt(("text", n), lambda: (str(n), f"{n:x}", f"{n:,}", "%o" % n, int(str(n))))
