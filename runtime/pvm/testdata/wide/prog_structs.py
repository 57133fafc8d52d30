from __future__ import annotations
from typing import Generic, TypeVar, Iterator, Callable, Optional
K = TypeVar('K'); V = TypeVar('V')
class LRU(Generic[K, V]):
    class _N:
        __slots__ = 'k', 'v', 'p', 'n'
        def __init__(self, k=None, v=None): self.k, self.v, self.p, self.n = k, v, None, None
    def __init__(self, cap: int): self.cap, self.order, self.d, self.hits, self.misses = cap, [], {}, 0, 0
    def get(self, k: K, default: Optional[V] = None) -> Optional[V]:
        if k not in self.d: self.misses += 1; return default
        self.hits += 1; self.order.remove(k); self.order.append(k); return self.d[k]
    def put(self, k: K, v: V) -> None:
        if k in self.d: self.order.remove(k)
        elif len(self.d) >= self.cap: del self.d[self.order.pop(0)]
        self.d[k] = v; self.order.append(k)
    def __contains__(self, k): return k in self.d
    def __repr__(self): return f"LRU({', '.join(f'{k}={self.d[k]}' for k in self.order)})"
c = LRU[str, int](2); c.put('a', 1); c.put('b', 2); c.get('a'); c.put('c', 3); print(c, 'b' in c, c.get('b'), c.hits, c.misses, LRU.__parameters__, LRU[str, int].__args__, c.__orig_class__)
class Trie:
    def __init__(self): self.kids: dict[str, Trie] = {}; self.end = False
    def add(self, w):
        n = self
        for ch in w: n = n.kids.setdefault(ch, Trie())
        n.end = True; return self
    def __iter__(self, pre='') -> Iterator[str]:
        if self.end: yield pre
        for ch in sorted(self.kids): yield from self.kids[ch].__iter__(pre + ch)
    def find(self, pre):
        n = self
        for ch in pre:
            if (n := n.kids.get(ch)) is None: return []
        return list(n.__iter__(pre))
t = Trie()
for w in 'car card care cat dog do done'.split(): t.add(w)
print(list(t), t.find('car'), t.find('do'), t.find('x'))
class BST:
    def __init__(self, it=()):
        self.root = None; self.n = 0
        for x in it: self.insert(x)
    def insert(self, x):
        path = ['root']; node = self.root
        if node is None: self.root = [x, None, None]; self.n += 1; return True
        while True:
            if x == node[0]: return False
            i = 1 if x < node[0] else 2
            if node[i] is None: node[i] = [x, None, None]; self.n += 1; return True
            node = node[i]
    def __iter__(self):
        st, n = [], self.root
        while st or n:
            while n: st.append(n); n = n[1]
            n = st.pop(); yield n[0]; n = n[2]
    def __contains__(self, x):
        n = self.root
        while n and n[0] != x: n = n[1 if x < n[0] else 2]
        return n is not None
    def height(self, n=...): n = self.root if n is ... else n; return 0 if n is None else 1 + max(self.height(n[1]), self.height(n[2]))
    def remove(self, x):
        def go(n):
            if n is None: raise KeyError(x)
            if x < n[0]: n[1] = go(n[1])
            elif x > n[0]: n[2] = go(n[2])
            elif n[1] is None: return n[2]
            elif n[2] is None: return n[1]
            else:
                m = n[2]
                while m[1]: m = m[1]
                v = m[0]; self.remove(v); n[0] = v; self.n += 1
            return n
        self.root = go(self.root); self.n -= 1
b = BST([50, 30, 70, 20, 40, 60, 80, 30]); print(list(b), b.n, b.height(), 40 in b, 45 in b)
for x in (20, 50, 99):
    try: b.remove(x); print(list(b), b.n)
    except KeyError as e: print('KeyError', e)
class Heap:
    def __init__(self, key: Callable = lambda x: x): self.h, self.key, self.c = [], key, 0
    def push(self, x): self.h.append((self.key(x), self.c, x)); self.c += 1; self.h.sort(reverse=True)
    def pop(self): return self.h.pop()[2]
    def __bool__(self): return bool(self.h)
h = Heap(len)
for w in 'ccc a bb dd e'.split(): h.push(w)
print([h.pop() for _ in range(5)], bool(h))
class Ring:
    def __init__(self, n): self.b, self.i, self.full = [None] * n, 0, False
    def add(self, x): self.b[self.i] = x; self.i = (self.i + 1) % len(self.b); self.full |= self.i == 0
    def __iter__(self): yield from (self.b[self.i:] + self.b[:self.i] if self.full else self.b[:self.i])
    def __matmul__(self, f): return [f(x) for x in self]
r = Ring(3)
for i in range(5): r.add(i)
print(list(r), r @ str, *Ring(2)); u = dict(zip('abcdef', 'abcdef'))
def find(x):
    while u[x] != x: x = u[x]
    return x
for a, z in ('ab', 'cd', 'ac', 'ef'): u[find(a)] = find(z)
print({x: find(x) for x in u}, len({find(x) for x in u}))
