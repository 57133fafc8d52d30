def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
def evens(it):
    for x in it:
        if not x & 1:
            yield x
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)
def run(n):
    t = 0
    for x in evens(count(n)):
        t += x
    for x in tree(14):
        t += x
    return t
print(run(1500000))
