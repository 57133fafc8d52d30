# Exception chaining: cause, context, suppress.
def show(e, depth=0):
    while e is not None and depth < 6:
        print("  " * depth, type(e).__name__, e, "| cause", repr(e.__cause__), "| context", repr(e.__context__), "| suppress", e.__suppress_context__)
        e = e.__cause__ or e.__context__
        depth += 1
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("during")
except ValueError as e:
    show(e)
try:
    try:
        {}["k"]
    except KeyError as k:
        raise RuntimeError("explicit") from k
except RuntimeError as e:
    show(e)
try:
    try:
        [][0]
    except IndexError:
        raise TypeError("hidden") from None
except TypeError as e:
    show(e)
try:
    raise ValueError("class cause") from KeyError
except ValueError as e:
    show(e)
for bad in (5, "s"):
    try:
        raise ValueError from bad
    except TypeError as e:
        print(e)
def finally_raises():
    try:
        raise ValueError("first")
    finally:
        raise KeyError("second")
try:
    finally_raises()
except KeyError as e:
    show(e)
class Ctx:
    def __enter__(self): return self
    def __exit__(self, *a): raise OSError("in exit")
try:
    with Ctx():
        raise ValueError("in body")
except OSError as e:
    show(e)
def gen():
    try:
        yield
    except ValueError:
        raise KeyError("from generator")
g = gen()
next(g)
try:
    g.throw(ValueError("thrown"))
except KeyError as e:
    show(e)
def stop():
    yield 1
    raise StopIteration("oops")
try:
    list(stop())
except RuntimeError as e:
    show(e)
try:
    try:
        try:
            raise ValueError(1)
        except ValueError:
            raise ValueError(2)
    except ValueError:
        raise ValueError(3)
except ValueError as e:
    show(e)
a = ValueError("a")
try:
    try:
        raise a
    except ValueError:
        raise a
except ValueError as e:
    show(e)
b = KeyError("manual")
b.__cause__ = ValueError("set")
print(b.__suppress_context__, b.__cause__)
b.__cause__ = None
b.__context__ = ValueError("ctx")
print(b.__context__, b.__suppress_context__)
for attr, v in (("__cause__", 5), ("__context__", "x"), ("__traceback__", 1)):
    try:
        setattr(b, attr, v)
    except TypeError as e:
        print(e)
def handler():
    try:
        raise ValueError("outer")
    except ValueError:
        try:
            raise KeyError("inner")
        except KeyError:
            pass
        try:
            raise
        except ValueError as e:
            return repr(e)
print(handler())
def unrelated():
    try:
        raise ValueError("v")
    except ValueError:
        pass
    try:
        raise KeyError("k")
    except KeyError as e:
        return e.__context__
print(unrelated())
try:
    try:
        raise KeyError("x")
    except KeyError as e:
        e.add_note("note")
        raise
except KeyError as e:
    print(e.__notes__, e.__context__)
