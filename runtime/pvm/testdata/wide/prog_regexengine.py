class Node: pass
class Char(Node):
    def __init__(s, f): s.f = f
    def m(s, t, i, k): return i < len(t) and s.f(t[i]) and k(i + 1)
class Seq(Node):
    def __init__(s, xs): s.xs = xs
    def m(s, t, i, k):
        def go(j, i): return k(i) if j == len(s.xs) else s.xs[j].m(t, i, lambda i2: go(j + 1, i2))
        return go(0, i)
class Alt(Node):
    def __init__(s, xs): s.xs = xs
    def m(s, t, i, k): return any(x.m(t, i, k) for x in s.xs) and True
class Rep(Node):
    def __init__(s, x, lo, hi, greedy=True): s.x, s.lo, s.hi, s.g = x, lo, hi, greedy
    def m(s, t, i, k, n=0):
        more = lambda: n < s.hi and s.x.m(t, i, lambda i2: (i2 > i or n < s.lo) and s.m(t, i2, k, n + 1))
        if n < s.lo: return more()
        return (more() or k(i)) if s.g else (k(i) or more())
class Pos(Node):
    def __init__(s, end): s.end = end
    def m(s, t, i, k): return i == (len(t) if s.end else 0) and k(i)
INF = float('inf')
def parse(p):
    i = 0
    def alt():
        nonlocal i
        xs = [seq()]
        while i < len(p) and p[i] == '|': i += 1; xs.append(seq())
        return xs[0] if len(xs) == 1 else Alt(xs)
    def seq():
        nonlocal i
        xs = []
        while i < len(p) and p[i] not in '|)':
            a = atom()
            while i < len(p) and p[i] in '*+?{':
                c = p[i]; i += 1
                if c == '{': j = p.index('}', i); lo, _, hi = p[i:j].partition(','); lo = int(lo); hi = (int(hi) if hi else INF) if _ else lo; i = j + 1
                else: lo, hi = {'*': (0, INF), '+': (1, INF), '?': (0, 1)}[c]
                g = not (i < len(p) and p[i] == '?'); i += not g
                a = Rep(a, lo, hi, g)
            xs.append(a)
        return Seq(xs)
    def cls():
        nonlocal i
        neg = p[i] == '^'; i += neg; s = set()
        while p[i] != ']':
            if p[i + 1] == '-' and p[i + 2] != ']': s |= {chr(c) for c in range(ord(p[i]), ord(p[i + 2]) + 1)}; i += 3
            else: s.add(p[i]); i += 1
        i += 1
        return Char(lambda c: (c in s) != neg)
    def atom():
        nonlocal i
        c = p[i]; i += 1
        if c == '(': r = alt(); assert p[i:i + 1] == ')', 'missing )'; i += 1; return r
        if c == '.': return Char(lambda c: c != '\n')
        if c == '[': return cls()
        if c in '^$': return Pos(c == '$')
        if c == '\\': e = p[i]; i += 1; return Char({'d': str.isdigit, 'w': lambda c: c.isalnum() or c == '_', 's': str.isspace}.get(e, lambda c: c == e))
        return Char(lambda x: x == c)
    r = alt()
    if i < len(p): raise ValueError(f'unexpected {p[i]!r} at {i}')
    return r
def search(p, t):
    n = parse(p)
    for i in range(len(t) + 1):
        end = []
        if n.m(t, i, lambda j: (end.append(j), True)[1]): return i, end[-1]
import re
for p, t in [('a*b', 'xaaab'), ('(ab|cd)+e', 'ababcde'), ('^h.llo$', 'hello'), ('[a-c]+?d', 'abcd'), (r'\d{2,3}', 'a1b22c3333'), ('x?y?z?', 'yz'), ('(a|ab)(c|bcd)(d*)', 'abcd'), (r'\w+@\w+\.com', 'me bob@x.com'), ('[^0-9]+', '12ab3'), ('(a+)+$', 'aaaaaaab'), ('a{2}', 'caaa'), ('', 'q'), ('b|', 'ab'), ('(a*)*', 'aa')]:
    m = re.search(p, t); print(p, t, search(p, t), search(p, t) == (m and m.span()))
for b in ('(a', 'a)', '[a', 'a{x}'):
    try: parse(b); print('?')
    except Exception as e: print(b, type(e).__name__, e)
