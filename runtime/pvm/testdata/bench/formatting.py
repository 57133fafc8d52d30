class Money:
    def __init__(self, units):
        self.units = units
    def __str__(self):
        return f"{self.units // 100}.{self.units % 100:02d}"
    def __repr__(self):
        return f"Money({self.units!r})"
    def __format__(self, spec):
        return format(str(self), spec)
def table(rows):
    out = []
    for name, n, m in rows:
        out.append(f"{name:<12}|{n:>8,}|{m:>10}|{n:#x}")
        out.append("%-12s|%8d|%5.1f%%" % (name, n, n % 1000 / 10))
        out.append("{0} {1!r} {n:08b}".format(name, m, n=n & 255))
    return "\n".join(out)
def run(n):
    t = 0
    for i in range(n):
        rows = [("row%d" % j, j * 7919 + i, Money(j * 137 + i)) for j in range(30)]
        s = table(rows)
        t += len(s) + s.count("|") + s.find("0x")
        u = s.replace("|", "; ").title().strip()
        t += sum(1 for line in u.split("\n") if line.endswith("%"))
        t += len(repr(rows)) + len(str([r[2] for r in rows]))
    return t
print(run(600))
