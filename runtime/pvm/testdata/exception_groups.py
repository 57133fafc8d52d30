# Exception groups and except*.
def show(g, depth=0):
    if isinstance(g, BaseExceptionGroup):
        print("  " * depth + type(g).__name__, repr(g.message), len(g.exceptions))
        for e in g.exceptions: show(e, depth + 1)
    else:
        print("  " * depth + repr(g))
eg = ExceptionGroup("top", [ValueError(1), TypeError("t"), ExceptionGroup("nested", [ValueError(2), KeyError("k")])])
show(eg)
print(str(eg), repr(eg), eg.args[0], isinstance(eg, Exception))
m, r = eg.split(ValueError)
show(m); show(r)
show(eg.subgroup(lambda e: isinstance(e, (KeyError, TypeError))))
print(eg.subgroup(OSError), eg.split(OSError)[0], eg.subgroup(ExceptionGroup) is eg)
show(eg.derive([ValueError(9)]))
for args in (("x", []), ("x", [1]), ("x",), ("x", 5), ("x", [KeyboardInterrupt()])):
    try:
        print(ExceptionGroup(*args))
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
print(type(BaseExceptionGroup("b", [ValueError()])).__name__, type(BaseExceptionGroup("b", [KeyboardInterrupt()])).__name__)
def run(exc):
    log = []
    try:
        try:
            raise exc
        except* ValueError as g:
            log.append(("value", type(g).__name__, [e.args for e in g.exceptions]))
        except* (TypeError, KeyError) as g:
            log.append(("type/key", [type(e).__name__ for e in g.exceptions]))
        else:
            log.append("else")
        finally:
            log.append("finally")
    except BaseException as e:
        log.append(("escaped", type(e).__name__, str(e)))
    return log
print(run(eg))
print(run(ValueError("bare")))
print(run(ExceptionGroup("g", [OSError("o"), ValueError("v")])))
print(run(RuntimeError("r")))
try:
    pass
except* ValueError:
    print("no")
else:
    print("else ran")
try:
    try:
        raise ExceptionGroup("a", [ValueError(1), KeyError(2)])
    except* ValueError:
        raise RuntimeError("from handler")
except ExceptionGroup as g:
    show(g)
try:
    try:
        raise ExceptionGroup("a", [ValueError(1), KeyError(2)])
    except* ValueError as e:
        raise
    except* KeyError as e:
        raise OSError("replacement") from e
except ExceptionGroup as g:
    show(g)
try:
    try:
        raise ExceptionGroup("only", [ValueError(1)])
    except* ValueError as g:
        raise g
except ExceptionGroup as g:
    show(g)
for bad in (ExceptionGroup, (ValueError, BaseExceptionGroup), 5):
    try:
        try:
            raise ValueError("x")
        except* bad:
            pass
    except TypeError as e:
        print(e)
class MyGroup(ExceptionGroup):
    def derive(self, excs): return MyGroup(self.message + "!", excs)
g = MyGroup("mine", [ValueError(1), KeyError(2)])
g.add_note("n")
a, b = g.split(ValueError)
print(type(a).__name__, a.message, a.__notes__, type(b).__name__, b.exceptions)
def collect(fs):
    errors = []
    for f in fs:
        try:
            f()
        except Exception as e:
            errors.append(e)
    if errors: raise ExceptionGroup(f"{len(errors)} errors", errors)
try:
    collect([lambda: 1 / 0, lambda: int("x"), lambda: 5, lambda: {}["k"]])
except* ArithmeticError as g:
    print("arith", g.exceptions)
except* LookupError as g:
    print("lookup", g.exceptions)
except* ValueError as g:
    print("value", g.exceptions)
def loop():
    out = []
    for i in range(3):
        try:
            raise ExceptionGroup("g", [ValueError(i)])
        except* ValueError as g:
            for e in g.exceptions:
                if e.args[0] == 1: continue
                out.append(e.args[0])
    return out
print(loop())
