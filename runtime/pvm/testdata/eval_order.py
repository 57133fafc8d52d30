# Order of evaluation everywhere it can be observed.
log = []
def t(n, v=None): log.append(n); return n if v is None else v
def flush(label): print(label, log); log.clear()
class O:
    def __init__(s, n): s.n = n
    def __getattr__(s, a): log.append(f"{s.n}.{a}"); return O(f"{s.n}.{a}") if a != "val" else 7
    def __setattr__(s, a, v): log.append(f"set {a}") if a != "n" else object.__setattr__(s, a, v)
    def __getitem__(s, k): log.append(f"get {k}"); return 5
    def __setitem__(s, k, v): log.append(f"setitem {k}")
    def __delitem__(s, k): log.append(f"del {k}")
    def __call__(s, *a, **k): log.append(f"call {s.n}"); return O("r")
    def __add__(s, o): log.append("add"); return s
    def __iadd__(s, o): log.append("iadd"); return s
    def __lt__(s, o): log.append("lt"); return True
    def __contains__(s, x): log.append("contains"); return True
    def __bool__(s): log.append("bool"); return True
    def __iter__(s): log.append("iter"); return iter([O("i1"), O("i2")])
    def __enter__(s): log.append(f"enter {s.n}"); return s
    def __exit__(s, *a): log.append(f"exit {s.n}")
o = O("o")
t("a", o)[t("k1")] = t("b", o)[t("k2")] = t("v"); flush("chained subscript")
t("a", o).x, t("b", o)[t("k")] = t("v1"), t("v2"); flush("tuple target")
t("f", o)(t("p1"), *t("star", [1]), t("p2"), k=t("kw"), **t("dstar", {})); flush("call")
t("a", o)[t("k")] += t("v", 1); flush("aug subscript")
t("a", o).x += t("v", o); flush("aug attribute")
[t(1), t(2), *t("s", [3])], {t("k1"): t("v1"), **t("d", {}), t("k2"): t("v2")}, {t("e1"), t("e2")}, (t("t1"), t("t2")); flush("displays")
t("l", 1) + t("r", 2) * t("m", 3) - t("z", 1); flush("arith")
t("a", o) < t("b", o) < t("c", o); flush("chain")
t("x", o) in t("y", o); flush("in")
t("then") if t("cond", o) else t("else"); flush("ternary")
t("d1", {})[t("key", "q")] = t("val"); flush("store")
[t("elt") for x in t("it1", [1, 2]) if t("if", True) for y in t("it2", [3])]; flush("comp")
{t("key"): t("value") for x in [1]}; flush("dictcomp")
lambda a=t("default"): a; flush("lambda default")
def f(a=t("d1"), *, b=t("d2")) -> t("ret", int): pass
flush("def")
@t("deco1", lambda g: g)
@t("deco2", lambda g: g)
def g(x: t("ann", int) = t("dflt")): pass
flush("decorated")
class C(t("base", object), metaclass=t("meta", type)):
    t("body")
    x: t("cls ann", int) = t("cls val")
flush("class")
with t("cm1", O("c1")) as t("tgt", o).z, t("cm2", O("c2")): t("body")
flush("with")
del t("d", o)[t("k1")], t("d2", o)[t("k2")]; flush("del")
assert t("test", True), t("msg"); flush("assert")
for t("ft", o)[t("fi")] in t("iter", [1, 2]): t("loop")
flush("for")
f"{t('a')}{t('b'):{t('w', 5)}}"; flush("fstring")
x = t("subject", 5)
match t("subj", 3):
    case 1 if t("g1", True): pass
    case n if t("g2", False): pass
    case n if t("g3", True): t("hit")
flush("match")
print(*t("pa", ["p"]), sep=t("sep", ""), end=t("end", "\n")); flush("print")
t("obj", o).meth(t("arg")); flush("method")
y = (t("w1") or t("w2")) and t("w3"); flush("bool ops")
try:
    t("try"); raise t("exc", ValueError)(t("earg"))
except t("type1", KeyError): pass
except (t("type2", ValueError), t("type3", OSError)): t("handler")
finally: t("finally")
flush("try")
a = [0, 1, 2, 3]
i = 0
i, a[i], a[i + 1] = 2, "x", "y"; print(i, a)
def gen(): yield t("y1"); yield t("y2")
(*gen(), t("after")); flush("star")
print((lambda *a: a)(*gen(), *[t("z")])); flush("star2")
o.a.b.c[o.i.n]; flush("attr chain")
slice_ = [1, 2, 3][t("lo", 0):t("hi", 2):t("st", 1)]; flush("slice")
return_order = (lambda: (t("r1"), t("r2")))(); flush("return")
