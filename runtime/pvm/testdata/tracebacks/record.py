#!/usr/bin/env python3.11
"""Write recorded.txt: what CPython 3.11 prints for every program of programs.txt, each called main.py."""
import os
import subprocess
import sys
import tempfile

assert sys.version_info[:3] == (3, 11, 7)
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "programs.txt"), encoding="utf-8") as f:
    programs = f.read().split("%%\n")
out = []
with tempfile.TemporaryDirectory() as work:
    for source in programs:
        with open(os.path.join(work, "main.py"), "w", encoding="utf-8") as f:
            f.write(source)
        done = subprocess.run([sys.executable, "-W", "ignore", "main.py"], cwd=work, capture_output=True,
                              env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"})
        out.append((done.stdout + done.stderr).decode().replace(work + "/", ""))
with open(os.path.join(here, "recorded.txt"), "w", encoding="utf-8") as f:
    f.write("%%\n".join(out))
