# Larger volumes: growth, many keys, long strings, deep iteration. Output is small.
n = 20000
l = [i * 7919 % 10007 for i in range(n)]
d = {}
for i, x in enumerate(l): d.setdefault(x, []).append(i)
print(len(d), max(map(len, d.values())), sum(len(v) for v in d.values()), d[0][:3], sorted(d)[:3])
s = "".join(chr(97 + x % 26) for x in l)
print(len(s), s[:20], s.count("a"), s.find("zz"), len(set(s)), len(s.split("e")), s.replace("abc", "").__len__(), s[::-1][:5], hash(s) == hash("".join(s)))
t = 0
for i in range(100000): t = (t * 31 + i) % 1000003
print(t)
q = list(range(5000))
while len(q) > 1: q = [a + b for a, b in zip(q[::2], q[1::2])] + (q[-1:] if len(q) % 2 else [])
print(q)
st = set()
for x in l: st ^= {x % 101}
print(len(st), sum(st))
words = [s[i:i + 3] for i in range(0, len(s), 3)]
freq = {}
for w in words: freq[w] = freq.get(w, 0) + 1
print(len(freq), sorted(freq.items(), key=lambda kv: (-kv[1], kv[0]))[:3])
b = bytearray(n)
for x in l: b[x] = (b[x] + 1) & 255
print(sum(b), bytes(b[:10]), len(bytes(b).strip(b"\0")), b.count(0))
m = [[(i * j) % 10 for j in range(60)] for i in range(60)]
print(sum(map(sum, m)), sum(m[i][i] for i in range(60)), [sum(c) for c in zip(*m)][:5])
def gen(k):
    for i in range(k): yield i
print(sum(gen(30000)), sum(x for x in gen(30000) if x % 3 == 0), max(gen(1000)), len(list(map(str, gen(2000)))))
class P:
    __slots__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
ps = [P(i, i * i % 97) for i in range(5000)]
ps.sort(key=lambda p: (p.y, -p.x))
print(ps[0].x, ps[-1].x, sum(p.y for p in ps))
keys = [f"key{i}" for i in range(3000)]
dd = dict.fromkeys(keys, 0)
for i in range(9000): dd[keys[i * 7 % 3000]] += i
for k in keys[::2]: del dd[k]
print(len(dd), sum(dd.values()), list(dd)[:2], "key1" in dd, "key2" in dd)
text = " ".join(keys)
print(len(text), len(text.split()), text.upper()[:9], text.index("key2999"), "-".join(reversed(text.split()[:3])))
print(len(str(3**2000)), sum(map(int, str(2**3000))), (7**1000) % 1000007, len(hex(5**500)))
acc = []
for i in range(2000):
    acc.append(i)
    if len(acc) > 100: acc.pop(0)
print(acc[0], acc[-1], len(acc))
tup = ()
for i in range(500): tup += (i,)
print(len(tup), sum(tup), tup[:3] + tup[-3:])
x = None
for i in range(20000): x = (i, None)
print(x, sorted(l)[n // 2], len({*l}), [*l][:2], min(l), max(l))
