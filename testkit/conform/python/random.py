# Pseudo-random numbers for tests: xorshift64*, always from the same seed.


class Random:
    def __init__(self, seed=None):
        self.seed(seed)

    def seed(self, seed=None, version=2):
        if not isinstance(seed, int):
            seed = 1234567 if seed is None else hash(str(seed))
        self._s = (seed * 0x9E3779B97F4A7C15 + 0x1234567) & 0xFFFFFFFFFFFFFFFF or 1

    def _next(self):
        s = self._s
        s ^= s >> 12
        s ^= (s << 25) & 0xFFFFFFFFFFFFFFFF
        s ^= s >> 27
        self._s = s
        return (s * 0x2545F4914F6CDD1D) & 0xFFFFFFFFFFFFFFFF

    def random(self):
        return (self._next() >> 11) / 9007199254740992.0

    def getrandbits(self, k):
        out = 0
        n = 0
        while n < k:
            out |= self._next() << n
            n += 64
        return out & ((1 << k) - 1)

    def randbytes(self, n):
        return self.getrandbits(8 * n).to_bytes(n, "little")

    def _below(self, n):
        k = n.bit_length()
        while True:
            r = self.getrandbits(k)
            if r < n:
                return r

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        n = len(range(start, stop, step)) if stop - start < 1 << 60 else (stop - start + step - 1) // step
        if n <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * self._below(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        return seq[self._below(len(seq))]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        return [self.choice(population) for _ in range(k)]

    def shuffle(self, x):
        for i in range(len(x) - 1, 0, -1):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k):
        pool = list(population)
        self.shuffle(pool)
        return pool[:k]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def gauss(self, mu=0.0, sigma=1.0):
        return mu + sigma * (sum(self.random() for _ in range(12)) - 6.0)

    normalvariate = gauss

    def expovariate(self, lambd):
        return self.random() / lambd


_one = Random()
seed, random, getrandbits, randbytes, randrange, randint = _one.seed, _one.random, _one.getrandbits, _one.randbytes, _one.randrange, _one.randint
choice, choices, shuffle, sample, uniform, gauss = _one.choice, _one.choices, _one.shuffle, _one.sample, _one.uniform, _one.gauss
normalvariate, expovariate = _one.normalvariate, _one.expovariate
