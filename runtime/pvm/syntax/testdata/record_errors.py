#!/usr/bin/env python3.11
"""Record what CPython says of sources, one JSON line each.

usage: record_errors.py OUT < sources, each the repr of a string on a line
The line is [source, type, message, line, offset, end line, end offset], or
[source] if it compiles.
"""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")


def record(source):
    try:
        compile(source, "f", "exec", dont_inherit=True)
    except SyntaxError as e:
        return [source, type(e).__name__, e.msg, e.lineno, e.offset, e.end_lineno, e.end_offset]
    except (ValueError, MemoryError, RecursionError, OverflowError) as e:
        return None
    return [source]


if __name__ == "__main__":
    with open(sys.argv[1], "w") as out:
        for line in sys.stdin:
            row = record(ast.literal_eval(line))
            if row:
                out.write(json.dumps(row) + "\n")
