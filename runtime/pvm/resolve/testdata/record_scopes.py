#!/usr/bin/env python3.11
"""Write, per source file, CPython's symbol tables and code objects as one JSON line.

usage: record_scopes.py OUT FILE-OR-DIR…
"""
import _symtable
import io
import json
import os
import sys
import tokenize
import types
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)


def tables(ste, out):
    out.append([ste.name, {k: v >> _symtable.SCOPE_OFF & _symtable.SCOPE_MASK for k, v in ste.symbols.items()}])
    for child in ste.children:
        tables(child, out)
    return out


def codes(code, out):
    out.append([code.co_qualname, code.co_flags & 0x2AC, code.co_posonlyargcount, code.co_argcount,
                code.co_kwonlyargcount, sorted(code.co_freevars)])
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            codes(const, out)
    return out


def sources(top):
    if os.path.isfile(top):
        yield top
    for folder, _, files in sorted(os.walk(top)):
        for name in sorted(files):
            if name.endswith(".py"):
                yield os.path.join(folder, name)


with open(sys.argv[1], "w") as out:
    for top in sys.argv[2:]:
        for path in sources(top):
            try:
                source = open(path, "rb").read()
                if tokenize.detect_encoding(io.BytesIO(source).readline)[0] not in ("utf-8", "utf-8-sig"):
                    continue  # in an encoding of its own
                text = source.decode("utf-8-sig")
                scopes = tables(_symtable.symtable(text, path, "exec"), [])
                code = codes(compile(text, path, "exec", dont_inherit=True), [])
            except (SyntaxError, ValueError):
                continue
            json.dump({"path": path, "source": text, "scopes": scopes, "codes": code}, out)
            out.write("\n")
