from itertools import product
def solve(b):
    rows, cols, boxes, empty = [set() for _ in range(9)], [set() for _ in range(9)], [set() for _ in range(9)], []
    for i, j in product(range(9), repeat=2):
        if v := b[i][j]: rows[i].add(v); cols[j].add(v); boxes[i // 3 * 3 + j // 3].add(v)
        else: empty.append((i, j))
    steps = 0
    def opts(ij): i, j = ij; return [v for v in range(1, 10) if v not in rows[i] and v not in cols[j] and v not in boxes[i // 3 * 3 + j // 3]]
    def go():
        nonlocal steps
        if not empty: return True
        k = min(range(len(empty)), key=lambda k: len(opts(empty[k]))); i, j = empty.pop(k)
        for v in opts((i, j)):
            steps += 1; b[i][j] = v; rows[i].add(v); cols[j].add(v); boxes[i // 3 * 3 + j // 3].add(v)
            if go(): return True
            rows[i].discard(v); cols[j].discard(v); boxes[i // 3 * 3 + j // 3].discard(v)
        b[i][j] = 0; empty.insert(k, (i, j)); return False
    return go(), steps
g = '530070000600195000098000060800060003400803001700020006060000280000419005000080079'
b = [[int(c) for c in g[i * 9:i * 9 + 9]] for i in range(9)]
print(*solve(b))
for i, r in enumerate(b): print(' | '.join(' '.join(map(str, r[k:k + 3])) for k in (0, 3, 6))) if i % 3 else print('-' * 21, ' | '.join(' '.join(map(str, r[k:k + 3])) for k in (0, 3, 6)), sep='\n')
def queens(n):
    def go(r, c, d1, d2):
        if r == n: yield (); return
        for x in range(n):
            if x not in c and r + x not in d1 and r - x not in d2:
                for rest in go(r + 1, c | {x}, d1 | {r + x}, d2 | {r - x}): yield (x,) + rest
    return go(0, frozenset(), frozenset(), frozenset())
print([sum(1 for _ in queens(n)) for n in range(1, 7)], next(queens(8)))
for q in next(queens(6)): print('.' * q + 'Q' + '.' * (5 - q))
