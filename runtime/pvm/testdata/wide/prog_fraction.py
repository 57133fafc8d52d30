from math import gcd
from functools import total_ordering
@total_ordering
class Q:
    __slots__ = ('n', 'd')
    def __new__(cls, n=0, d=1):
        if isinstance(n, str): n, _, d2 = n.partition('/'); n, d = int(n), int(d2 or 1)
        if isinstance(n, Q): n, d = n.n, n.d * d
        if d == 0: raise ZeroDivisionError(f'Q({n}, 0)')
        if d < 0: n, d = -n, -d
        g = gcd(n, d); self = super().__new__(cls); object.__setattr__(self, 'n', n // g); object.__setattr__(self, 'd', d // g); return self
    def __setattr__(self, k, v): raise AttributeError(f'{type(self).__name__} is immutable')
    def _op(f):
        def op(self, o):
            if isinstance(o, int): o = Q(o)
            return f(self, o) if isinstance(o, Q) else NotImplemented
        return op
    __add__ = __radd__ = _op(lambda a, b: Q(a.n * b.d + b.n * a.d, a.d * b.d)); __sub__ = _op(lambda a, b: a + -b); __rsub__ = _op(lambda a, b: b - a); __mul__ = __rmul__ = _op(lambda a, b: Q(a.n * b.n, a.d * b.d)); __truediv__ = _op(lambda a, b: Q(a.n * b.d, a.d * b.n)); __rtruediv__ = _op(lambda a, b: b / a); __eq__ = _op(lambda a, b: (a.n, a.d) == (b.n, b.d)); __lt__ = _op(lambda a, b: a.n * b.d < b.n * a.d); __floordiv__ = _op(lambda a, b: a.n * b.d // (a.d * b.n)); __mod__ = _op(lambda a, b: a - b * (a // b))
    del _op
    def __pow__(self, k): return Q(self.n ** k, self.d ** k) if k >= 0 else Q(self.d ** -k, self.n ** -k)
    def __neg__(self): return Q(-self.n, self.d)
    def __abs__(self): return Q(abs(self.n), self.d)
    def __hash__(self): return hash(self.n) if self.d == 1 else hash((self.n, self.d))
    def __bool__(self): return self.n != 0
    def __float__(self): return self.n / self.d
    def __int__(self): return int(self.n / self.d)
    def __round__(self, k=None): return round(self.n / self.d, k)
    def __repr__(self): return f'{self.n}/{self.d}' if self.d != 1 else str(self.n)
    def __format__(self, s): return format(float(self), s) if s else repr(self)
a, b = Q(1, 2), Q('3/4')
print(a + b, a - b, a * b, a / b, b // a, b % a, 1 + a, 1 - a, 2 / b, a ** 3, b ** -2, -a, abs(-a), a < b, a >= b, a == Q(2, 4), a != 1, hash(Q(4, 2)) == hash(2), bool(Q()), float(a), int(Q(7, 2)), round(b), f'{b:.3f} {a}', sorted([b, a, Q(1), Q(-1, 3)]), max(a, b), sum([a, b, 1]), {Q(1, 2): 'half'}[Q(2, 4)], Q(Q(1, 3), 2))
for f in (lambda: Q(1, 0), lambda: a / 0, lambda: setattr(a, 'n', 5), lambda: a + 1.5, lambda: a < 'x', lambda: a.zz, lambda: Q('x'), lambda: [] + a, lambda: a + None):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def det(m):
    m = [[Q(x) for x in r] for r in m]; n, d = len(m), Q(1)
    for i in range(n):
        p = next((r for r in range(i, n) if m[r][i]), None)
        if p is None: return Q()
        if p != i: m[i], m[p] = m[p], m[i]; d = -d
        d *= m[i][i]
        for r in range(i + 1, n): f = m[r][i] / m[i][i]; m[r] = [x - f * y for x, y in zip(m[r], m[i])]
    return d
print(det([[2, 0, 1], [1, 3, 2], [1, 1, 4]]), det([[1, 2], [2, 4]]), det([[Q(1, i + j + 1) for j in range(5)] for i in range(5)]))
def bern(n):
    A = []
    for m in range(n + 1):
        A.append(Q(1, m + 1))
        for j in range(m, 0, -1): A[j - 1] = j * (A[j - 1] - A[j])
    return A[0]
print([bern(i) for i in range(0, 21, 2)])
