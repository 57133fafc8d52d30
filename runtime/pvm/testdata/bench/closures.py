from functools import reduce, partial
def counter(start):
    n = start
    def up(by=1):
        nonlocal n
        n += by
        return n
    return up
def compose(*fs):
    return lambda x: reduce(lambda acc, f: f(acc), fs, x)
def memo(f):
    seen = {}
    def inner(*a):
        if a not in seen:
            seen[a] = f(*a)
        return seen[a]
    return inner
@memo
def paths(i, j):
    return 1 if not i or not j else (paths(i - 1, j) + paths(i, j - 1)) % 1000007
def run(n):
    ups = [counter(i) for i in range(10)]
    t = 0
    for i in range(n):
        t += ups[i % 10](i & 3)
    f = compose(lambda x: x + 1, lambda x: x * 3, partial(max, 7), str, len)
    for i in range(n // 8):
        t += f(i)
    t += sum(map(lambda x: x * x & 15, filter(lambda x: x % 3, range(n))))
    return t, paths(60, 60), list(map(partial(pow, 3), range(5)))
print(run(200000))
