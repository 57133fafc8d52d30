#!/usr/bin/env python3.11
"""Record into unparse.jsonl the text CPython keeps for annotations under the future import."""
import json

SOURCES = r"""a
a.b.c
a[b, c]
a[b]
a[()]
a[b,]
a[b:c, ::d, :e, f:]
a[b:c:d]
Optional[Dict[str, List[int]]]
'text'
"it's"
u'x'
b'x\x00'
1
-1
1.5
1e400
1e-7
-1e400j
1e16
2j
1 + 2j
1 .real
1.5.real
...
None
True
a or b and c
(a or b) and c
not a or b
not (a or b)
a if b else c
(a if b else c) if d else e
a if (b if c else d) else e
a + b * c
(a + b) * c
a - (b - c)
a - b - c
a ** b ** c
(a ** b) ** c
-a ** b
(-a) ** b
a ** -b
~a
not a
- -a
a << b | c & d ^ e
a @ b // c % d
a < b <= c
(a < b) == c
a in b not in c is d is not e
lambda: a
lambda a, b=c, /, d=e, *f, g, h=i, **j: k
lambda *, a: b
lambda **k: (a, b)
f(a, *b, c=d, **e)
f(a for a in b)
f((a for a in b), c)
f(*a)
[a for b in c if d if e]
{a for b, c in d}
{a: b for c in d for e in f}
(a for b in c)
[a, *b, (c, d), (e,), ()]
{a, b}
{a: b, **c}
{}
(a, b)
a, b
(a,)
f'{a}'
f'{a!r:>{b}}x{{y}}'
f'a{b=}c'
f"{a['b']}"
f'{ {a: b} }'
f'{(lambda: a)}'
f'{a:{b}}'
'a' f'{b}' 'c\n'
(a)
((a + b))
a.b(c)[d].e
(a + b).c
(a + b)[c]
(lambda: a)()
a | None
int | str | None
a if b else lambda: c
[a if b else c for d in e]
[a for b in (c if d else e)]
[a for b in c if (d if e else f)]
not a == b
a and (b and c)
(a and b) and c
a == (not b)
*a,
""".strip().split("\n")

with open("unparse.jsonl", "w") as out:
    for source in SOURCES:
        space = {}
        try:
            exec(compile("from __future__ import annotations\nx: " + source, "f", "exec"), space)
        except SyntaxError:
            continue
        out.write(json.dumps([source, space["__annotations__"]["x"]]) + "\n")
