# Name resolution in modules, classes, functions; del; shadowing of built-ins.
len = lambda x: "shadowed"
print(len([1, 2]))
del len
print(len([1, 2]))
try:
    del len
except NameError as e:
    print(e)
class C:
    len = "class len"
    def f(self): return len([1])
    a = [len for _ in range(1)]
    b = len
print(C().f(), C.b, callable(C.a[0]))
x = 1
class D:
    print(x)
    x = x + 1
    print(x)
    def get(self): return x
    del x
    print(x)
    global g
    g = "global from class"
    for i in range(3): y = i
print(D().get(), g, D.y, D.i, hasattr(D, "x"), hasattr(D, "g"))
def f():
    class E:
        nonlocal v
        v = 10
        w = v
        def m(self): return v, __class__
    return E, v
    v = 0
def outer():
    v = 1
    class E:
        nonlocal v
        v = 10
        w = v
        def m(self): return v
    return E.w, v, E().m(), hasattr(E, "v")
print(outer())
def cond(flag):
    if flag:
        import math as m
        def helper(): return m.floor(2.5)
        class Local: n = 5
        for k in range(2): pass
        with_target = k
    return helper(), Local.n, with_target
print(cond(True))
try:
    cond(False)
except UnboundLocalError as e:
    print(e)
def shadow_param(x):
    def x(): return "function"
    return x()
print(shadow_param(1))
def list_scope():
    i = "outer"
    l = [i for i in range(3)]
    d = {i: i for i in range(2)}
    g = list(i for i in range(2))
    return i, l, d, g
print(list_scope())
def globals_read():
    return sorted(k for k in globals() if k in ("x", "C", "D", "f"))
print(globals_read(), "x" in dir(), "globals_read" in globals())
def loc(a, b=2):
    c = 3
    return sorted(locals().items())
print(loc(1))
def vararg_locals(*a, **k): return sorted(locals())
print(vararg_locals(1, z=2))
exec_like = {"a": 1}
print(__name__, __doc__, type(__builtins__).__name__ if False else "", isinstance(print, type(len)))
def recursive_default(n, f=None):
    f = f or recursive_default
    return n if n <= 0 else f(n - 1)
print(recursive_default(5))
def gen_scope():
    x = "fn"
    class G:
        x = "class"
        y = list(x for _ in range(2))
        z = list(v for v in x)
    return G.y, G.z
print(gen_scope())
try:
    print([undefined_in_comp for _ in range(1)])
except NameError as e:
    print(e)
def two_levels():
    a = 1
    def l1():
        def l2():
            nonlocal a
            a += 1
            def l3(): return a
            return l3
        return l2()
    return l1()(), a
print(two_levels())
for x in range(3):
    def closure(): return x
print(closure(), x)
x = "changed"
print(closure())
def kw_shadow(print, /, str=5): return print, str
print(kw_shadow(1), kw_shadow(2, str=3))
if True:
    inner_if = "visible"
print(inner_if)
def docs():
    """doc string"""
def nodoc():
    x = "not doc"
def fdoc():
    f"not a doc {x}"
print(docs.__doc__, nodoc.__doc__, fdoc.__doc__)
