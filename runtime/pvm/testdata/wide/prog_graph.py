from collections import defaultdict, deque
import math
class Graph:
    def __init__(self, edges=(), directed=False):
        self.adj = defaultdict(dict); self.directed = directed
        for u, v, *w in edges: self.add(u, v, *w)
    def add(self, u, v, w=1):
        self.adj[u][v] = w; self.adj[v]
        if not self.directed: self.adj[v][u] = w
    def bfs(self, s):
        seen, q = {s: None}, deque([s])
        while q:
            u = q.popleft(); yield u
            for v in self.adj[u]:
                if v not in seen: seen[v] = u; q.append(v)
    def dfs(self, s, seen=None):
        seen = set() if seen is None else seen; seen.add(s); yield s
        for v in self.adj[s]:
            if v not in seen: yield from self.dfs(v, seen)
    def dijkstra(self, s):
        dist = defaultdict(lambda: math.inf, {s: 0}); todo = list(self.adj)
        while todo:
            u = min(todo, key=lambda n: (dist[n], str(n))); todo.remove(u)
            for v, w in self.adj[u].items(): dist[v] = min(dist[v], dist[u] + w)
        return dict(dist)
    def topo(self):
        deg = {u: 0 for u in self.adj}
        for u in self.adj:
            for v in self.adj[u]: deg[v] += 1
        ready = deque(u for u, k in deg.items() if not k); out = []
        while ready:
            u = ready.popleft(); out.append(u)
            for v in self.adj[u]:
                deg[v] -= 1
                if not deg[v]: ready.append(v)
        if len(out) < len(self.adj): raise ValueError(f'cycle among {sorted(set(self.adj) - set(out))}')
        return out
    def kruskal(self):
        par = {u: u for u in self.adj}
        def find(x):
            while par[x] != x: par[x] = par[par[x]]; x = par[x]
            return x
        for w, u, v in sorted((w, u, v) for u in self.adj for v, w in self.adj[u].items() if u < v):
            a, b = find(u), find(v)
            if a != b: par[a] = b; yield u, v, w
    def scc(self):
        idx, low, st, out, n = {}, {}, [], [], 0
        def go(u):
            nonlocal n
            idx[u] = low[u] = n; n += 1; st.append(u)
            for v in self.adj[u]:
                if v not in idx: go(v); low[u] = min(low[u], low[v])
                elif v in st: low[u] = min(low[u], idx[v])
            if low[u] == idx[u]:
                c = []
                while True:
                    c.append(st.pop())
                    if c[-1] == u: break
                out.append(sorted(c))
        for u in list(self.adj):
            if u not in idx: go(u)
        return out
g = Graph([('a', 'b', 4), ('a', 'c', 1), ('c', 'b', 2), ('b', 'd', 5), ('d', 'e', 3), ('c', 'e', 10)]); print(list(g.bfs('a')), list(g.dfs('a')), g.dijkstra('a'), list(g.kruskal()))
d = Graph([('shirt', 'tie'), ('tie', 'jacket'), ('trousers', 'shoes'), ('trousers', 'belt'), ('belt', 'jacket')], directed=True); print(d.topo()); d.add('jacket', 'shirt')
try: d.topo()
except ValueError as e: print(e)
print(d.scc(), Graph([(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 4)], True).scc())
def floyd(n, es):
    D = [[0 if i == j else math.inf for j in range(n)] for i in range(n)]
    for u, v, w in es: D[u][v] = w
    for k in range(n):
        for i in range(n):
            for j in range(n): D[i][j] = min(D[i][j], D[i][k] + D[k][j])
    return D
print(floyd(4, [(0, 1, 3), (1, 2, -2), (2, 3, 2), (3, 1, 5), (0, 3, 7)])); grid = ['S.#.', '..#E', '.#..', '....']
def path(g):
    P = {(r, c): ch for r, row in enumerate(g) for c, ch in enumerate(row)}; s = next(k for k, v in P.items() if v == 'S'); q = deque([(s, (s,))]); seen = {s}
    while q:
        (r, c), p = q.popleft()
        if P[r, c] == 'E': return p
        for n in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
            if P.get(n, '#') != '#' and n not in seen: seen.add(n); q.append((n, p + (n,)))
print(len(path(grid)) - 1, path(grid))
