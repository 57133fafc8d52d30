# Backtracking: n queens, sudoku, subset sum, knight's tour by Warnsdorff, permutations.
def queens(n):
    out = []
    def place(row, cols, d1, d2, acc):
        if row == n: out.append(tuple(acc)); return
        for c in range(n):
            if c in cols or row + c in d1 or row - c in d2: continue
            place(row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c}, acc + [c])
    place(0, frozenset(), frozenset(), frozenset(), [])
    return out
print([len(queens(n)) for n in range(1, 7)], queens(6))
print("\n".join("." * c + "Q" + "." * (5 - c) for c in queens(6)[0]))
def solve(grid):
    for i, row in enumerate(grid):
        for j, v in enumerate(row):
            if v == 0:
                used = set(row) | {grid[k][j] for k in range(9)} | {grid[r][c] for r in range(i // 3 * 3, i // 3 * 3 + 3) for c in range(j // 3 * 3, j // 3 * 3 + 3)}
                for d in range(1, 10):
                    if d not in used:
                        row[j] = d
                        if solve(grid): return True
                row[j] = 0
                return False
    return True
g = [[int(c) for c in line] for line in """534678912
672195348
198342567
859761423
426853791
713924056
961037284
287419030
345286009""".split()]
print(solve(g), ["".join(map(str, r)) for r in g])
def subset(xs, target, i=0):
    if target == 0: return []
    if i == len(xs) or target < 0: return None
    with_it = subset(xs, target - xs[i], i + 1)
    return [xs[i]] + with_it if with_it is not None else subset(xs, target, i + 1)
print(subset([3, 34, 4, 12, 5, 2], 9), subset([3, 34, 4], 1), subset(list(range(1, 15)), 50))
def knight(n, start):
    moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    seen = {start: 0}
    def nexts(p): return [(p[0] + a, p[1] + b) for a, b in moves if 0 <= p[0] + a < n and 0 <= p[1] + b < n and (p[0] + a, p[1] + b) not in seen]
    p = start
    for k in range(1, n * n):
        ns = nexts(p)
        if not ns: return None
        p = min(ns, key=lambda q: (len(nexts(q)), q))
        seen[p] = k
    return seen
t = knight(6, (0, 0))
print(None if t is None else [[t[i, j] for j in range(6)] for i in range(6)])
def perms(xs):
    if len(xs) <= 1: yield list(xs); return
    for i, x in enumerate(xs):
        for rest in perms(xs[:i] + xs[i + 1:]): yield [x] + rest
print(len(list(perms([1, 2, 3, 4]))), ["".join(p) for p in perms(list("abc"))])
def hanoi(n, a, b, c): return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
print(len(hanoi(8, "A", "B", "C")), hanoi(3, "A", "B", "C"))
