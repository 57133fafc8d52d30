# One attribute site that sees modules, instances of every kind, classes and
# objects without attributes.
import collections
import itertools
import json
import math


class Plain:
    shared = "class"

    def __init__(self, pi):
        self.pi = pi


class Slotted:
    __slots__ = ("e", "pi")

    def __init__(self, pi):
        self.e = 0
        self.pi = pi


class Mixed(list):
    pi = "mixed"


def make(i):
    class Local:
        pass

    v = Local()
    for k in range(i):
        setattr(v, "a%d" % k, k)
    v.pi = i
    return v


def dictionary(i):
    v = make(i)
    v.__dict__["pi"] = "dict %d" % i
    return v


def read(v):
    try:
        return v.pi
    except AttributeError as e:
        return str(e)


def write(v, x):
    try:
        v.pi = x
    except (AttributeError, TypeError) as e:
        return str(e)
    return v.pi


things = [math, object(), Plain(1), json, Slotted(2), Mixed(), Plain, Slotted, 3, "s", object, collections]
things += [make(i) for i in range(40)]
things += [dictionary(i) for i in range(0, 200, 9)]
for gap in (1, 5, 7, 11, 13):
    seen = []
    for i in range(len(things) * 2):
        t = things[i * gap % len(things)]
        r = read(t)
        if type(r) is float:
            r = round(r, 3)
        seen.append(r if "object at" not in str(r) else "?")
    print(gap, len(seen), seen[:30])
    print(seen[30:])

# The module is read right before each of them.
for v in things:
    read(math)
    r = read(v)
    print(r if type(r) is not float else round(r, 3), end=" ")
print()

for gap in (1, 5, 11):
    for i in range(len(things)):
        t = things[i * gap % len(things)]
        if t in (math, Plain, Slotted, json, collections, object) or type(t) is object:
            continue
        print(write(t, i), end=" ")
    print()


def call(v):
    try:
        return v.count(1)
    except (AttributeError, TypeError) as e:
        return type(e).__name__


class Counter:
    def count(self, x):
        return "own", x


own = Counter()
shadow = Counter()
shadow.count = lambda x: ("shadow", x)
for v in [own, [1, 1], (1,), itertools, shadow, own, Counter, object(), Mixed([1]), b"1", own, shadow, [1]] * 3:
    r = call(v)
    print(r if type(r) is not type(itertools) else "?", end=" ")
print()
