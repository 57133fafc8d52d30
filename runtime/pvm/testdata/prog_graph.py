# Graph algorithms on dicts: BFS, DFS, Dijkstra, topological order, components, MST, Floyd, max flow.
G = {"a": {"b": 7, "c": 9, "f": 14}, "b": {"a": 7, "c": 10, "d": 15}, "c": {"a": 9, "b": 10, "d": 11, "f": 2}, "d": {"b": 15, "c": 11, "e": 6}, "e": {"d": 6, "f": 9}, "f": {"a": 14, "c": 2, "e": 9}}
def bfs(g, s):
    dist, queue = {s: 0}, [s]
    for u in queue:
        for v in g[u]:
            if v not in dist: dist[v] = dist[u] + 1; queue.append(v)
    return dist
def dfs(g, u, seen=None):
    seen = seen if seen is not None else []
    if u not in seen:
        seen.append(u)
        for v in sorted(g[u]): dfs(g, v, seen)
    return seen
class Heap:
    def __init__(self): self.h = []
    def push(self, x):
        self.h.append(x); i = len(self.h) - 1
        while i and self.h[i] < self.h[(i - 1) // 2]:
            self.h[i], self.h[(i - 1) // 2] = self.h[(i - 1) // 2], self.h[i]; i = (i - 1) // 2
    def pop(self):
        top, last = self.h[0], self.h.pop()
        if self.h:
            self.h[0] = last; i = 0
            while True:
                c = 2 * i + 1
                if c >= len(self.h): break
                if c + 1 < len(self.h) and self.h[c + 1] < self.h[c]: c += 1
                if self.h[i] <= self.h[c]: break
                self.h[i], self.h[c] = self.h[c], self.h[i]; i = c
        return top
    def __bool__(self): return bool(self.h)
def dijkstra(g, s):
    dist, prev, h = {s: 0}, {}, Heap()
    h.push((0, s))
    while h:
        d, u = h.pop()
        if d > dist[u]: continue
        for v, w in g[u].items():
            if d + w < dist.get(v, 10**9):
                dist[v], prev[v] = d + w, u
                h.push((d + w, v))
    return dist, prev
def path(prev, t): return (path(prev, prev[t]) if t in prev else []) + [t]
print(bfs(G, "a"), dfs(G, "a"))
d, p = dijkstra(G, "a")
print(dict(sorted(d.items())), path(p, "e"))
def topo(deps):
    out, temp, done = [], set(), set()
    def visit(n):
        if n in done: return
        if n in temp: raise ValueError(f"cycle at {n}")
        temp.add(n)
        for m in deps.get(n, ()): visit(m)
        temp.discard(n); done.add(n); out.append(n)
    for n in sorted(deps): visit(n)
    return out
print(topo({"app": ["lib", "util"], "lib": ["core"], "util": ["core", "log"], "log": []}))
try:
    topo({"x": ["y"], "y": ["x"]})
except ValueError as e:
    print(e)
class DSU:
    def __init__(self): self.p = {}
    def find(self, x):
        self.p.setdefault(x, x)
        while self.p[x] != x: self.p[x] = self.p[self.p[x]]; x = self.p[x]
        return x
    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b: return False
        self.p[a] = b
        return True
s = DSU()
mst = [(w, u, v) for w, u, v in sorted((w, u, v) for u in G for v, w in G[u].items() if u < v) if s.union(u, v)]
print(mst, sum(w for w, *_ in mst))
INF = 10**9
ks = sorted(G)
D = {(u, v): 0 if u == v else G[u].get(v, INF) for u in ks for v in ks}
for k in ks:
    for i in ks:
        for j in ks: D[i, j] = min(D[i, j], D[i, k] + D[k, j])
print([[D[i, j] for j in ks] for i in ks])
def maxflow(cap, s, t):
    flow = 0
    while True:
        prev, queue = {s: None}, [s]
        for u in queue:
            for v in cap[u]:
                if v not in prev and cap[u][v] > 0: prev[v] = u; queue.append(v)
        if t not in prev: return flow
        v, f = t, INF
        while prev[v] is not None: f = min(f, cap[prev[v]][v]); v = prev[v]
        v = t
        while prev[v] is not None:
            u = prev[v]; cap[u][v] -= f; cap[v][u] = cap[v].get(u, 0) + f; v = u
        flow += f
print(maxflow({"s": {"a": 10, "b": 5}, "a": {"b": 15, "t": 5}, "b": {"t": 10}, "t": {}}, "s", "t"))
def scc(g):
    index, low, stack, out, n = {}, {}, [], [], 0
    def visit(v):
        nonlocal n
        index[v] = low[v] = n; n += 1; stack.append(v)
        for w in g.get(v, ()):
            if w not in index: visit(w); low[v] = min(low[v], low[w])
            elif w in stack: low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            comp = []
            while True:
                w = stack.pop(); comp.append(w)
                if w == v: break
            out.append(sorted(comp))
    for v in sorted(g):
        if v not in index: visit(v)
    return out
print(scc({1: [2], 2: [3], 3: [1, 4], 4: [5], 5: [6], 6: [4], 7: [6]}))
maze = ["S.#.", "..#E", ".#..", "...."]
def solve(m):
    start = next((r, c) for r, row in enumerate(m) for c, ch in enumerate(row) if ch == "S")
    q, came = [start], {start: None}
    for r, c in q:
        if m[r][c] == "E":
            out, cur = [], (r, c)
            while cur: out.append(cur); cur = came[cur]
            return out[::-1]
        for a, b in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if 0 <= a < len(m) and 0 <= b < len(m[0]) and m[a][b] != "#" and (a, b) not in came: came[a, b] = (r, c); q.append((a, b))
print(solve(maze))
