#!/usr/bin/env python3.11
"""Record what CPython 3.11 prints for the programs of a directory, each into NAME.out, addresses blanked.

usage: record.py DIRECTORY [NAME…]
"""
import glob
import os
import re
import subprocess
import sys

assert sys.version_info[:2] == (3, 11)
directory = sys.argv[1]
names = sys.argv[2:] or sorted(os.path.basename(p)[:-3] for p in glob.glob(directory + "/*.py"))
for name in names:
    if name == "record":
        continue
    done = subprocess.run([sys.executable, "-W", "ignore", name + ".py"], cwd=directory, capture_output=True,
                          env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode or done.stderr and not done.stderr.startswith(b"Exception ignored in"):
        sys.exit(f"{name}: {done.stderr.decode()}")
    with open(os.path.join(directory, name + ".out"), "wb") as out:
        out.write(re.sub(rb"\b0x[0-9a-f]{12}\b", b"0x", done.stdout))
