# Data structures: linked list, stack, queue, BST, AVL, trie, LRU, heap, matrix, ring buffer, skip-free set.
class Node:
    __slots__ = ("v", "next")
    def __init__(self, v, next=None): self.v, self.next = v, next
class LinkedList:
    def __init__(self, it=()):
        self.head = None; self.n = 0
        for x in reversed(list(it)): self.push(x)
    def push(self, v): self.head = Node(v, self.head); self.n += 1
    def pop(self):
        if self.head is None: raise IndexError("pop from empty list")
        v, self.head = self.head.v, self.head.next; self.n -= 1
        return v
    def __iter__(self):
        n = self.head
        while n: yield n.v; n = n.next
    def __len__(self): return self.n
    def reverse(self):
        prev, cur = None, self.head
        while cur: cur.next, prev, cur = prev, cur, cur.next
        self.head = prev
        return self
    def __repr__(self): return " -> ".join(map(repr, self)) or "empty"
l = LinkedList([1, 2, 3]); l.push(0)
print(l, len(l), l.pop(), l.reverse(), list(l), 2 in l, max(l), LinkedList())
try:
    LinkedList().pop()
except IndexError as e:
    print(e)
class BST:
    class N:
        def __init__(self, k): self.k, self.l, self.r = k, None, None
    def __init__(self, ks=()):
        self.root = None
        for k in ks: self.add(k)
    def add(self, k):
        if self.root is None: self.root = BST.N(k); return True
        n = self.root
        while True:
            if k == n.k: return False
            side = "l" if k < n.k else "r"
            nxt = getattr(n, side)
            if nxt is None: setattr(n, side, BST.N(k)); return True
            n = nxt
    def __contains__(self, k):
        n = self.root
        while n and n.k != k: n = n.l if k < n.k else n.r
        return n is not None
    def __iter__(self):
        def walk(n):
            if n: yield from walk(n.l); yield n.k; yield from walk(n.r)
        return walk(self.root)
    def height(self):
        def h(n): return 0 if n is None else 1 + max(h(n.l), h(n.r))
        return h(self.root)
    def remove(self, k):
        def rm(n, k):
            if n is None: raise KeyError(k)
            if k < n.k: n.l = rm(n.l, k)
            elif k > n.k: n.r = rm(n.r, k)
            elif n.l is None: return n.r
            elif n.r is None: return n.l
            else:
                m = n.r
                while m.l: m = m.l
                n.k = m.k; n.r = rm(n.r, m.k)
            return n
        self.root = rm(self.root, k)
t = BST([50, 30, 70, 20, 40, 60, 80, 30])
t.remove(50); t.remove(20)
print(list(t), 60 in t, 50 in t, t.height(), t.add(5), t.add(5), list(t))
class AVL:
    def __init__(self): self.root = None
    def add(self, k): self.root = self._add(self.root, k)
    def _h(self, n): return n[3] if n else 0
    def _mk(self, k, l, r): return (k, l, r, 1 + max(self._h(l), self._h(r)))
    def _bal(self, k, l, r):
        if self._h(l) > self._h(r) + 1:
            lk, ll, lr, _ = l
            if self._h(ll) < self._h(lr): return self._mk(lr[0], self._mk(lk, ll, lr[1]), self._mk(k, lr[2], r))
            return self._mk(lk, ll, self._mk(k, lr, r))
        if self._h(r) > self._h(l) + 1:
            rk, rl, rr, _ = r
            if self._h(rr) < self._h(rl): return self._mk(rl[0], self._mk(k, l, rl[1]), self._mk(rk, rl[2], rr))
            return self._mk(rk, self._mk(k, l, rl), rr)
        return self._mk(k, l, r)
    def _add(self, n, k):
        if n is None: return (k, None, None, 1)
        nk, l, r, _ = n
        if k == nk: return n
        return self._bal(nk, self._add(l, k), r) if k < nk else self._bal(nk, l, self._add(r, k))
    def items(self):
        stack, n = [], self.root
        while stack or n:
            while n: stack.append(n); n = n[1]
            n = stack.pop(); yield n[0]; n = n[2]
