def words(n):
    x, out = 1, []
    for i in range(n):
        x = (x * 1103515245 + 12345) & 0x7fffffff
        out.append("w" + str(x % 5003))
    return out
def count(ws):
    c = {}
    for w in ws:
        c[w] = c.get(w, 0) + 1
    return c
def run(n):
    ws = words(n)
    c = count(ws)
    best = sorted(c.items(), key=lambda kv: (-kv[1], kv[0]))[:5]
    inv = {}
    for k, v in c.items():
        inv.setdefault(v, []).append(k)
    m = {i: i * i for i in range(n // 4)}
    t = 0
    for i in range(n // 2):
        t += m.get(i, 1)
        if i in m:
            t ^= m[i]
    return best, len(inv), t
print([run(50000) for _ in range(8)][0])
