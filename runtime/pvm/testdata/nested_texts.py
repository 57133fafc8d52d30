# What shows, compares or forwards to what it holds may hold another of its kind, thousands deep: each such way ends at the recursion limit.
DEPTH = 3_000


def ends(name, f):
    try:
        f()
    except RecursionError:
        print(name, "ends at the limit")
    else:
        print(name, "does not")


class A:
    def f(self):
        pass


for kind in (ValueError, KeyError, Exception):
    e = None
    for _ in range(DEPTH):
        e = kind(e)
    ends(kind.__name__ + " repr", lambda: repr(e))
    ends(kind.__name__ + " str", lambda: str(e))
    ends(kind.__name__ + " format", lambda: f"{e}")
    ends(kind.__name__ + " of two", lambda: repr(kind(e, 1)))

method = A().f
for _ in range(DEPTH):
    method = type(method)(A.f, method)
ends("method repr", lambda: repr(method))

Alias = type(list[int])
alias = int
for _ in range(DEPTH):
    alias = Alias(alias, int)
ends("alias repr", lambda: repr(alias))
ends("alias dir", lambda: dir(alias))
ends("alias call", lambda: alias())
