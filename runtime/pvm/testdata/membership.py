# Tests of membership in displays of constants.
def kind(c):
    if c in {'+', '-', '*'}: return 'op'
    if c not in {'a', 'b', 'c', 'a'}: return 'other'
    return 'name'
print([kind(c) for c in '+a*zb-'], kind(''), kind('+-'), kind(1), kind(None), kind(('+',)))
for x in (1, 1.0, True, 2, -3, '1', None, 1 << 70, 2.5, frozenset({1}), {1}):
    print(x in {1, 2, 3}, x in {-3, '1'}, x in [1, '1', None, 2.5], x not in [], x in [(1, 2), -3], x in {1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
for bad in ([], {}, [1]):
    try:
        print(bad in {1, 'x'})
    except TypeError as e:
        print(e)
print([] in [1, None], [[]] in [1], 1 in [1] == [1], (2 in {2, 3}) == True, 2 in {2} in [{2}], 'é' in {'é', 'ü'})
class E:
    def __init__(self, h): self.h = h; self.seen = []
    def __hash__(self): return self.h
    def __eq__(self, o): self.seen.append(o); return o == 'hit'
e = E(hash(5))
print(e in {5, 6}, e.seen, e in ['a', 'hit', 'b'], e.seen)
def f(n): return [i for i in range(n) if i in {3, 5, 7} or i in [2, 4] and i not in (4,)]
print(f(10), 3 if 3 in {3} else 4, not 3 in {3}, [x for x in 'hello' if x not in {'l'}])
i = 0
while i not in {5, 9}: i += 1
print(i)
