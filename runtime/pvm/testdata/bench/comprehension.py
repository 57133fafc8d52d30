def run(n):
    t = 0
    for k in range(n):
        a = [i * i for i in range(200) if i % 3]
        b = {i: j for i, j in enumerate(a)}
        c = {x & 31 for x in a}
        t += sum(x for x in a if x & 1) + len(b) + len(c)
    m = [[(i * j) % 7 for j in range(100)] for i in range(100)]
    tr = [[row[i] for row in m] for i in range(100)]
    return t, tr[3][5]
print(run(6000))