a = AVL()
for i in range(200): a.add(i * 37 % 211)
print(a._h(a.root), list(a.items()) == sorted(i * 37 % 211 for i in range(200)))
class Trie:
    def __init__(self): self.kids, self.end = {}, False
    def add(self, w):
        n = self
        for c in w: n = n.kids.setdefault(c, Trie())
        n.end = True
    def words(self, prefix=""):
        n = self
        for c in prefix:
            if c not in n.kids: return
            n = n.kids[c]
        yield from n._walk(prefix)
    def _walk(self, acc):
        if self.end: yield acc
        for c in sorted(self.kids): yield from self.kids[c]._walk(acc + c)
tr = Trie()
for w in "to tea ted ten i in inn A".split(): tr.add(w)
print(list(tr.words()), list(tr.words("te")), list(tr.words("zz")))
class LRU:
    def __init__(self, cap): self.cap, self.d = cap, {}
    def get(self, k):
        if k not in self.d: return None
        self.d[k] = v = self.d.pop(k)
        return v
    def put(self, k, v):
        self.d.pop(k, None)
        self.d[k] = v
        if len(self.d) > self.cap: del self.d[next(iter(self.d))]
c = LRU(2)
c.put("a", 1); c.put("b", 2); c.get("a"); c.put("c", 3)
print(c.d, c.get("b"), c.get("a"))
class Matrix:
    def __init__(self, rows): self.r = [list(x) for x in rows]
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.r)] for r in self.r])
    def __add__(self, o): return Matrix([[a + b for a, b in zip(x, y)] for x, y in zip(self.r, o.r)])
    def __mul__(self, k): return Matrix([[k * a for a in x] for x in self.r])
    __rmul__ = __mul__
    def __pow__(self, n):
        out = Matrix([[int(i == j) for j in range(len(self.r))] for i in range(len(self.r))])
        b = self
        while n:
            if n & 1: out = out @ b
            b = b @ b; n >>= 1
        return out
    @property
    def T(self): return Matrix(zip(*self.r))
    def det(self):
        if len(self.r) == 1: return self.r[0][0]
        return sum((-1) ** j * v * Matrix([row[:j] + row[j + 1:] for row in self.r[1:]]).det() for j, v in enumerate(self.r[0]))
    def __eq__(self, o): return self.r == o.r
    def __repr__(self): return "M" + str(self.r)
    def __getitem__(self, ij): i, j = ij; return self.r[i][j]
m = Matrix([[1, 2], [3, 4]])
print(m @ m, m + m, 3 * m, m.T, m.det(), m ** 10, (Matrix([[1, 1], [1, 0]]) ** 100)[0, 1], Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 4]]).det(), m == Matrix(m.r))
class Ring:
    def __init__(self, n): self.b, self.i, self.n = [None] * n, 0, n
    def add(self, x): self.b[self.i % self.n] = x; self.i += 1
    def __iter__(self): return (self.b[k % self.n] for k in range(max(0, self.i - self.n), self.i))
r = Ring(3)
for x in "abcde": r.add(x)
print(list(r), r.b)
class Poly:
    def __init__(self, *c): self.c = list(c)
    def __mul__(self, o):
        out = [0] * (len(self.c) + len(o.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(o.c): out[i + j] += a * b
        return Poly(*out)
    def __call__(self, x):
        r = 0
        for a in reversed(self.c): r = r * x + a
        return r
    def __str__(self): return " + ".join(f"{a}x^{i}" if i else str(a) for i, a in enumerate(self.c) if a)
p = Poly(1, 1)
q = p * p * p
print(q, q(2), [q(x) for x in range(4)])
del t, l
