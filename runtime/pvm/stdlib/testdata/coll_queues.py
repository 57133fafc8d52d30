# Dicts, sets and ordered dicts that are filled and used up from both sides, beside
# a plain list that does the same.
from collections import OrderedDict, deque


class Stream:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (self.state >> 33) % n


def play(rng, steps, span):
    d, od, s, model = {}, OrderedDict(), {}, []
    for step in range(steps):
        what, key = rng.below(8), rng.below(span)
        if what < 3:
            if key not in d:
                model.append(key)
            d[key] = od[key] = s[key] = step
        elif what == 3 and model:
            last = model.pop()
            assert d.popitem()[0] == od.popitem()[0] == last
            del s[last]
        elif what == 4 and model:
            first = model.pop(0)
            assert next(iter(d)) == first and od.popitem(last=False)[0] == first
            del d[first], s[first]
        elif what == 5 and key in d:
            model.remove(key)
            assert d.pop(key) == od.pop(key) == s.pop(key)
        elif what == 6 and key in od:
            od.move_to_end(key)
            d[key] = d.pop(key)
            s[key] = s.pop(key)
            model.remove(key)
            model.append(key)
        elif what == 7 and key in od:
            od.move_to_end(key, last=False)
            model.remove(key)
            model.insert(0, key)
            d = {k: d[k] for k in model}
            s = {k: s[k] for k in model}
        if step % 50 == 0:
            assert list(d) == list(od) == list(s) == model and list(reversed(d)) == model[::-1], step
            assert all(k in d for k in model) and len(d) == len(model)
    return len(model), sum(model)


for seed, steps, span in ((1, 2000, 5), (2, 3000, 40), (3, 3000, 400)):
    print(play(Stream(seed), steps, span))

n = 20000
d = dict.fromkeys(range(n))
while d:
    d.popitem()
d = dict.fromkeys(range(n))
total = 0
while d:
    key = next(iter(d))
    total += key
    del d[key]
print(total)
od = OrderedDict.fromkeys(range(n))
while len(od) > 1:
    od.popitem(last=False)
print(od)
s = set(range(n))
total = 0
while s:
    total += s.pop()
print(total)
stack = {}
for i in range(n):
    stack[i] = i
    if i % 3:
        stack.popitem()
print(len(stack), list(stack)[-3:])

d = {"a": 1, "b": 2, "c": 3}
del d["c"]
d["c"] = 4
del d["a"]
d["a"] = 5
print(d, list(reversed(d)), d.popitem(), d)
od = OrderedDict(a=1)
od["self"] = od
print(od)
try:
    od.pop("x")
except KeyError as e:
    print("KeyError", e)
print(od.pop("x", default=3), od.pop("a", 4))


class Default(OrderedDict):
    def __missing__(self, key):
        return "missing"


m = Default(a=1)
print(m["b"], m.pop("b", 5), m.pop("a", 6))
try:
    m.pop("a")
except KeyError as e:
    print("KeyError", e)

del od["self"]
q = deque([1, 2, 3, 1])
print(q.count(1), q.index(1, 1), type(reversed(q)).__name__, list(type(reversed(q))(q)), list(type(iter(q))(q, 2)), q.index(3, -10 ** 30, 10 ** 30))
for f in (lambda: q.index(9), lambda: q.remove(9), lambda: hash(q), lambda: hash(od)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
