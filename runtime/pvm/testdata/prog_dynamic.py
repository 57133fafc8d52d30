# Dynamic programming: LCS, edit distance, knapsack, LIS, coin change, matrix chain, partition, palindromes.
def lcs(a, b):
    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b): t[i + 1][j + 1] = t[i][j] + 1 if x == y else max(t[i][j + 1], t[i + 1][j])
    out, i, j = [], len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]: out.append(a[i - 1]); i -= 1; j -= 1
        elif t[i - 1][j] >= t[i][j - 1]: i -= 1
        else: j -= 1
    return "".join(reversed(out))
def edit(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1): cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]
print(lcs("AGGTABQXYZ", "GXTXAYBZ"), edit("kitten", "sitting"), edit("", "abc"), edit("intention", "execution"))
def knap(items, cap):
    best = [0] * (cap + 1)
    for w, v in items:
        for c in range(cap, w - 1, -1): best[c] = max(best[c], best[c - w] + v)
    return best[cap]
print(knap([(12, 4), (2, 2), (1, 1), (1, 2), (4, 10)], 15), knap([(10, 60), (20, 100), (30, 120)], 50))
def lis(xs):
    best = [[x] for x in xs]
    for i, x in enumerate(xs):
        for j in range(i):
            if xs[j] < x and len(best[j]) + 1 > len(best[i]): best[i] = best[j] + [x]
    return max(best, key=len, default=[])
print(lis([10, 9, 2, 5, 3, 7, 101, 18]), lis([]), lis([5, 4, 3]))
def coins(cs, n):
    ways = [1] + [0] * n
    few = [0] + [None] * n
    for c in cs:
        for i in range(c, n + 1):
            ways[i] += ways[i - c]
            if few[i - c] is not None and (few[i] is None or few[i - c] + 1 < few[i]): few[i] = few[i - c] + 1
    return ways[n], few[n]
print(coins([1, 2, 5, 10, 20, 50, 100, 200], 200), coins([5, 10], 3), coins([1, 5, 10, 25], 99))
def chain(dims):
    memo = {}
    def f(i, j):
        if j - i == 1: return 0, chr(65 + i)
        if (i, j) not in memo: memo[i, j] = min((f(i, k)[0] + f(k, j)[0] + dims[i] * dims[k] * dims[j], f"({f(i, k)[1]}{f(k, j)[1]})") for k in range(i + 1, j))
        return memo[i, j]
    return f(0, len(dims) - 1)
print(chain([40, 20, 30, 10, 30]), chain([10, 20, 30, 40, 30]))
def partitions(n, m=None):
    if n == 0: yield []; return
    for k in range(min(n, m or n), 0, -1):
        for rest in partitions(n - k, k): yield [k] + rest
print(list(partitions(5)), sum(1 for _ in partitions(20)))
def longest_pal(s):
    best = ""
    for i in range(len(s)):
        for a, b in ((i, i), (i, i + 1)):
            while a >= 0 and b < len(s) and s[a] == s[b]: a -= 1; b += 1
            if b - a - 1 > len(best): best = s[a + 1:b]
    return best
print(longest_pal("forgeeksskeegfor"), longest_pal("abacdfgdcaba"), longest_pal("bananas"))
def max_sub(xs):
    best = cur = xs[0]; s = bs = be = 0
    for i, x in enumerate(xs[1:], 1):
        if cur < 0: cur, s = x, i
        else: cur += x
        if cur > best: best, bs, be = cur, s, i
    return best, xs[bs:be + 1]
print(max_sub([-2, 1, -3, 4, -1, 2, 1, -5, 4]), max_sub([-3, -1, -2]))
def catalan(n, memo={0: 1}):
    if n not in memo: memo[n] = sum(catalan(i) * catalan(n - 1 - i) for i in range(n))
    return memo[n]
print([catalan(i) for i in range(12)], catalan(60))
tri = [[3], [7, 4], [2, 4, 6], [8, 5, 9, 3]]
while len(tri) > 1:
    last = tri.pop()
    tri[-1] = [x + max(a, b) for x, a, b in zip(tri[-1], last, last[1:])]
print(tri)
def pascal(n):
    row = [1]
    for _ in range(n): yield row; row = [a + b for a, b in zip([0] + row, row + [0])]
print(*pascal(7), sep="\n")
def word_break(s, words, memo={}):
    if not s: return [[]]
    if s not in memo: memo[s] = [[w] + r for w in words if s.startswith(w) for r in word_break(s[len(w):], words)]
    return memo[s]
print([" ".join(r) for r in word_break("catsanddog", ["cat", "cats", "and", "sand", "dog"])])
