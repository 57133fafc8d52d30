# Closures, cells, nonlocal, global, scope rules.
def counter(start=0):
    n = start
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get(): return n
    def reset():
        nonlocal n
        n = start
    return inc, get, reset
inc, get, reset = counter(5)
inc2, get2, _ = counter()
print(inc(), inc(10), inc2(), get(), get2(), reset(), get())
def make():
    fs = []
    for i in range(3):
        def f(): return i
        def g(i=i): return i
        fs += [f, g]
    return fs
print([f() for f in make()])
def nested(a):
    def l1(b):
        def l2(c):
            nonlocal a
            a += 1
            return lambda d: (a, b, c, d)
        return l2
    return l1
print(nested(1)(2)(3)(4))
x = "global"
def scopes():
    x = "enclosing"
    def show(): return x
    def local():
        x = "local"
        return x
    def glob():
        global x
        return x
    def setter():
        nonlocal x
        x = "changed"
    before = show(), local(), glob()
    setter()
    return before, show(), x
print(scopes(), x)
def set_global():
    global x, fresh
    x = "set"
    fresh = [1]
    def inner():
        global fresh
        fresh += [2]
    inner()
set_global()
print(x, fresh)
def unbound(flag):
    if flag: v = 1
    return v
for f in (lambda: unbound(True), lambda: unbound(False), lambda: undefined_name, lambda: (lambda: missing)()):
    try:
        print(f())
    except NameError as e:
        print(type(e).__name__, e)
def late():
    def inner(): return later
    try:
        inner()
    except NameError as e:
        print(type(e).__name__, e)
    later = 5
    return inner()
print(late())
def deleted():
    v = 1
    def inner(): return v
    del v
    try:
        return inner()
    except NameError as e:
        return str(e)
print(deleted())
def local_del():
    v = 1
    del v
    try:
        v
    except UnboundLocalError as e:
        return str(e)
print(local_del())
def increments():
    try:
        count += 1
    except UnboundLocalError as e:
        print(e)
    count = 0
increments()
class A:
    x = "class"
    def m(self): return x
    def n(self): return self.x, A.x
    y = x + "!"
    z = (lambda: x)()
print(A().m(), A().n(), A.y, A.z)
def param_capture(a, *args, b=2, **kw):
    def inner():
        nonlocal a
        a = a * 2
        return a, args, b, kw
    return inner
f = param_capture(1, 2, 3, b=4, c=5)
def acc():
    total = []
    def add(x): total.append(x); return total
    return add
add = acc()
add(1)
print(add(2), acc()(3))
def compose(*fs):
    def composed(v):
        for f in reversed(fs): v = f(v)
        return v
    return composed
print(compose(lambda v: v + 1, lambda v: v * 2)(5), (lambda a: lambda b: lambda c: a + b + c)(1)(2)(3), (lambda *a, k=3, **kw: (a, k, kw))(1, k=2, z=3))
def fib():
    memo = {}
    def f(n):
        if n < 2: return n
        if n not in memo: memo[n] = f(n - 1) + f(n - 2)
        return memo[n]
    return f
print(fib()(60))
def shadow(len, print=print): print(len("x"), [len(c) for c in "ab"])
shadow(lambda s: s * 2)
def loop_var():
    for i in range(3): pass
    return i
print(loop_var(), [i for i in [9]][0])
def except_scope():
    e = "before"
    try:
        raise ValueError("v")
    except ValueError as e:
        pass
    try:
        return e
    except UnboundLocalError as err:
        return str(err)
print(except_scope())
def comp_cell():
    fs = [lambda: (i, k) for i in range(2) for k in "ab"]
    return [f() for f in fs]
print(comp_cell())
class Meta:
    def outer(self):
        class Inner:
            v = self.val
            def get(s): return self.val, s.v
        return Inner
    val = 7
print(Meta().outer()().get())
print(callable(counter), counter.__name__, counter.__defaults__, (lambda: 0).__name__, inc.__name__, inc.__qualname__, counter.__qualname__, A.m.__qualname__)
