# Calendar arithmetic without a clock: leap years, weekdays, day numbers, easter, durations, ISO weeks, cron.
def leap(y): return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
def days_in(y, m): return (31, 29 if leap(y) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[m - 1]
def ordinal(y, m, d):
    p = y - 1
    return p * 365 + p // 4 - p // 100 + p // 400 + sum(days_in(y, k) for k in range(1, m)) + d
def from_ordinal(n):
    y = n // 366 + 1
    while ordinal(y + 1, 1, 1) <= n: y += 1
    m = 1
    n -= ordinal(y, 1, 1) - 1
    while n > days_in(y, m): n -= days_in(y, m); m += 1
    return y, m, n
print(ordinal(1970, 1, 1), ordinal(2024, 2, 29), from_ordinal(738945), [y for y in range(1890, 1930) if leap(y)], all(from_ordinal(ordinal(*from_ordinal(n))) == from_ordinal(n) for n in range(700000, 740000, 997)))
NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
def weekday(y, m, d): return (ordinal(y, m, d) - 1) % 7
print([NAMES[weekday(*d)] for d in ((1970, 1, 1), (2000, 1, 1), (2024, 2, 29), (1815, 6, 18))], [f"{m:02d}" for m in range(1, 13) if weekday(2026, m, 13) == 4])
def calendar(y, m):
    first, n = weekday(y, m, 1), days_in(y, m)
    cells = ["  "] * first + [f"{d:2}" for d in range(1, n + 1)]
    return ["Mo Tu We Th Fr Sa Su"] + [" ".join(cells[i:i + 7]) for i in range(0, len(cells), 7)]
print("\n".join(calendar(2024, 2)))
def easter(y):
    a, b, c = y % 19, y // 100, y % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    month, day = divmod(h + l - 7 * m + 114, 31)
    return y, month, day + 1
print([easter(y) for y in range(2020, 2027)])
def iso_week(y, m, d):
    n = ordinal(y, m, d)
    th = n - weekday(y, m, d) + 3
    iy = from_ordinal(th)[0]
    return iy, (th - ordinal(iy, 1, 1)) // 7 + 1, weekday(y, m, d) + 1
print(iso_week(2021, 1, 3), iso_week(2020, 12, 31), iso_week(2018, 1, 1), iso_week(2016, 1, 3))
def hms(s):
    parts = []
    for unit, n in (("week", 604800), ("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        q, s = divmod(s, n)
        if q: parts.append(f"{q} {unit}{'s' * (q != 1)}")
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1] if parts else "now"
print([hms(s) for s in (0, 1, 60, 3661, 694861)])
def parse(s):
    import re
    m = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d)?)?", s)
    if not m: raise ValueError(f"bad date {s!r}")
    y, mo, d = (int(m[i]) for i in (1, 2, 3))
    if not (1 <= mo <= 12 and 1 <= d <= days_in(y, mo)): raise ValueError(f"day out of range in {s!r}")
    secs = (ordinal(y, mo, d) - 719163) * 86400 + int(m[4] or 0) * 3600 + int(m[5] or 0) * 60 + int(m[6] or 0)
    z = m[7]
    if z and z != "Z": secs -= (1 if z[0] == "+" else -1) * (int(z[1:3]) * 3600 + int(z[4:]) * 60)
    return secs
for s in ("1970-01-01", "2024-02-29T12:30:15Z", "2000-01-01T00:00+01:00", "2023-02-29", "nope", "2024-13-01"):
    try:
        print(s, parse(s))
    except ValueError as e:
        print(e)
def cron(field, lo, hi):
    out = set()
    for part in field.split(","):
        rng, _, step = part.partition("/")
        a, b = (lo, hi) if rng == "*" else map(int, rng.split("-")) if "-" in rng else (int(rng), int(rng))
        out.update(range(a, b + 1, int(step or 1)))
    return sorted(out)
print(cron("*/15", 0, 59), cron("1-5,10,20-30/5", 0, 59), cron("*", 1, 3))
def add_months(y, m, d, k): y, m = divmod(y * 12 + m - 1 + k, 12); return y, m + 1, min(d, days_in(y, m + 1))
print([add_months(2024, 1, 31, k) for k in (1, 13, -2, 25)], sum(1 for y in range(1901, 2001) for m in range(1, 13) if weekday(y, m, 1) == 6))
