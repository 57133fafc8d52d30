def t(f):
    try: r = f()
    except Exception as e: print(type(e).__name__, e)
    else: print(repr(r) if not isinstance(r, memoryview) else info(r))
def info(m):
    return (m.shape, m.strides, m.ndim, m.itemsize, m.nbytes, m.format, m.contiguous, m.c_contiguous, m.f_contiguous, m.readonly, m.suboffsets, len(m), m.tobytes(), m.tobytes('F'), m.tobytes('A'))
b = bytearray(range(24))
m = memoryview(b)
shapes = [(2,12), (2,3,4), (24,), (1,24), (24,1), [4,6], (1,1,24), (2,1,12), (24,1,1), (), (0,), (-1,), (5,5), (2.0,12), ('a',), 5, None, (2**70,), (2**62,), (2**62, 8), [True, 24], (1,)*63+(24,), (1,)*64+(24,), {24}]
for s in shapes:
    t(lambda: m.cast('B', s)); t(lambda: m.cast('b', shape=s))
for f in 'BbcHhIiLlQqnNfdP?@X': t(lambda: m.cast(f)); t(lambda: m.cast(f, (2, 3))); t(lambda: m.cast(f, shape=[3]))
m3 = m.cast('B', (2, 3, 4))
m2 = m.cast('H', [3, 4])
for v in (m3, m2):
    t(lambda: v.tolist()); t(lambda: v[0]); t(lambda: v[0,0]); t(lambda: v[1,2,3]); t(lambda: v[1,2]); t(lambda: v[-1,-1,-1]); t(lambda: v[0,0,0,0]); t(lambda: v[2,0,0]); t(lambda: v[0,3,0]); t(lambda: v[0,-5,0]); t(lambda: v[5,5])
    t(lambda: v[0:1]); t(lambda: v[::-1]); t(lambda: v[::2]); t(lambda: v[1:1]); t(lambda: v[0:1, 0:1]); t(lambda: v[0, 0:1]); t(lambda: v['a']); t(lambda: v[()]); t(lambda: v[...]); t(lambda: v[0.5, 1]); t(lambda: v[None])
    t(lambda: v[::-1].tolist()); t(lambda: v[::2][0,0]); t(lambda: v[::-1].cast('B')); t(lambda: v[1:].cast('B')); t(lambda: v.cast('B', (4, 6))); t(lambda: v.cast('B')); t(lambda: v.cast('I'));t(lambda: v[1:1].cast('B')); t(lambda: v[1:1].tolist())
    t(lambda: v[:1][::1]); t(lambda: v[::-1][::2][0:1]); 
    t(lambda: list(v)); t(lambda: iter(v)); t(lambda: hash(v)); t(lambda: 5 in v); t(lambda: bytes(v)); t(lambda: v.hex()); t(lambda: bytearray(v));  t(lambda: list(reversed(v)))
    t(lambda: v == m); t(lambda: v == v); t(lambda: v == memoryview(v)); t(lambda: v == b); t(lambda: v[:1] == v[:1]); t(lambda: v[::-1] == v[::-1]); t(lambda: v != v[::-1]); t(lambda: v[0:0] == v[1:1])
    for key in [0, (0,0), (0,0,0), slice(0,1), (slice(0,1), slice(0,1)), (0, slice(0,1)), 'a', ..., (), (5,5,5), None, (9, 9)]:
        for val in (7, b'x', -1, 'q', 70000):
            try: v[key] = val
            except Exception as e: print(key, val, type(e).__name__, e)
            else: print(key, val, v.tolist())
    try: del v[0]
    except Exception as e: print(type(e).__name__, e)
    t(lambda: v.toreadonly()); t(lambda: memoryview(v))
z = memoryview(b)[4:8].cast('i', ())
t(lambda: z); t(lambda: z[()]); t(lambda: z[...]); t(lambda: z[...] is z); t(lambda: z[0]); t(lambda: z[:]); t(lambda: z[(0,)]); t(lambda: z.tolist()); t(lambda: list(z)); t(lambda: len(z)); t(lambda: z == z); t(lambda: z == memoryview(b)[4:8]); t(lambda: z == memoryview(b)[4:8].cast('I', []))
z[()] = 99; t(lambda: z[()]); z[...] = -3; print(b)
for k in (0, slice(None), (0,), 'a'):
    try: z[k] = 1
    except Exception as e: print(type(e).__name__, e)
t(lambda: z.cast('B')); t(lambda: z.cast('i', [1])); t(lambda: z.cast('i', [1,1])); t(lambda: z.cast('B', (2, 2))); t(lambda: z.tobytes()); t(lambda: z.hex())
r = memoryview(bytes(6)).cast('B', (2, 3))
t(lambda: hash(r) == hash(bytes(6))); t(lambda: hash(memoryview(b'ab').cast('b', ())) == hash(b'x')); t(lambda: {r: 1}[r])
for k in ((0,0), 0):
    try: r[k] = 1
    except Exception as e: print(type(e).__name__, e)
f = memoryview(bytearray(16)).cast('d', [1, 2]); f[0, 1] = 2.5; print(f.tolist()); f[0,0] = float('nan'); print(f == f, f.tolist()[0][1])
q = memoryview(b'abcdef').cast('c', (3, 2)); print(q.tolist(), q[2, 1], q.cast('B').tolist(), q[::-1].tobytes(), q[::-1].tobytes('F'), q.tobytes('F'))
e = memoryview(b''); t(lambda: e.cast('B', (0,))); t(lambda: e.cast('B', ())); t(lambda: e.cast('H')); t(lambda: e.cast('B', (1,))); t(lambda: e[0:0:2])
m = memoryview(b'abcdef')
for s in (m[0:0:2], m[::2], m[0:1:3], m[::-1], m[5:0:-5], m[0:2:5]): t(lambda: s)
class X:
    def __index__(self): m.release(); return 0
m = memoryview(bytearray(8)).cast('B', (2, 4)); t(lambda: m[X(), 0])
m = memoryview(bytearray(8)).cast('B', (2, 4)); t(lambda: m[0, X()])
m = memoryview(bytearray(8)); t(lambda: m.__setitem__(0, X()))
m = memoryview(bytearray(8)); t(lambda: m.__setitem__(slice(X(), 2), b'ab'))
m = memoryview(bytearray(8)); t(lambda: m.__setitem__(X(), 1))
m = memoryview(bytearray(8)); t(lambda: m[X():4].tolist())
m = memoryview(bytearray(8)); m.release()
for n in 'obj format readonly itemsize nbytes ndim shape strides suboffsets contiguous c_contiguous f_contiguous'.split(): t(lambda: getattr(m, n))
for f in (lambda: m.cast('B'), lambda: m.cast(5), lambda: m.tobytes(), lambda: m.tolist(), lambda: m.hex(), lambda: m[0], lambda: m[:], lambda: len(m), lambda: list(m), lambda: m == m, lambda: m == b'', lambda: hash(m), lambda: repr(m)[:16], lambda: m.toreadonly(), lambda: m.__enter__(), lambda: m.release(), lambda: memoryview(m), lambda: bytes(m)): t(f)
