# Forms of import, and modules as objects.
import math
import math as m, itertools as it
import collections.abc
import collections.abc as cabc
from math import pi, sqrt as root
from collections import (
    Counter,
    deque as dq,
)
from itertools import *
from json import loads, dumps as d
print(math is m, math.pi == pi, root(16), Counter("aa"), dq([1]), list(islice(count(), 3)), loads("[1]"), d([1]), cabc is collections.abc, it.chain is chain, list(chain([1], [2])))
print(math.__name__, type(math).__name__, hasattr(math, "nope"), "sqrt" in dir(math), getattr(math, "floor")(2.7), repr(math)[:13])
for f in (lambda: math.nope,):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def imp(n):
    import no_such_module_at_all
def frm():
    from math import no_such_name
def sub():
    import math.submodule
for f in (imp, frm, sub):
    try:
        f(1) if f is imp else f()
    except ImportError as e:
        print(type(e).__name__, e.name, isinstance(e, ImportError))
try:
    import numpy_like_missing
except ImportError:
    numpy_like_missing = None
print(numpy_like_missing)
def local_import():
    import functools
    from re import compile as c
    return functools.reduce(lambda a, b: a + b, [1, 2, 3]), c("a+").match("aa").group()
print(local_import(), "functools" in globals())
class WithImport:
    import math as mm
    from math import e
print(WithImport.mm is math, WithImport.e == math.e, WithImport().e)
if True:
    import struct
print(struct.calcsize("<I"), __name__)
import math, struct, json
del math
try:
    math
except NameError as e:
    print(e)
import math
print(math.tau > 6)
from collections import Counter as Counter
import json as json
print(Counter is collections.Counter, json.dumps("x"))
