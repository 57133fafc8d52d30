for n in range(2, 9):
    s = set(range(n))
    for x in s:
        s.discard(n - 1)
        s.add(n - 1)
    print(n, sorted(s))
    try:
        for x in s: s.add(x + 100)
    except RuntimeError as e: print(e)
    s = set(range(n))
    it = iter(s)
    next(it)
    s.clear()
    for _ in range(2):
        try: print(next(it))
        except Exception as e: print(type(e).__name__, e)
    s = set(range(n))
    steps = 0
    for x in s:
        s.discard(x)
        s.add(x + 100)
        steps += 1
        if steps > 100: break
    print(len(s) == n)
d = dict.fromkeys(range(4))
for k in d:
    del d[3]
    d[3] = k
    if k == 3: break
print(d)
