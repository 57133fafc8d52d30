# Assignment expressions, conditional expressions, chained comparisons.
data = [1, 5, 3, 8]
print([y for x in data if (y := x * 2) > 5], y, any((hit := x) > 4 for x in data), hit, (n := len(data)) > 3 and n)
if (m := max(data)) > 7: print("big", m)
while (chunk := data[:2]):
    print(chunk); data = data[2:]
def f(x): return (r := x + 1, r * 2)
print(f(3), (a := 1) + (b := a + 1) + (c := b + 1), a, b, c, [d := 5, d ** 2], {e: (e := 2) for _ in range(1)} if (e := 1) else 0)
print((lambda x: (z := x) + z)(4), f"{(v := 10)=}" if False else f"{(v := 10)}", v, print(w := "arg"), w)
class K: 
    p = (q := 3) + 1
print(K.p, K.q)
x = 5
print("a" if x > 3 else "b", "a" if x > 9 else "b" if x > 4 else "c", (1 if x else 2) + 1, [i if i % 2 else -i for i in range(4)], (lambda: 1 if x < 0 else 2)(), not x if x else 0)
print(1 < 2 < 3, 1 < 3 < 2, 3 > 2 > 1 > 0, 1 < 2 > 1, 1 == 1.0 == True, 1 != 2 != 1, "a" < "b" <= "b", 1 < 2 == True, (1 < 2) == True, 0 < x < 10, x in [5] in [[5]], print is print is not None)
log = []
def t(v): log.append(v); return v
print(t(1) < t(5) < t(3) < t(9), log)
log.clear()
print(t(1) if t(0) else t(2), log)
class C:
    def __init__(self, n): self.n = n
    def __lt__(self, o): log.append((self.n, o.n)); return self.n < o.n
    def __bool__(self): log.append("bool"); return True
log.clear()
print(bool(C(1) < C(2) < C(3)), log)
print(5 if True else 1 / 0, True or 1 / 0, False and 1 / 0, [] or "default", {} and "x", None or 0 or "last", "first" and "second")
print(not 1 == 2, not (1 == 2), -2 ** 2, (-2) ** 2, 2 ** -1, 2 ** 3 ** 2, 1 + 2 * 3 % 4 - 5 // 2, ~5 & 3 | 4 ^ 1, 1 << 2 + 1, 10 - 5 - 2, 100 / 10 / 2, not True or True, 5 if 0 else 6 if 0 else 7)
