# Exceptions: raise, except, else, finally, hierarchy, attributes.
def run(f, *a):
    try:
        r = f(*a)
    except ValueError as e:
        return "value", e.args, str(e), repr(e)
    except (TypeError, KeyError) as e:
        return "type or key", type(e).__name__, str(e)
    except Exception as e:
        return "other", type(e).__name__, e.args
    else:
        return "else", r
    finally:
        log.append("finally")
log = []
def thrower(e): raise e
for e in (ValueError("v", 1), ValueError, TypeError("t"), KeyError("k"), KeyError(), ZeroDivisionError(), RuntimeError("a", "b"), StopIteration(5), Exception()):
    print(run(thrower, e))
print(run(lambda: 42), len(log))
def flow(n):
    out = []
    for i in range(4):
        try:
            out.append(("try", i))
            if i == n: continue
            if i == n + 1: break
            if n == 9 and i == 1: return out
            out.append("body")
        finally:
            out.append(("finally", i))
    else:
        out.append("loop else")
    return out
for n in (0, 2, 3, 5, 9): print(flow(n))
def fin():
    try:
        return "try"
    finally:
        print("cleanup")
def fin_override():
    try:
        raise ValueError("lost")
    finally:
        return "override"
def fin_loop():
    while True:
        try:
            return "returned"
        finally:
            break
    return "after break"
print(fin(), fin_override(), fin_loop())
def nested():
    try:
        try:
            raise KeyError("inner")
        except ValueError:
            print("no")
        finally:
            print("inner finally")
    except KeyError as e:
        print("outer", e)
        try:
            raise
        except KeyError as e2:
            print("reraised", e2 is e)
    return "done"
print(nested())
class MyErr(Exception):
    def __init__(self, code, msg="default"):
        super().__init__(code, msg)
        self.code = code
    def __str__(self): return f"[{self.code}] {self.args[1]}"
class SubErr(MyErr): pass
try:
    raise SubErr(5)
except MyErr as e:
    print(e, repr(e), e.code, e.args, isinstance(e, SubErr), type(e).__mro__[1].__name__)
try:
    e
except NameError as n:
    print(n, n.name)
for make in (lambda: 1 / 0, lambda: [][1], lambda: {}["k"], lambda: int("x"), lambda: "a" + 1, lambda: None.x, lambda: undefined, lambda: next(iter([])), lambda: [].pop(), lambda: (1).foo(), lambda: len(5), lambda: assert_false(), lambda: __import__("nope") if False else thrower(ImportError("imp")), lambda: "".encode("nope") if False else thrower(LookupError("lk")), lambda: thrower(OSError(2, "No such file")), lambda: thrower(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"))):
    try:
        make()
    except Exception as e:
        print(type(e).__name__, "|", e, "|", [c.__name__ for c in type(e).__mro__[1:-1]])
def assert_false():
    assert 1 == 2, "math works"
try:
    assert_false()
except AssertionError as e:
    print("assert", e)
try:
    assert ()
except AssertionError as e:
    print("bare assert", repr(e))
for bad in (lambda: thrower(5), lambda: thrower("s"), lambda: thrower(int), lambda: thrower(None)):
    try:
        bad()
    except TypeError as e:
        print(e)
try:
    try:
        raise ValueError
    except 5:
        pass
except TypeError as e:
    print(e)
try:
    raise
except RuntimeError as e:
    print(e)
e = KeyError("key")
print(str(e), repr(e), e.args[0], str(KeyError()), str(KeyError(1, 2)), Exception(1) == Exception(1), issubclass(KeyError, LookupError), StopIteration(7).value, SystemExit(3).code)
x = AttributeError("m", name="n", obj=5)
print(x.name, x.obj, NameError("q", name="z").name, ImportError("i", name="mod", path="p").name, OSError(2, "msg", "file").filename, OSError(2, "msg").errno, OSError(13, "x"))
err = ValueError("notes")
err.add_note("first"); err.add_note("second")
print(err.__notes__, err.with_traceback(None) is err, err.__traceback__, hasattr(ValueError(), "__notes__"))
def gen_exc():
    try:
        yield 1
    except GeneratorExit:
        print("gen exit")
        raise
g = gen_exc()
next(g); g.close()
def multiple():
    for kind in (ValueError, KeyError, IndexError):
        try:
            raise kind("m")
        except (ValueError, LookupError) as e:
            yield type(e).__name__
print(list(multiple()))
try:
    [1, 2][:"x"]
except TypeError as e:
    print(e)
def deep(n):
    if n == 0: raise ValueError("deep")
    try:
        deep(n - 1)
    finally:
        depth.append(n)
depth = []
try:
    deep(5)
except ValueError as e:
    tb = e.__traceback__
    count = 0
    while tb: count += 1; tb = tb.tb_next
    print(depth, count)
del tb
