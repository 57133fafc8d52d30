# Control flow, exceptions, closures.
def loops():
    out = []
    for i in range(10):
        if i == 3:
            continue
        if i == 7:
            break
        out.append(i)
    else:
        out.append("never")
    for i in range(2):
        out.append(i)
    else:
        out.append("else")
    n = 0
    while n < 5:
        n += 1
        if n == 2:
            continue
        out.append(n)
    else:
        out.append("done")
    while True:
        n -= 1
        if not n:
            break
    return out, n
print(loops())

def tries(kind):
    log = []
    try:
        try:
            if kind == 0:
                log.append("plain")
            elif kind == 1:
                raise ValueError("v")
            elif kind == 2:
                raise KeyError("k")
            elif kind == 3:
                return log
            log.append("after")
        except ValueError as e:
            log.append(("caught", str(e)))
        else:
            log.append("else")
        finally:
            log.append("finally")
    except KeyError as e:
        log.append(("outer", e.args))
    log.append("end")
    return log
for k in range(4):
    print(k, tries(k))

def f1():
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
        finally:
            print("fin", i)
    return "out"
print(f1())

def f2():
    try:
        return "try"
    finally:
        print("cleanup")
print(f2())

def f3():
    try:
        return 1
    finally:
        return 2
print(f3())

def f4():
    for x in [1, 2]:
        try:
            return x
        finally:
            try:
                return x + 10
            finally:
                if x == 1:
                    break
    return "fell"
print(f4())

def f5():
    try:
        1 / 0
    finally:
        return "swallowed"
print(f5())

def f6():
    try:
        try:
            raise ValueError("a")
        finally:
            raise KeyError("b")
    except KeyError as e:
        return repr(e), repr(e.__context__)
print(f6())

def f7():
    try:
        try:
            raise ValueError("a")
        except ValueError as e:
            raise RuntimeError("b") from e
    except RuntimeError as e:
        return repr(e.__cause__), e.__suppress_context__, repr(e.__context__)
print(f7())

def f8():
    try:
        raise ValueError
    except ValueError:
        try:
            raise
        except ValueError as e:
            return repr(e)
print(f8())

try:
    x = e
except NameError as err:
    print(err)

def counter():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get():
        return n
    return inc, get
inc, get = counter()
inc(); inc(5)
print(get())

def make():
    return [lambda i=i: i * i for i in range(4)], [lambda: i for i in range(3)]
a, b = make()
print([g() for g in a], [g() for g in b])

class CM:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        print("enter", self.name)
        return self
    def __exit__(self, t, v, tb):
        print("exit", self.name, t and t.__name__, v)
        return self.swallow
with CM("a") as a, CM("b") as b:
    print(a.name, b.name)
with CM("c", True):
    raise ValueError("x")
try:
    with CM("d"), CM("e"):
        raise KeyError("y")
except KeyError as e:
    print("got", e)
def w():
    with CM("f"):
        return "ret"
print(w())
for i in range(2):
    with CM("g"):
        continue

def scopes():
    x = 1
    class A:
        x = 2
        y = [x for _ in range(2)]
        def m(self):
            return x
    return A.y, A().m(), A.x
print(scopes())

def unbound():
    try:
        print(z)
    except UnboundLocalError as e:
        print(e)
    z = 1
    del z
    try:
        z
    except UnboundLocalError as e:
        print(e)
unbound()
def deleted_in_loop():
    for i in range(2):
        if i:
            try:
                print(q)
            except UnboundLocalError as e:
                print("gone", e)
        else:
            q = 1
            del q
deleted_in_loop()
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d)
*a, b = range(4)
print(a, b)
a = b = c = []
a.append(1)
print(b, c is a)
x, y = 1, 2
x, y = y, x
print(x, y)
i = 0
l = [0, 0]
i, l[i] = 1, 9
print(i, l)
try:
    a, b = 1, 2, 3
except ValueError as e:
    print(e)
try:
    a, b, c = 1, 2
except ValueError as e:
    print(e)
try:
    a, *b, c = [1]
except ValueError as e:
    print(e)
assert True, "no"
try:
    assert 1 == 2, "msg"
except AssertionError as e:
    print("assert", e)
global_x = 1
def g():
    global global_x
    global_x += 1
g(); print(global_x)
if (n := 10) > 5: print(n)
print([y := 5, y**2])
def star(a, /, b, *args, c=3, d, **kw):
    return a, b, args, c, d, kw
print(star(1, 2, d=4))
print(star(1, 2, 3, 4, d=4, e=5, c=6))
print(star(*[1, 2, 3], **{"d": 1, "z": 2}))
for bad in ["star()", "star(1, 2)", "star(1, b=2, d=3, a=1)", "star(a=1, b=2, d=3)"]:
    pass
def errs(f):
    try:
        f()
    except TypeError as e:
        print(e)
errs(lambda: star())
errs(lambda: star(1, 2))
errs(lambda: star(1, 2, d=3, b=3))
def two(a, b): pass
errs(lambda: two(1))
errs(lambda: two())
errs(lambda: two(1, 2, 3))
errs(lambda: two(1, b=2, c=3))
def deft(a, b=2): pass
errs(lambda: deft())
errs(lambda: deft(1, 2, 3))
def kwo(a, *, k, j): pass
errs(lambda: kwo(1))
errs(lambda: kwo(1, 2, k=1))
def posonly(a, b, /): pass
errs(lambda: posonly(1, b=2))
errs(lambda: two(*1))
errs(lambda: two(**1))
errs(lambda: two(**{1: 2}))
errs(lambda: two(1, **{"a": 2}))
