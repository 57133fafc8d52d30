def t(f):
    try: r = f()
    except Exception as e: print(type(e).__name__, e)
    else: print(r)
def ops(b):
    yield lambda: b.append(1)
    yield lambda: b.extend(b'xy')
    yield lambda: b.extend(b'')
    yield lambda: b.extend([1,2])
    yield lambda: b.extend([])
    yield lambda: b.insert(0, 5)
    yield lambda: b.insert(0, 500)
    yield lambda: b.pop()
    yield lambda: b.pop(100)
    yield lambda: b.remove(ord('c'))
    yield lambda: b.remove(200)
    yield lambda: b.clear()
    yield lambda: b.__delitem__(0)
    yield lambda: b.__delitem__(100)
    yield lambda: b.__delitem__(slice(0, 2))
    yield lambda: b.__delitem__(slice(0, 0))
    yield lambda: b.__delitem__(slice(0, 4, 2))
    yield lambda: b.__delitem__(slice(4, 0, 2))
    yield lambda: b.__setitem__(slice(0, 2), b'zz')
    yield lambda: b.__setitem__(slice(0, 2), b'zzz')
    yield lambda: b.__setitem__(slice(0, 2), b'z')
    yield lambda: b.__setitem__(slice(0, 4, 2), b'zz')
    yield lambda: b.__setitem__(slice(0, 4, 2), b'z')
    yield lambda: b.__setitem__(slice(0, 4, 2), b'')
    yield lambda: b.__iadd__(b'q')
    yield lambda: b.__iadd__(b'')
    yield lambda: b.__iadd__(b)
    yield lambda: b.extend(b)
    yield lambda: b.__imul__(2)
    yield lambda: b.__imul__(1)
    yield lambda: b.__imul__(0)
    yield lambda: b.__init__(b'new')
    yield lambda: b.__init__()
    yield lambda: b.__setitem__(0, 7)
    yield lambda: b.reverse()
    yield lambda: (b.copy(), b.upper(), b + b'1')
    yield lambda: b.__setitem__(slice(1, 1), b)
    yield lambda: b.__iadd__(memoryview(b))
    yield lambda: b.extend(memoryview(b))
n = len(list(ops(bytearray())))
for i in range(n):
    for k in range(4):
        b = bytearray(b'abcdefgh')
        if k == 0: m = memoryview(b)
        elif k == 1:
            m = memoryview(b); m2 = m[2:4]; m.release()
        elif k == 2:
            with memoryview(b) as m: pass
        else:
            m = iter(memoryview(b)); next(m)
        print(i, k, end=' ')
        t(list(ops(b))[i]); print(b)
        if k == 1: m2.release(); t(list(ops(b))[i]); print(b)
        del m
        m2 = None
b = bytearray(b'abc')
memoryview(b); b.append(1); bytes(memoryview(b)[1:]); b.append(2); print(b)
def f(b):
    m = memoryview(b)
    return m.tobytes()
f(b); b.append(3); print(b)
m = memoryview(b)
m = None
b.append(4); print(b)
l = [memoryview(b)]
t(lambda: b.append(5)); l.clear(); t(lambda: b.append(5)); print(b)
class C: pass
c = C(); c.m = memoryview(b)[1:]
t(lambda: b.append(6)); del c.m; t(lambda: b.append(6)); print(b)
def g():
    with memoryview(b) as m:
        yield m[0]
        yield m[1]
gen = g(); next(gen); t(lambda: b.append(7)); next(gen); next(gen, None); t(lambda: b.append(7)); print(b)
b = bytearray(b'abc'); m = memoryview(b).toreadonly(); t(lambda: b.append(1)); m.release(); t(lambda: b.append(1))
m = memoryview(memoryview(b)); t(lambda: b.append(1)); m.release(); m.release(); t(lambda: b.append(1)); print(b)
b = bytearray(10)
v = memoryview(b)[2:].cast('H'); t(lambda: b.pop()); v.release(); t(lambda: b.pop())
for i, x in enumerate(memoryview(b)):
    try: b.append(1)
    except BufferError as e: print(i, e); break
b += b if not b else b'k'
try: b += b
except BufferError as e: print(e)
print(b)
e = bytearray(); e += e; print(e)
