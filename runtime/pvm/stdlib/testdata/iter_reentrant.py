# Iterators that use the tool they feed, at every step and in every place.
from collections import deque
from itertools import *


class Fed:
    """Gives 1, 2, …; at one step it uses the tool that reads it."""

    def __init__(self, when, last=4):
        self.n, self.when, self.last = 0, when, last
        self.tool = None
        self.log = []

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > self.last:
            raise StopIteration
        if self.n == self.when:
            try:
                self.log.append(next(self.tool, "end"))
            except Exception as e:
                self.log.append(repr(e))
        return self.n


TOOLS = [
    ("chain", lambda it: chain(it, [9])), ("chain2", lambda it: chain([8], it)), ("from_iterable", lambda it: chain.from_iterable(map(lambda x: [x, x], it))),
    ("pairwise", pairwise), ("cycle", lambda it: islice(cycle(it), 9)), ("accumulate", accumulate),
    ("accumulate2", lambda it: accumulate(it, initial=5)), ("islice", lambda it: islice(it, 1, None, 2)), ("islice3", lambda it: islice(it, 3)),
    ("takewhile", lambda it: takewhile(lambda x: x < 3, it)), ("dropwhile", lambda it: dropwhile(lambda x: x < 2, it)),
    ("filterfalse", lambda it: filterfalse(lambda x: x == 2, it)), ("filter", lambda it: filter(lambda x: x != 2, it)),
    ("compress", lambda it: compress(it, [1, 0, 1, 1, 1])), ("compress2", lambda it: compress("abcdefgh", it)),
    ("starmap", lambda it: starmap(lambda a: a, map(lambda x: (x,), it))), ("zip", lambda it: zip(it, "abcdefg")),
    ("zip2", lambda it: zip("abcdefg", it)), ("zip_longest", lambda it: zip_longest(it, "abcdef")), ("zip_longest2", lambda it: zip_longest("abcdef", it)),
    ("groupby", lambda it: groupby(it, lambda x: x // 2)), ("map", lambda it: map(lambda x, y: (x, y), it, it)), ("enumerate", enumerate),
    ("tee", lambda it: tee(it)[0]),
]
for name, make in TOOLS[:2] + TOOLS[3:]:  # CPython itself fails in from_iterable
    for when in range(1, 6):
        fed = Fed(when)
        fed.tool = make(fed)
        try:
            out = []
            for x in fed.tool:
                out.append(x if not (isinstance(x, tuple) and name == "groupby") else (x[0], list(x[1])))
                if len(out) > 30:
                    break
        except Exception as e:
            out.append(repr(e))
        fed.tool = None
        log = [x if not (isinstance(x, tuple) and name == "groupby") else x[0] for x in fed.log]
        print(name, when, out, log)
        fed.log.clear()
