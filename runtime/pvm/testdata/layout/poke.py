# Classes with strange orders and changed bases, and everything one can do to their instances:
# nothing may break the machine. CPython is no measure here.
import itertools
import collections, decimal, re
BASES = [object, int, float, str, bytes, list, dict, set, tuple, complex, Exception, OSError, UnicodeDecodeError, SyntaxError, property, type, bytearray, collections.deque, collections.OrderedDict, collections.defaultdict, decimal.Decimal, super, staticmethod, BaseExceptionGroup]
class Slots: __slots__ = ("a", "b")
class Slots2: __slots__ = ("c", "d")
ALL = BASES + [Slots, Slots2]
n = bad = 0
def poke(c):
    global n
    for make in (lambda: c(), lambda: c(1), lambda: c("x"), lambda: c.__new__(c), lambda: object.__new__(c)) + tuple((lambda b=b: b.__new__(c)) for b in BASES):
        try: x = make()
        except Exception: continue
        for op in (repr, str, len, hash, iter, bool, int, float, list, dict, sorted, lambda x: x + x, lambda x: x * 2, lambda x: x[0], lambda x: x == x, lambda x: x < x, lambda x: x.a, lambda x: setattr(x, "a", 1), lambda x: x.d, lambda x: setattr(x, "d", 1), lambda x: x.args, lambda x: x.errno, lambda x: x.keys(), lambda x: x.append(1), lambda x: x.add(1), lambda x: x.real, lambda x: setattr(x, 0, 1), lambda x: x.__setitem__(5, 6), lambda x: format(x), lambda x: next(x), lambda x: x.__dict__, lambda x: setattr(x, "zz", 1), lambda x: x.zz, lambda x: x(), lambda x: x.popleft(), lambda x: x.fget, lambda x: x.__mro__, lambda x: x.split(), lambda x: x.exceptions, lambda x: [b.__repr__(x) for b in BASES], lambda x: [b.__eq__(x, x) for b in BASES], lambda x: [b.__len__(x) for b in (list, dict, str, set, tuple)], lambda x: x.with_traceback(None), lambda x: x.__class__):
            try: op(x)
            except Exception: pass
            n += 1
for base in ALL:
    for order in itertools.chain(itertools.permutations(ALL, 1), itertools.permutations([object, list, dict, Exception, Slots, base], 2)):
        for with_cls in (0, 1):
            class Meta(type):
                def mro(cls):
                    return ([cls] if with_cls else []) + list(order)
            try:
                c = Meta("C", (base,), {})
            except Exception:
                bad += 1
                continue
            poke(c)
print(bad > 0)
m = 0
for a in ALL:
    for b in ALL:
        try:
            A = type("A", (a,), {}); B = type("B", (b,), {}); C = type("C", (A,), {})
            x = C() if a not in (UnicodeDecodeError, SyntaxError, type, staticmethod, BaseExceptionGroup) else None
        except Exception:
            continue
        for bases in ((B,), (b,), (A, B), (B, A), (b, A)):
            try:
                C.__bases__ = bases
            except Exception:
                continue
            m += 1
            poke(C)
            if x is not None:
                for op in (repr, hash, len, list, bool, lambda x: x.a, lambda x: setattr(x, "d", 1), lambda x: x.__dict__, lambda x: x.args, lambda x: x.errno, lambda x: x == x, lambda x: x + x):
                    try: op(x)
                    except Exception: pass
            try:
                x.__class__ = B
                repr(x); x.__dict__; x == x
            except Exception: pass
print(m > 0)
