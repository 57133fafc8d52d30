#!/usr/bin/env python3.11
"""Record ast.dump of the snippets in snippets.txt (each the repr of a source) into trees.jsonl."""
import ast
import json
import warnings

warnings.simplefilter("ignore")
with open("trees.jsonl", "w") as out:
    for line in open("snippets.txt", encoding="utf-8"):
        source = ast.literal_eval(line)
        out.write(json.dumps([source, ast.dump(ast.parse(source), include_attributes=True)]) + "\n")
