from collections import deque
from itertools import islice, count
for start, stop, step in ((2, 1, 1), (5, 3, 2), (0, 0, 1), (3, 3, 1), (1, 6, 3), (10, 2, 1), (2, None, 2)):
    it = iter(range(8))
    print(start, stop, step, list(islice(it, start, stop, step)), next(it, 'end'))
q = deque('ab')
it, back = iter(q), reversed(q)
print(list(it), list(back), it.__length_hint__(), back.__length_hint__())
q.append('c')
for i in it, back, it, back:
    try: print(next(i, 'end'))
    except RuntimeError as e: print(e)
it, back = iter(q), reversed(q)
next(it), next(back)
q.pop()
print(it.__length_hint__(), back.__length_hint__())
for i in it, back, it, back:
    try: print(next(i, 'end'))
    except RuntimeError as e: print(e)
    print(i.__length_hint__())
it = type(iter(q))(q, 1)
print(it.__length_hint__(), list(it))
