# Numerical work in floats: roots, integration, linear systems, statistics, interpolation, ODE, FFT, Mandelbrot.
import math
def newton(f, df, x, n=20):
    for _ in range(n):
        step = f(x) / df(x)
        x -= step
        if abs(step) < 1e-15: break
    return x
def bisect(f, a, b):
    for _ in range(60):
        m = (a + b) / 2
        if f(a) * f(m) <= 0: b = m
        else: a = m
    return (a + b) / 2
print(newton(lambda x: x * x - 2, lambda x: 2 * x, 1.0), bisect(lambda x: x ** 3 - x - 2, 1, 2), round(newton(lambda x: math.cos(x) - x, lambda x: -math.sin(x) - 1, 1.0), 12))
def simpson(f, a, b, n=100):
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n)))
print(round(simpson(math.sin, 0, math.pi), 10), round(simpson(lambda x: x * x, 0, 3), 10), round(sum((-1) ** k * 4 / (2 * k + 1) for k in range(1000)), 10))
def solve(A, b):
    n = len(A)
    M = [row[:] + [v] for row, v in zip(A, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(M[r][i]))
        if abs(M[p][i]) < 1e-12: raise ValueError("singular")
        M[i], M[p] = M[p], M[i]
        for r in range(i + 1, n):
            k = M[r][i] / M[i][i]
            M[r] = [x - k * y for x, y in zip(M[r], M[i])]
    x = [0.0] * n
    for i in reversed(range(n)): x[i] = (M[i][n] - sum(M[i][j] * x[j] for j in range(i + 1, n))) / M[i][i]
    return x
print([round(v, 9) for v in solve([[2.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]], [8.0, -11.0, -3.0])])
try:
    solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0])
except ValueError as e:
    print(e)
xs = [2.5, 0.5, 2.2, 1.9, 3.1, 2.3, 2.0, 1.0, 1.5, 1.1]
ys = [2.4, 0.7, 2.9, 2.2, 3.0, 2.7, 1.6, 1.1, 1.6, 0.9]
mean = lambda v: sum(v) / len(v)
mx, my = mean(xs), mean(ys)
cov = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
slope = cov / sum((x - mx) ** 2 for x in xs)
corr = cov / math.sqrt(sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys))
print(mx, my, round(slope, 12), round(my - slope * mx, 12), round(corr, 12), sorted(xs)[len(xs) // 2], round(math.sqrt(sum((x - mx) ** 2 for x in xs) / 9), 12))
def lagrange(pts, x): return sum(y * math.prod((x - xj) / (xi - xj) for j, (xj, _) in enumerate(pts) if j != i) for i, (xi, y) in enumerate(pts))
print(lagrange([(0, 1), (1, 3), (2, 11)], 1.5), [round(lagrange([(i, math.sin(i)) for i in range(5)], x / 2), 8) for x in range(9)])
def rk4(f, y, t, h, n):
    for _ in range(n):
        k1 = f(t, y); k2 = f(t + h / 2, y + h / 2 * k1); k3 = f(t + h / 2, y + h / 2 * k2); k4 = f(t + h, y + h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4); t += h
    return y
print(round(rk4(lambda t, y: y, 1.0, 0.0, 0.1, 10), 9), round(rk4(lambda t, y: -2 * t * y, 1.0, 0.0, 0.05, 20), 9))
class C:
    __slots__ = ("r", "i")
    def __init__(self, r, i=0.0): self.r, self.i = r, i
    def __add__(self, o): return C(self.r + o.r, self.i + o.i)
    def __sub__(self, o): return C(self.r - o.r, self.i - o.i)
    def __mul__(self, o): return C(self.r * o.r - self.i * o.i, self.r * o.i + self.i * o.r)
    def __abs__(self): return math.hypot(self.r, self.i)
def fft(a):
    n = len(a)
    if n == 1: return a
    e, o = fft(a[::2]), fft(a[1::2])
    out = [None] * n
    for k in range(n // 2):
        t = C(math.cos(-2 * math.pi * k / n), math.sin(-2 * math.pi * k / n)) * o[k]
        out[k], out[k + n // 2] = e[k] + t, e[k] - t
    return out
print([round(abs(c), 9) for c in fft([C(float(x)) for x in (1, 1, 1, 1, 0, 0, 0, 0)])])
for y in range(-6, 7):
    line = ""
    for x in range(-20, 8):
        z, c, n = (0.0, 0.0), (x / 10, y / 5), 0
        while n < 30 and z[0] * z[0] + z[1] * z[1] <= 4: z = (z[0] * z[0] - z[1] * z[1] + c[0], 2 * z[0] * z[1] + c[1]); n += 1
        line += " .:-=+*#%@"[min(n, 29) // 3]
    print(line.rstrip())
print(sum(1 / n ** 2 for n in range(1, 2000)), (1 + 1 / 10 ** 6) ** 10 ** 6, sum(0.1 for _ in range(1000)), math.fsum(0.1 for _ in range(1000)), 0.1 * 1000, 1e16 + 1 - 1e16, 2 ** 0.5 * 2 ** 0.5)
x = 0.5
for _ in range(60): x = 3.9 * x * (1 - x)
print(x, [round(math.exp(-i) * math.cos(i), 6) for i in range(6)], 355 / 113, 22 / 7 - math.pi)
