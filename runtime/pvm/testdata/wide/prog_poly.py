class Poly:
    def __init__(self, *c):
        c = list(c)
        while c and c[-1] == 0: c.pop()
        self.c = tuple(c)
    deg = property(lambda s: len(s.c) - 1)
    def __call__(self, x):
        r = 0
        for k in reversed(self.c): r = r * x + k
        return r
    def __add__(self, o): n = max(len(self.c), len(o.c)); return Poly(*(sum(t) for t in zip(self.c + (0,) * (n - len(self.c)), o.c + (0,) * (n - len(o.c)))))
    def __neg__(self): return Poly(*(-k for k in self.c))
    def __sub__(self, o): return self + -o
    def __mul__(self, o):
        if not isinstance(o, Poly): return Poly(*(k * o for k in self.c))
        r = [0] * (len(self.c) + len(o.c))
        for i, a in enumerate(self.c):
            for j, b in enumerate(o.c): r[i + j] += a * b
        return Poly(*r)
    __rmul__ = __mul__
    def __divmod__(self, o):
        if not o.c: raise ZeroDivisionError('polynomial division by zero')
        q, r = [0] * max(0, len(self.c) - len(o.c) + 1), list(self.c)
        while len(r) >= len(o.c):
            k = r[-1] // o.c[-1]; s = len(r) - len(o.c); q[s] = k
            for i, b in enumerate(o.c): r[i + s] -= k * b
            if r[-1]: raise ArithmeticError('not exact')
            r.pop()
        return Poly(*q), Poly(*r)
    __floordiv__ = lambda s, o: divmod(s, o)[0]
    __mod__ = lambda s, o: divmod(s, o)[1]
    def __pow__(self, n):
        r, b = Poly(1), self
        while n:
            if n & 1: r *= b
            b *= b; n >>= 1
        return r
    def __eq__(self, o): return self.c == o.c
    def __hash__(self): return hash(self.c)
    def __getitem__(self, i): return self.c[i] if 0 <= i < len(self.c) else 0
    def __iter__(self): return iter(self.c)
    def __len__(self): return len(self.c)
    def diff(self): return Poly(*(i * k for i, k in enumerate(self.c))[1:]) if False else Poly(*[i * k for i, k in enumerate(self.c)][1:])
    def __str__(self):
        out = []
        for i, k in reversed(list(enumerate(self.c))):
            if not k: continue
            s = '-' if k < 0 else '+'; m = abs(k); v = '' if i == 0 else 'x' if i == 1 else f'x^{i}'
            out.append(f"{s} {'' if m == 1 and i else m}{v}")
        t = ' '.join(out) or '0'
        return t[2:] if t.startswith('+ ') else t.replace('- ', '-', 1) if t.startswith('- ') else t
x = Poly(0, 1); p = (x - Poly(1)) * (x + Poly(2)) * 3; print(p, p(2), p.diff(), p.deg, (x + Poly(1)) ** 5, divmod(x ** 3 - Poly(1), x - Poly(1))[0], (x ** 4) % (x ** 2 - Poly(1)), p == Poly(-6, 3, 3), hash(p) == hash(Poly(-6, 3, 3)), p[1], p[9], list(p), len(p), Poly(), -x, 2 * x, bool(Poly()), [str((x + Poly(1)) ** n) for n in range(4)])
for f in (lambda: p // Poly(), lambda: p // Poly(0, 2), lambda: p + 1):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def cheb(n): a, b = Poly(1), Poly(0, 1); return next(iter([a for _ in range(n) for a, b in [(b, 2 * x * b - a)]][-1:]), a) if False else ([a, b] if n < 2 else None) or _cheb(n)
def _cheb(n):
    a, b = Poly(1), Poly(0, 1)
    for _ in range(n): a, b = b, 2 * x * b - a
    return a
print(*map(str, (_cheb(i) for i in range(6))), sep='; ')
