def lcg(n):
    x, out = 42, []
    for i in range(n):
        x = (x * 1103515245 + 12345) & 0x7fffffff
        out.append(x)
    return out
def quick(a):
    if len(a) < 2:
        return a
    p = a[len(a) // 2]
    return quick([x for x in a if x < p]) + [x for x in a if x == p] + quick([x for x in a if x > p])
def heap(a):
    h = []
    for x in a:
        h.append(x)
        i = len(h) - 1
        while i and h[(i - 1) >> 1] > h[i]:
            j = (i - 1) >> 1
            h[i], h[j] = h[j], h[i]
            i = j
    return h[0]
def run(n):
    a = lcg(n)
    s = sorted(a)
    t = sorted(a, key=lambda x: -x)
    u = sorted(map(str, a))
    q = quick(a)
    return s[0], t[0], u[0], q == s, heap(a)
print([run(15000) for _ in range(10)][0])
