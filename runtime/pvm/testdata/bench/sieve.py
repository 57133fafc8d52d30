def run(n):
    a = [True] * (n + 1)
    a[0] = a[1] = False
    i = 2
    while i * i <= n:
        if a[i]:
            for j in range(i * i, n + 1, i):
                a[j] = False
        i += 1
    c = 0
    for p in a:
        if p:
            c += 1
    board = [0] * 9
    def queens(r, cols, d1, d2):
        if r == 7:
            return 1
        t = 0
        for col in range(7):
            if not (cols >> col & 1 or d1 >> (r + col) & 1 or d2 >> (r - col + 7) & 1):
                t += queens(r + 1, cols | 1 << col, d1 | 1 << r + col, d2 | 1 << r - col + 7)
        return t
    return c, queens(0, 0, 0, 0)
print([run(300000) for _ in range(6)][0])
