def solve(n):
    cols, up, down = [True] * n, [True] * (2 * n), [True] * (2 * n)
    board, found = [0] * n, []
    def place(r):
        if r == n:
            found.append(tuple(board))
            return
        for c in range(n):
            if cols[c] and up[r + c] and down[r - c + n]:
                cols[c] = up[r + c] = down[r - c + n] = False
                board[r] = c
                place(r + 1)
                cols[c] = up[r + c] = down[r - c + n] = True
    place(0)
    return found
def safe(n):
    def go(k):
        if k == 0:
            return [()]
        return [q + (c,) for q in go(k - 1) for c in range(n)
                if all(c != x and abs(c - x) != len(q) - i for i, x in enumerate(q))]
    return len(go(n))
print([(len(solve(9)), solve(6), safe(8)) for _ in range(6)][0])
