# Games: Life, tic-tac-toe by minimax, bowling, poker hands, blackjack, 15-puzzle check, Nim.
def life(cells, n):
    for _ in range(n):
        counts = {}
        for x, y in cells:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy: counts[x + dx, y + dy] = counts.get((x + dx, y + dy), 0) + 1
        cells = {c for c, k in counts.items() if k == 3 or k == 2 and c in cells}
    return cells
glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
print(sorted(life(glider, 4)), sorted(life({(0, 0), (1, 0), (2, 0)}, 1)), len(life({(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)}, 30)))
for y in range(4): print("".join("#" if (x, y) in life(glider, 2) else "." for x in range(5)))
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
def winner(b): return next((b[i] for i, j, k in LINES if b[i] != " " and b[i] == b[j] == b[k]), None)
memo = {}
def minimax(b, p):
    key = b, p
    if key in memo: return memo[key]
    w = winner(b)
    if w: r = (1 if w == "X" else -1), None
    elif " " not in b: r = 0, None
    else:
        moves = [(minimax(b[:i] + p + b[i + 1:], "O" if p == "X" else "X")[0], i) for i, c in enumerate(b) if c == " "]
        r = max(moves, key=lambda m: (m[0], -m[1])) if p == "X" else min(moves)
    memo[key] = r
    return r
print(minimax("XOX O    ", "X"), minimax("XX  OO   ", "X"), minimax("X   O   X", "O"), len(memo))
b, p, moves = "X O      ", "X", []
while not winner(b) and " " in b:
    _, i = minimax(b, p)
    moves.append(i); b = b[:i] + p + b[i + 1:]; p = "O" if p == "X" else "X"
print(moves, repr(b), winner(b))
def bowling(rolls):
    score, i = 0, 0
    for _ in range(10):
        if rolls[i] == 10: score += 10 + rolls[i + 1] + rolls[i + 2]; i += 1
        elif rolls[i] + rolls[i + 1] == 10: score += 10 + rolls[i + 2]; i += 2
        else: score += rolls[i] + rolls[i + 1]; i += 2
    return score
print(bowling([10] * 12), bowling([9, 0] * 10), bowling([5] * 21), bowling([10, 7, 3, 9, 0, 10, 0, 8, 8, 2, 0, 6, 10, 10, 10, 8, 1]))
def rank(hand):
    vals = sorted(("--23456789TJQKA".index(c[0]) for c in hand.split()), reverse=True)
    if vals == [14, 5, 4, 3, 2]: vals = [5, 4, 3, 2, 1]
    groups = sorted(((vals.count(v), v) for v in set(vals)), reverse=True)
    counts, order = zip(*groups)
    flush = len({c[1] for c in hand.split()}) == 1
    straight = counts == (1,) * 5 and vals[0] - vals[4] == 4
    kind = 8 if flush and straight else 7 if counts[0] == 4 else 6 if counts == (3, 2) else 5 if flush else 4 if straight else 3 if counts[0] == 3 else 2 if counts == (2, 2, 1) else 1 if counts[0] == 2 else 0
    return kind, order
hands = ["2H 3D 5S 9C KD", "2C 3H 4S 8C AH", "2H 4S 4C 2D 4H", "2S 8S AS QS 3S", "TS JS QS KS AS", "AH 2D 3S 4C 5H", "7H 7D 7S 7C 2D", "3H 3D 5S 5C KD"]
for h in sorted(hands, key=rank): print(h, rank(h))
def solvable(p):
    inv = sum(1 for i in range(16) for j in range(i) if p[i] and p[j] and p[j] > p[i])
    return (inv + (15 - p.index(0)) // 4) % 2 == 0
print(solvable([*range(1, 16), 0]), solvable([*range(1, 14), 15, 14, 0]))
def nim(heaps):
    x = 0
    for h in heaps: x ^= h
    return next(((i, h - (h ^ x)) for i, h in enumerate(heaps) if h ^ x < h), None)
print(nim([3, 4, 5]), nim([1, 2, 3]), nim([7]))
def blackjack(cards):
    total = sum(11 if c == "A" else 10 if c in "TJQK" else int(c) for c in cards)
    aces = cards.count("A")
    while total > 21 and aces: total -= 10; aces -= 1
    return total if total <= 21 else "bust"
print([blackjack(h) for h in ("AK", "A5A", "TJ5", "AAA9", "23456")])
