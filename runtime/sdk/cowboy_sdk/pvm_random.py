"""Pseudo-random numbers drawn from the block's own randomness.

A generator reads a stream of 32-byte pieces: piece i is runtime.randomness of b"random", the seed and i. In one block the same seed gives
everybody the same numbers, so put your address and a counter into it. Whoever sends a transaction can see them before it is sent
again: draw in a later block than the one people bet in.
"""

import pvm_host as _host


class Random:
    """A generator with a seed: None, int, str or bytes."""

    def __init__(self, seed=None):
        self.seed(seed)

    def seed(self, seed=None, version=2):
        """Begins a stream anew."""
        self._prefix, self._count, self._left = _prefix(seed), 0, b""

    def getstate(self):
        """Where the stream is, for setstate."""
        return (1, self._prefix, self._count, self._left)

    def setstate(self, state):
        """Goes to where getstate was."""
        version, prefix, count, left = state
        if version != 1:
            raise ValueError("not a state of this generator")
        self._prefix, self._count, self._left = bytes(prefix), int(count), bytes(left)

    def randbytes(self, n):
        """The next n bytes."""
        while len(self._left) < n:
            self._left += _host.randomness(b"random" + self._prefix + self._count.to_bytes(8, "little"))
            self._count += 1
        taken, self._left = self._left[:n], self._left[n:]
        return taken

    def getrandbits(self, k):
        """An integer of k bits."""
        if k < 0:
            raise ValueError("a number of bits is not negative")
        size = (k + 7) // 8
        return int.from_bytes(self.randbytes(size), "big") >> (8 * size - k)

    def random(self):
        """A float from 0 up to, not including, 1."""
        return self.getrandbits(53) / (1 << 53)

    def uniform(self, a, b):
        """A float between a and b."""
        return a + (b - a) * self.random()

    def randrange(self, start, stop=None, step=1):
        """An element of range(start, stop, step)."""
        choices = range(start) if stop is None else range(start, stop, step)
        if not choices:
            raise ValueError("empty range")
        return choices[self._below(len(choices))]

    def randint(self, a, b):
        """An integer from a to b, both included."""
        return self.randrange(a, b + 1)

    def choice(self, items):
        """An element of a sequence."""
        if not items:
            raise IndexError("nothing to choose from")
        return items[self._below(len(items))]

    def shuffle(self, items):
        """Puts a list into another order."""
        for i in range(len(items) - 1, 0, -1):
            j = self._below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, population, k):
        """k different elements."""
        pool = list(population)
        if not 0 <= k <= len(pool):
            raise ValueError("a sample is not larger than what it is taken from")
        taken = []
        for i in range(k):
            j = self._below(len(pool) - i)
            taken.append(pool[j])
            pool[j] = pool[len(pool) - i - 1]
        return taken

    def _below(self, n):
        """An integer below n, every one equally likely: what is too large is drawn again."""
        bits = n.bit_length()
        drawn = self.getrandbits(bits)
        while drawn >= n:
            drawn = self.getrandbits(bits)
        return drawn


def _prefix(seed):
    """A seed as bytes, with its type in front so that 1 and "1" differ."""
    if seed is None:
        return b"N"
    if isinstance(seed, (bytes, bytearray)):
        return b"B" + bytes(seed)
    if isinstance(seed, str):
        return b"S" + seed.encode()
    if isinstance(seed, int):
        return b"I" + seed.to_bytes((seed.bit_length() + 8) // 8, "big", signed=True)
    raise TypeError("a seed is None, int, str or bytes")


_own = Random()
seed, getstate, setstate, randbytes, getrandbits = _own.seed, _own.getstate, _own.setstate, _own.randbytes, _own.getrandbits
random, uniform, randrange, randint = _own.random, _own.uniform, _own.randrange, _own.randint
choice, shuffle, sample = _own.choice, _own.shuffle, _own.sample
