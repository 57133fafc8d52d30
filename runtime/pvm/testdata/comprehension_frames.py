# What comprehensions that run in the frame around them must not show of it: names, values and kinds of errors.
def shadowed():
    items = [(lambda: i) for i in range(5)]
    i = 20
    return [x() for x in items], i, sorted(locals())


def kept():
    x = -1
    funcs = [lambda: x for x in range(3)]
    more = [x + 1 for x in range(3)]
    return locals()["x"], x, [f() for f in funcs], more


def absent():
    funcs = [(lambda: (i, j)) for i in range(2) for j in "ab"]
    return "i" in locals(), "j" in dir(), [f() for f in funcs]


class Body:
    items = [(lambda: i) for i in range(3)]
    i = "own"
    values = [x() for x in items]


print(shadowed(), kept(), absent(), Body.values, Body.i)


def attempt(f):
    try:
        print(f())
    except NameError as e:
        print(type(e).__name__, e, e.name)


def inside():
    yield lambda: [x for _ in [1]]
    yield lambda: [[x for _ in [1]] for _ in [1]]
    x = 1
    del x


def own():
    try:
        [y for _ in [1]]
    except NameError as e:
        print(type(e).__name__, e)
    try:
        [_ for _ in y]
    except NameError as e:
        print(type(e).__name__, e)
    try:
        {y: 1 for _ in [1] for y in y}
    except NameError as e:
        print(type(e).__name__, e)
    try:
        {y for _ in [1] if y}
    except NameError as e:
        print(type(e).__name__, e)
    try:
        [(lambda: y)() for _ in [1]]
    except NameError as e:
        print(type(e).__name__, e)
    try:
        [w for _ in [1] if w or (w := 3)]
    except NameError as e:
        print(type(e).__name__, e)
    try:
        y
    except NameError as e:
        print(type(e).__name__, e)
    y = 1
    print([y for _ in [1]], [w for _ in [1] if (w := 3)])


for f in inside():
    attempt(f)
own()
print(shadowed.__code__.co_cellvars, kept.__code__.co_freevars, absent.__code__.co_varnames, absent.__code__.co_nlocals)
