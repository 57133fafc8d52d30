def a(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)
def times(v, n):
    return [sum([a(i, j) * v[j] for j in range(n)]) for i in range(n)]
def times_t(v, n):
    return [sum([a(j, i) * v[j] for j in range(n)]) for i in range(n)]
def run(n):
    u = [1.0] * n
    for _ in range(4):
        v = times_t(times(u, n), n)
        u = times_t(times(v, n), n)
    vbv = vv = 0.0
    for x, y in zip(u, v):
        vbv += x * y
        vv += y * y
    return (vbv / vv) ** 0.5
print(run(200))
