def mul(a, b):
    cols = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, col)) for col in cols] for row in a]
def naive(a, b, n):
    c = [[0] * n for _ in range(n)]
    for i in range(n):
        ci, ai = c[i], a[i]
        for k in range(n):
            x, bk = ai[k], b[k]
            for j in range(n):
                ci[j] += x * bk[j]
    return c
def det(m, p):
    m, d = [row[:] for row in m], 1
    for i in range(len(m)):
        j = i
        while m[j][i] % p == 0:
            j += 1
            if j == len(m):
                return 0
        if j != i:
            m[i], m[j] = m[j], m[i]
            d = -d
        d = d * m[i][i] % p
        inv = pow(m[i][i], p - 2, p)
        for r in range(i + 1, len(m)):
            f = m[r][i] * inv % p
            if f:
                m[r] = [(x - f * y) % p for x, y in zip(m[r], m[i])]
    return d % p
def run(n):
    a = [[(i * 17 + j * 31) % 101 for j in range(n)] for i in range(n)]
    b = [[(i * 13 + j * j * 7) % 97 for j in range(n)] for i in range(n)]
    c, d = mul(a, b), naive(a, b, n)
    return c == d, sum(map(sum, c)), det([[(i * i + j * 3 + i * j * j) % 1009 for j in range(40)] for i in range(40)], 10007)
print(run(130))
