"""Runs every Python program of a directory three times in this interpreter and prints how long each run took."""
import io, os, sys, time

folder = sys.argv[1]
for name in sorted(os.listdir(folder)):
    if not name.endswith(".py"):
        continue
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as f:
        code = compile(f.read(), path, "exec")
    for _ in range(3):
        out, sys.stdout = sys.stdout, io.StringIO()
        start = time.perf_counter_ns()
        try:
            exec(code, {"__name__": "__main__"})
        finally:
            taken, sys.stdout = time.perf_counter_ns() - start, out
        print(name[:-3], taken, "ns")
