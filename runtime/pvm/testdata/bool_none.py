# Truth, bool, None, Ellipsis, NotImplemented, and short-circuit operators.
class Yes:
    def __bool__(self): return True
    def __repr__(self): return "Yes"
class No:
    def __bool__(self): return False
    def __repr__(self): return "No"
class Empty:
    def __len__(self): return 0
    def __repr__(self): return "Empty"
class Full:
    def __len__(self): return 3
    def __repr__(self): return "Full"
items = [0, 1, -1, 0.0, 0.1, "", "a", b"", b"a", [], [0], (), (0,), {}, {0: 0}, set(), {0}, None, ..., NotImplemented is None,
         range(0), range(1), Yes(), No(), Empty(), Full(), int, len, object]
print([bool(x) for x in items])
print([not x for x in items])
def show(x, log=[]):
    log.append(x)
    return x
print(Yes() and No(), No() and Yes(), Yes() or No(), No() or Yes(), No() or Empty(), Full() and Yes() and 5)
print(1 and 2 and 3, 1 and 0 and 3, 0 or "" or None, 0 or "" or "x" or 1)
log = []
def t(x): log.append(x); return True
def f(x): log.append(x); return False
t(1) and f(2) or t(3) and t(4) or t(5)
f(6) or f(7) and t(8) or f(9)
not (t(10) and f(11)) and t(12)
print(log)
log = []
if t(1) and (f(2) or t(3)) and not f(4): log.append("yes")
if f(5) or (f(6) and t(7)): log.append("no")
while t(8) and len(log) < 9: pass
print(log)
print(True, False, None, Ellipsis, NotImplemented, repr(True), str(None), bool(), bool("False"))
print(True + 1, True & False, True | False, True ^ True, ~True, -True, True == 1, True is True, type(True & 1), type(True & True))
print(True < 2, False == 0.0, None == 0, None is None, None != False, ... is Ellipsis, type(None), type(...), type(NotImplemented))
print({True: "a", 1: "b", 1.0: "c"}, [1, 2].index(True), [True, 1, 1.0].count(1))
for bad in (lambda: None < 1, lambda: None + 1, lambda: len(None), lambda: None(), lambda: None.x, lambda: None[0], lambda: iter(None),
            lambda: bool(1, 2)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
class Bad:
    def __bool__(self): return 1
try:
    if Bad(): pass
except TypeError as e:
    print(e)
class BadLen:
    def __len__(self): return -1
try:
    bool(BadLen())
except ValueError as e:
    print(e)
print(any([0, "", None]), any([0, 1]), all([]), all([1, "a", [0]]), all([1, 0]), any(x > 2 for x in range(5)))
print(1 if Yes() else 2, 1 if No() else 2, [x for x in items[:8] if x], sorted([True, False, True]))
