import typing
class D(typing.TypedDict, total=False):
    a: int
print(D.__annotations__)
def g():
    print('iter'); yield 1
def kw():
    print('kw'); return {}
def f(*a,**k): return a,k
print(f(*g(),**kw()))
class B:
    def __str__(self): print('in str'); return 's'
print('a',B(),3)
class A:
    def __setitem__(s,k,v): pass
try: del A()[1]
except AttributeError as e: print(e)
try: f(*3,**3)
except TypeError as e: print(e)
print(type([].append).__name__, type({}.__len__).__name__)
class P: __set__=lambda *a: None
class Q: p=P()
try: del Q().p
except AttributeError as e: print(e)
def g():
    try:
        while True:
            x = yield
    except GeneratorExit:
        return 5
a=g(); next(a); a.close()
try: a.send(None)
except StopIteration as e: print(repr(e))
def g():
    yield 1
    return 7
a=g(); print(list(a))
try: next(a)
except StopIteration as e: print(repr(e))
a=g(); next(a)
try: next(a)
except StopIteration as e: print(repr(e))
try: next(a)
except StopIteration as e: print(repr(e))
import re
s=super.__new__(super)
print(repr(s))
for n in ('__thisclass__','__self__','__self_class__','x'):
    try: print(n, getattr(s,n))
    except AttributeError as e: print(e)
try: print(re.match('a','a').expand(len))
except TypeError as e: print(e)
import re
try: re.sub('a',r'\g<n>','a')
except IndexError as e: print(repr(e.__context__), e.__suppress_context__, e.__cause__)
for f in (lambda: bytearray(1,2), lambda: bytes(1,2), lambda: bytes(1,errors=3), lambda: bytearray('a','utf8',4), lambda:'a'.find(1,[]), lambda: b'a'.index('a',[])):
    try: print(f())
    except TypeError as e: print(e)
# Native iterators and their names, the parsers of arguments, objects made without __init__.
import collections, decimal, functools, itertools, json, math
def name(x):
    try: x - {}
    except TypeError as e: return str(e).split("'")[1]
print([name(x) for x in (iter(""), iter("é"), iter(bytearray()), reversed({}), iter(range(2**70)), iter(memoryview(b"")), collections.deque(), collections.OrderedDict(), collections.defaultdict(), collections.Counter(), decimal.Decimal(1), functools.partial(len), itertools.count(), int | str, list[int], str.upper, [].append, {}.__len__, int.__add__)])
def message(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for f in [lambda: round(), lambda: pow(), lambda: sum(), lambda: sum([], 1, 2), lambda: sorted(), lambda: enumerate(), lambda: math.degrees(), lambda: "a".split(1, 2, 3), lambda: [].sort(1), lambda: math.prod([], 1), lambda: "a".find(), lambda: {}.fromkeys(), lambda: bytes.fromhex(), lambda: float.fromhex(), lambda: "a".find(1, []), lambda: bytes.fromhex("ï"), lambda: chr(2**40), lambda: [0][2**70], lambda: pow(1.5, 2, 3), lambda: range(3).index(None), lambda: list(itertools.islice([], "x")), lambda: str(1, 2), lambda: "" % collections.deque(), lambda: 1 in (int | str), lambda: str.maketrans(1, 2), lambda: type("X", (), {})[0], lambda: object.__new__(type({}.__len__)), lambda: object.__new__(list), lambda: int.__add__("a", 1), lambda: [].append.x]:
    message(f)
class Hint:
    def __init__(self, n): self.n = n
    def __iter__(self): print("iter"); return iter([1, 2])
    def __length_hint__(self): print("hint"); return self.n
for n in (3, -1, "x", None):
    for f in (list, tuple, sorted, bytes): message(lambda: f(Hint(n)))
class Half:
    def __setitem__(self, k, v): pass
    def __rpow__(self, o): return "r"
def drop(): del Half()[0]
message(drop)
message(lambda: pow(Half(), 2, 5))
try:
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError as g: raise KeyError(3)
except ExceptionGroup as g: print(repr(g))
try: raise ValueError(4)
except* ValueError as g: print(repr(g))
message(lambda: json.loads('"\\x"'))
