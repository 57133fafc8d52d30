import re
from collections import Counter, defaultdict
from itertools import groupby
def wrap(t, w):
    line, out = [], []
    for word in t.split():
        if sum(map(len, line)) + len(line) + len(word) > w and line: out.append(line); line = []
        line.append(word)
    return out + [line]
def justify(t, w):
    *ls, last = wrap(t, w); r = []
    for l in ls:
        gaps = len(l) - 1; sp = w - sum(map(len, l))
        r.append(l[0] + ' ' * sp if not gaps else ''.join(x + ' ' * (sp // gaps + (i < sp % gaps)) * (i < gaps) for i, x in enumerate(l)))
    return r + [' '.join(last)]
t = 'The quick brown fox jumps over the lazy dog and runs away from the very hungry bear'
print(*(f'|{l}|' for l in justify(t, 20)), sep='\n')
def roman(n): return ''.join(s * (n // v) for v, s in [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')] for n0 in [n] if not (n := n % v + (n0 - n0)) + 1 < 0) if False else _roman(n)
def _roman(n):
    out = ''
    for v, s in [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]:
        k, n = divmod(n, v); out += s * k
    return out
def unroman(s): v = [dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000)[c] for c in s]; return sum(-a if a < b else a for a, b in zip(v, v[1:] + [0]))
print([_roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999)], all(unroman(_roman(n)) == n for n in range(1, 400)))
def words(n):
    ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(); tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split()
    if n < 0: return 'minus ' + words(-n)
    if n < 20: return ones[n]
    if n < 100: return tens[n // 10 - 2] + ('-' + ones[n % 10] if n % 10 else '')
    if n < 1000: return ones[n // 100] + ' hundred' + (' and ' + words(n % 100) if n % 100 else '')
    for p, w in (9, 'billion'), (6, 'million'), (3, 'thousand'):
        if n >= 10 ** p: return words(n // 10 ** p) + ' ' + w + (', ' + words(n % 10 ** p) if n % 10 ** p else '')
print(words(0), words(-17), words(342), words(1000001), words(987654321), sep=' | ')
def lev(a, b):
    d = range(len(b) + 1)
    for i, x in enumerate(a, 1):
        e = [i]
        for j, y in enumerate(b, 1): e.append(min(e[-1] + 1, d[j] + 1, d[j - 1] + (x != y)))
        d = e
    return d[-1]
def lcs(a, b):
    L = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)): L[i + 1][j + 1] = L[i][j] + 1 if a[i] == b[j] else max(L[i + 1][j], L[i][j + 1])
    i, j, out = len(a), len(b), []
    while i and j:
        if a[i - 1] == b[j - 1]: out.append(a[i - 1]); i -= 1; j -= 1
        elif L[i - 1][j] >= L[i][j - 1]: i -= 1
        else: j -= 1
    return ''.join(reversed(out))
print(lev('kitten', 'sitting'), lev('', 'abc'), lcs('AGGTAB', 'GXTXAYB'), lcs('abc', 'xyz') == '')
def kmp(t, p):
    f, k = [0], 0
    for c in p[1:]:
        while k and p[k] != c: k = f[k - 1]
        k += p[k] == c; f.append(k)
    k = 0
    for i, c in enumerate(t):
        while k and p[k] != c: k = f[k - 1]
        k += p[k] == c
        if k == len(p): yield i - k + 1; k = f[k - 1]
print(list(kmp('abababcabab', 'abab')), [m.start() for m in re.finditer('(?=abab)', 'abababcabab')])
caesar = lambda s, k: s.translate(str.maketrans({chr(b + i): chr(b + (i + k) % 26) for b in (65, 97) for i in range(26)}))
print(caesar('Hello, World!', 3), caesar(caesar('Hello', 5), -5)); vig = lambda s, k, d=1: ''.join(chr((ord(c) - 65 + d * (ord(k[i % len(k)]) - 65)) % 26 + 65) for i, c in enumerate(s)); print(vig('ATTACKATDAWN', 'LEMON'), vig(vig('SECRET', 'KEY'), 'KEY', -1))
rle = lambda s: ''.join(f'{len(list(g))}{k}' for k, g in groupby(s)); unrle = lambda s: ''.join(c * int(n) for n, c in re.findall(r'(\d+)(\D)', s)); print(rle('WWWBBAAAA'), unrle(rle('WWWBBAAAA')))
print(Counter(re.findall(r'\w+', t.lower())).most_common(3), {k: sorted(v) for k, v in sorted(((k, list(v)) for k, v in groupby(sorted(t.split(), key=len), key=len)))}, max(t.split(), key=lambda w: (len(w), w)))
an = defaultdict(list)
for w in 'listen silent enlist google elgoog abc'.split(): an[''.join(sorted(w))].append(w)
print([v for v in an.values() if len(v) > 1]); pal = lambda s: (c := [x.lower() for x in s if x.isalnum()]) == c[::-1]; print(pal('A man, a plan, a canal: Panama'), pal('nope'))
morse = dict(zip('ABCDEFGHIJKLMNOPQRSTUVWXYZ', '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split())); enc = ' '.join(morse[c] for c in 'SOS'); print(enc, ''.join({v: k for k, v in morse.items()}[c] for c in enc.split()))
def md(s):
    out, lst = [], False
    for l in s.splitlines():
        l = re.sub(r'\*\*(.+?)\*\*', r'<b>\1</b>', l); l = re.sub(r'\*(.+?)\*', r'<i>\1</i>', l); l = re.sub(r'`(.+?)`', r'<code>\1</code>', l); l = re.sub(r'\[(.+?)\]\((.+?)\)', r'<a href="\2">\1</a>', l)
        if m := re.match(r'(#+) (.*)', l): l = f'<h{len(m[1])}>{m[2]}</h{len(m[1])}>'
        if li := l.startswith('- '): l = f'<li>{l[2:]}</li>'
        if li != lst: out.append('<ul>' if li else '</ul>'); lst = li
        out.append(l)
    return '\n'.join(out + ['</ul>'] * lst)
print(md('# T *i*\n- a **b**\n- `c`\ntext [l](u)\n## H2\n- z'))
def csv(s, sep=','):
    rows, row, cur, q = [], [], '', False
    it = iter(s + '\n')
    for c in it:
        if q:
            if c != '"': cur += c; continue
            n = next(it, '')
            if n == '"': cur += '"'; continue
            q = False; c = n
        if c == '"': q = True
        elif c == sep: row.append(cur); cur = ''
        elif c == '\n':
            if row or cur: rows.append(row + [cur])
            row, cur = [], ''
        else: cur += c
    return rows
print(csv('a,b,c\n1,"x, ""y""",3\n"multi\nline",,z'))
def table(rows): w = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]; return '\n'.join(' | '.join(f'{str(c):<{k}}' if isinstance(c, str) else f'{c:>{k}}' for c, k in zip(r, w)) for r in rows)
print(table([('name', 'n'), ('apple', 5), ('fig', 1234), ('kiwi', 2.5)]))
