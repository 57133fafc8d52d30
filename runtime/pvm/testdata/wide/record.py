#!/usr/bin/env python3.11
"""Record what CPython 3.11 prints for the programs beside this file, each into NAME.out, addresses blanked.

usage: record.py [NAME…]
"""
import glob
import os
import re
import subprocess
import sys

assert sys.version_info[:2] == (3, 11)
here = os.path.dirname(os.path.abspath(__file__))
names = sys.argv[1:] or sorted(os.path.basename(p)[:-3] for p in glob.glob(here + "/*.py"))
for name in names:
    if name == "record":
        continue
    done = subprocess.run([sys.executable, "-W", "ignore", name + ".py"], cwd=here, capture_output=True,
                          env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode or done.stderr:
        sys.exit(f"{name}: {done.stderr.decode()}")
    with open(os.path.join(here, name + ".out"), "wb") as out:
        out.write(re.sub(rb"\b0x[0-9a-f]{12}\b", b"0x", done.stdout))
