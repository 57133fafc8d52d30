# Which bases a class can have together, as their layouts decide.
import itertools

class Slots: __slots__ = ("a",)
class More(Slots): __slots__ = ("b",)
class L(list): pass
class P: pass
class S2: __slots__ = ("c",)
class E(Exception): pass
def attempt(*bases):
    try:
        c = type("C", bases, {})
        x = c()
        for n in "abc":
            if hasattr(c, n):
                try: print(getattr(x, n))
                except AttributeError as e: print(e)
                setattr(x, n, 1)
        print([b.__name__ for b in bases], "ok", c.__base__.__name__)
    except TypeError as e:
        print([b.__name__ for b in bases], e)
for k in (1, 2, 3):
    for bases in itertools.permutations((Slots, More, L, P, S2, E, list), k):
        attempt(*bases)

X = [Exception, KeyError, AttributeError, NameError, UnboundLocalError, ImportError, ModuleNotFoundError, OSError, BlockingIOError, TimeoutError, SyntaxError, IndentationError, StopIteration, StopAsyncIteration, SystemExit, UnicodeError, UnicodeDecodeError, UnicodeEncodeError, ValueError, BaseExceptionGroup, ExceptionGroup, LookupError, GeneratorExit]
for a, b in itertools.permutations(X, 2):
    try:
        c = type("C", (a, b), {})
        print(a.__name__, b.__name__, c.__base__.__name__)
    except TypeError as e:
        print(a.__name__, b.__name__, str(e).split("\n")[0])


class S(str):
    pass


print(repr(S() + S()), type(S() + S()).__name__, S("a") + S(), S() + "b")
