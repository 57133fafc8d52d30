#!/usr/bin/env python3.11
"""Write sources and their ast.dump to a file that TestRecordedTrees reads.

usage: record_trees.py OUT DIR…
"""
import ast
import io
import os
import struct
import sys
import tokenize
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)
out = open(sys.argv[1], "wb")
for top in sys.argv[2:]:
    for folder, _, files in sorted(os.walk(top)):
        for name in sorted(files):
            path = os.path.join(folder, name)
            if not name.endswith(".py"):
                continue
            source = open(path, "rb").read()
            try:
                tree = ast.dump(ast.parse(source), include_attributes=True)
                if tokenize.detect_encoding(io.BytesIO(source).readline)[0] not in ("utf-8", "utf-8-sig"):
                    continue  # in an encoding of its own
            except (SyntaxError, ValueError):
                continue
            for part in (path.encode(), source, tree.encode("utf-8", "surrogatepass")):
                out.write(struct.pack("<I", len(part)) + part)
