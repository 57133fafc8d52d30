from collections import Counter
def heappush(h, x):
    h.append(x); i = len(h) - 1
    while i and h[i] < h[(i - 1) // 2]: h[i], h[(i - 1) // 2] = h[(i - 1) // 2], h[i]; i = (i - 1) // 2
def heappop(h):
    h[0], h[-1] = h[-1], h[0]; x = h.pop(); i = 0
    while (c := 2 * i + 1) < len(h):
        if c + 1 < len(h) and h[c + 1] < h[c]: c += 1
        if h[i] <= h[c]: break
        h[i], h[c] = h[c], h[i]; i = c
    return x
def codes(text):
    h = []
    for n, (ch, k) in enumerate(sorted(Counter(text).items())): heappush(h, (k, n, ch))
    n += 1
    while len(h) > 1:
        a, b = heappop(h), heappop(h); heappush(h, (a[0] + b[0], n, (a, b))); n += 1
    out = {}
    def walk(node, pre):
        match node:
            case (_, _, (l, r)): walk(l, pre + '0'); walk(r, pre + '1')
            case (_, _, str() as c): out[c] = pre or '0'
    walk(h[0], ''); return out
def decode(bits, cs):
    inv = {v: k for k, v in cs.items()}; cur = ''; out = []
    for b in bits:
        cur += b
        if cur in inv: out.append(inv[cur]); cur = ''
    return ''.join(out)
for t in ('abracadabra', 'aaaa', 'the quick brown fox jumps over the lazy dog', 'mississippi river'):
    cs = codes(t); enc = ''.join(cs[c] for c in t); print(sorted(cs.items(), key=lambda kv: (len(kv[1]), kv[1])), len(enc), decode(enc, cs) == t, f'{len(enc) / (8 * len(t)):.3f}')
