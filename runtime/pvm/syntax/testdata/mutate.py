#!/usr/bin/env python3.11
"""Print mutated sources, each as its repr on a line, for record_errors.py.

usage: mutate.py SEED COUNT FILE…
Takes statements of the files and deletes, repeats, swaps, replaces or inserts
tokens, or cuts the text off.
"""
import ast
import io
import random
import sys
import tokenize

WORDS = """( ) [ ] { } , : . ; = == := -> + - * ** / // % @ & | ^ ~ < > <= != += @ ... ! $ ?
if else elif for while in is not and or lambda def class return yield from import as try except finally with async
await del pass break continue global nonlocal raise assert None True False match case _ print exec x y z 1 2.5 0x 'a'
b'c' f'{x}' f'{x y}' f'{' '''d''' " '""".split() + ["\n", "\n    ", "\n\t", " ", "\\\n", "# c\n"]


def pieces(path):
    text = open(path, encoding="utf-8", errors="ignore").read()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    lines = text.splitlines(True)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.end_lineno - node.lineno < 12:
            part = lines[node.lineno - 1:node.end_lineno]
            indent = len(part[0]) - len(part[0].lstrip())
            if any(l[:indent].strip() for l in part):
                continue
            part = "".join(l[indent:] or "\n" for l in part)
            if len(part) < 400:
                yield part


def split(text):
    out, at = [], (1, 0)
    lines = text.splitlines(True)
    offsets = [0]
    for l in lines:
        offsets.append(offsets[-1] + len(l))
    last = 0
    try:
        for t in tokenize.generate_tokens(io.StringIO(text).readline):
            if t.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                continue
            start = offsets[t.start[0] - 1] + t.start[1]
            end = offsets[t.end[0] - 1] + t.end[1]
            if start > last:
                out.append(text[last:start])
            out.append(text[start:end])
            last = end
    except (tokenize.TokenError, IndentationError, IndexError):
        pass
    out.append(text[last:])
    return [p for p in out if p]


def mutate(rng, text):
    parts = split(text)
    if not parts:
        return text
    for _ in range(rng.choice((1, 1, 1, 2))):
        i = rng.randrange(len(parts))
        kind = rng.randrange(7)
        if kind == 0:
            del parts[i]
        elif kind == 1:
            parts.insert(i, parts[i])
        elif kind == 2:
            j = rng.randrange(len(parts))
            parts[i], parts[j] = parts[j], parts[i]
        elif kind == 3:
            parts[i] = rng.choice(WORDS)
        elif kind == 4:
            parts.insert(i, rng.choice(WORDS) + " ")
        elif kind == 5:
            parts[i] = parts[rng.randrange(len(parts))]
        else:
            word = parts[i]
            parts[i] = word[: rng.randrange(len(word) + 1)] if rng.random() < 0.5 else parts[i] + " "
            if rng.random() < 0.3:
                del parts[i + 1:]
        if not parts:
            break
    return "".join(parts)


rng = random.Random(int(sys.argv[1]))
pool = sorted({p for path in sys.argv[3:] for p in pieces(path)})
for _ in range(int(sys.argv[2])):
    source = mutate(rng, rng.choice(pool))
    if "\0" not in source:
        print(repr(source))
