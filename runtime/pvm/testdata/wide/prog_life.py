def step(cells):
    n = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy: n[x + dx, y + dy] = n.get((x + dx, y + dy), 0) + 1
    return {c for c, k in n.items() if k == 3 or k == 2 and c in cells}
def show(cells, w=8, h=6): return '\n'.join(''.join('#' if (x, y) in cells else '.' for x in range(w)) for y in range(h))
def load(s): return {(x, y) for y, r in enumerate(s.split('/')) for x, c in enumerate(r) if c == '#'}
g = load('.#./..#/###')
for i in range(5): print(f'gen {i} {len(g)}'); print(show(g)); g = step(g)
b = load('.../###/...'); print(step(step(b)) == b, step(b) == b, sorted(step(b)))
r = load('.##/##./.#.'); print([len(r := step(r)) for _ in range(60)])
def rule(n, s): return ''.join('#' if n >> (4 * (l == '#') + 2 * (c == '#') + (r == '#')) & 1 else '.' for l, c, r in zip('.' + s, s, s[1:] + '.'))
s = '.' * 15 + '#' + '.' * 15
for _ in range(8): print(s); s = rule(30, s)
