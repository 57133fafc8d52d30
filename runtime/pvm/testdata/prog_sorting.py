# Sorting and searching algorithms, all checked against sorted().
def bubble(a):
    a = a[:]
    for i in range(len(a)):
        swapped = False
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]: a[j], a[j + 1] = a[j + 1], a[j]; swapped = True
        if not swapped: break
    return a
def insertion(a):
    a = a[:]
    for i in range(1, len(a)):
        x, j = a[i], i
        while j and a[j - 1] > x: a[j] = a[j - 1]; j -= 1
        a[j] = x
    return a
def selection(a):
    a = a[:]
    for i in range(len(a)):
        m = min(range(i, len(a)), key=a.__getitem__)
        a[i], a[m] = a[m], a[i]
    return a
def merge(a):
    if len(a) < 2: return a
    l, r = merge(a[: len(a) // 2]), merge(a[len(a) // 2:])
    out, i, j = [], 0, 0
    while i < len(l) and j < len(r):
        if l[i] <= r[j]: out.append(l[i]); i += 1
        else: out.append(r[j]); j += 1
    return out + l[i:] + r[j:]
def quick(a):
    if len(a) < 2: return a
    p = a[len(a) // 2]
    return quick([x for x in a if x < p]) + [x for x in a if x == p] + quick([x for x in a if x > p])
def quick_inplace(a, lo=0, hi=None):
    if hi is None: a = a[:]; hi = len(a) - 1
    while lo < hi:
        p, i, j = a[(lo + hi) // 2], lo, hi
        while i <= j:
            while a[i] < p: i += 1
            while a[j] > p: j -= 1
            if i <= j: a[i], a[j] = a[j], a[i]; i += 1; j -= 1
        if j - lo < hi - i: quick_inplace(a, lo, j); lo = i
        else: quick_inplace(a, i, hi); hi = j
    return a
def heap(a):
    a = a[:]
    def sift(i, n):
        while (c := 2 * i + 1) < n:
            if c + 1 < n and a[c + 1] > a[c]: c += 1
            if a[i] >= a[c]: break
            a[i], a[c] = a[c], a[i]; i = c
    for i in reversed(range(len(a) // 2)): sift(i, len(a))
    for n in range(len(a) - 1, 0, -1): a[0], a[n] = a[n], a[0]; sift(0, n)
    return a
def shell(a):
    a, gap = a[:], len(a) // 2
    while gap:
        for i in range(gap, len(a)):
            x, j = a[i], i
            while j >= gap and a[j - gap] > x: a[j] = a[j - gap]; j -= gap
            a[j] = x
        gap //= 2
    return a
def counting(a):
    if not a: return []
    lo = min(a)
    counts = [0] * (max(a) - lo + 1)
    for x in a: counts[x - lo] += 1
    return [i + lo for i, c in enumerate(counts) for _ in range(c)]
def radix(a):
    off = min(a, default=0)
    a = [x - off for x in a]
    shift = 0
    while a and max(a) >> shift:
        buckets = [[] for _ in range(16)]
        for x in a: buckets[x >> shift & 15].append(x)
        a = [x for b in buckets for x in b]
        shift += 4
    return [x + off for x in a]
def comb(a):
    a, gap, swapped = a[:], len(a), True
    while gap > 1 or swapped:
        gap = max(1, gap * 10 // 13); swapped = False
        for i in range(len(a) - gap):
            if a[i] > a[i + gap]: a[i], a[i + gap] = a[i + gap], a[i]; swapped = True
    return a
def tree(a):
    root = None
    def ins(n, k):
        if n is None: return [k, 1, None, None]
        if k == n[0]: n[1] += 1
        elif k < n[0]: n[2] = ins(n[2], k)
        else: n[3] = ins(n[3], k)
        return n
    def walk(n):
        if n: yield from walk(n[2]); yield from [n[0]] * n[1]; yield from walk(n[3])
    for k in a: root = ins(root, k)
    return list(walk(root))
seed = 7
def rnd(n):
    global seed
    out = []
    for _ in range(n): seed = (seed * 1664525 + 1013904223) % 2**32; out.append(seed >> 16 & 0xFF)
    return out
inputs = [[], [1], [2, 1], [3, 3, 3], list(range(20)), list(range(20, 0, -1)), rnd(50), rnd(120), [-5, 3, 0, -5, 9]]
for f in (bubble, insertion, selection, merge, quick, quick_inplace, heap, shell, counting, radix, comb, tree):
    print(f.__name__, all(f(x) == sorted(x) for x in inputs), f([5, 2, 9, 1, 5, 6]))
def binary(a, x):
    lo, hi = 0, len(a)
    while lo < hi:
        m = (lo + hi) // 2
        if a[m] < x: lo = m + 1
        else: hi = m
    return lo if lo < len(a) and a[lo] == x else ~lo
a = [1, 3, 5, 7, 9]
print([binary(a, x) for x in range(11)])
def kth(a, k):
    p = a[len(a) // 2]
    lo, eq = [x for x in a if x < p], a.count(p)
    return kth(lo, k) if k < len(lo) else p if k < len(lo) + eq else kth([x for x in a if x > p], k - len(lo) - eq)
r = rnd(31)
print(kth(r, 15) == sorted(r)[15], kth(r, 0) == min(r), kth(r, 30) == max(r))
def kmp(s, p):
    fail, k = [0], 0
    for c in p[1:]:
        while k and p[k] != c: k = fail[k - 1]
        k += p[k] == c
        fail.append(k)
    out, k = [], 0
    for i, c in enumerate(s):
        while k and p[k] != c: k = fail[k - 1]
        k += p[k] == c
        if k == len(p): out.append(i - k + 1); k = fail[k - 1]
    return out, fail
print(kmp("abababcabababc", "ababc"), kmp("aaaa", "aa"))
def inversions(a):
    if len(a) < 2: return a, 0
    l, x = inversions(a[: len(a) // 2]); r, y = inversions(a[len(a) // 2:])
    out, n = [], x + y
    while l and r:
        if l[0] <= r[0]: out.append(l.pop(0))
        else: out.append(r.pop(0)); n += len(l)
    return out + l + r, n
print(inversions([2, 4, 1, 3, 5])[1], inversions(list(range(10, 0, -1)))[1])
def topk(a, k): return sorted(a, reverse=True)[:k]
def dutch(a):
    lo, i, hi = 0, 0, len(a) - 1
    while i <= hi:
        if a[i] == 0: a[lo], a[i] = a[i], a[lo]; lo += 1; i += 1
        elif a[i] == 2: a[hi], a[i] = a[i], a[hi]; hi -= 1
        else: i += 1
    return a
print(topk(r, 3) == sorted(r)[::-1][:3], dutch([2, 0, 2, 1, 1, 0]), [x for x in zip(*sorted(zip([3, 1, 2], "abc")))])
