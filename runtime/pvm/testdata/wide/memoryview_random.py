S = 12345
def rnd(n):
    global S
    S = (S * 6364136223846793005 + 1442695040888963407) % (1 << 64)
    return (S >> 33) % n
def pick(l): return l[rnd(len(l))]
def index(): return pick([0, 1, -1, 2, -2, 5, -7, 3])
def sl(): return slice(pick([None, 0, 1, 2, -1, -3, 5]), pick([None, 0, 1, 3, -1, 6, 20]), pick([None, None, 1, 2, -1, -2, 3]))
def show(x):
    if isinstance(x, memoryview):
        try: return (x.shape, x.strides, x.format, x.readonly, x.contiguous, x.c_contiguous, x.f_contiguous, x.tobytes(), x.tobytes('F'), x.nbytes)
        except Exception as e: return type(e).__name__ + str(e)
    return x
def key(m):
    k = rnd(6)
    if k < 2: return index()
    if k == 2: return sl()
    if k == 3: return tuple(index() for _ in range(rnd(4)))
    if k == 4: return pick([..., 'a', None, 1.5, True, (sl(), sl()), (0, sl())])
    return pick([0, (0, 0), (0, 0, 0), ()])
FORMATS = 'BbcHhIiLlQqNnfd?P'
def shape(n):
    k = rnd(5)
    if k == 0: return [n]
    if k == 1 and n % 2 == 0: return [2, n // 2]
    if k == 2 and n % 4 == 0: return (2, 2, n // 4)
    if k == 3: return (n, 1)
    return pick([(), (0,), [3, 3], (1, 1, n), [-1]])
for case in range(100):
    b = bytearray(rnd(256) for _ in range(pick([0, 1, 4, 8, 16, 24])))
    base = b if rnd(3) else bytes(b)
    views = [memoryview(base)]
    log = []
    for step in range(rnd(12)):
        m = pick(views)
        op = rnd(16)
        try:
            if op == 0: r = m[key(m)]
            elif op == 1: m[key(m)] = pick([0, 1, 255, -1, 300, 2.5, b'x', b'xy', True, 'q', 2**40]); r = bytes(base)
            elif op == 2: m[sl()] = pick([bytes(rnd(4)), pick(views), b]); r = bytes(base)
            elif op == 3: r = m.cast(pick(FORMATS))
            elif op == 4: r = m.cast(pick(FORMATS), shape(pick([len(m), m.nbytes, m.nbytes // 4, 4])))
            elif op == 5: r = m.cast('B').cast(pick('BHbIq'), shape(pick([m.nbytes, m.nbytes // 2, 4])))
            elif op == 6: r = m == pick(views + [b, bytes(b)])
            elif op == 7: r = m.tolist()
            elif op == 8: r = str(list(m)) + str(list(reversed(m)))
            elif op == 9: r = m.toreadonly()
            elif op == 10: r = (hash(m) == hash(m.tobytes()))
            elif op == 11:
                r = None
                if rnd(4) == 0: m.release()
            elif op == 12: r = (len(m), m.itemsize, m.ndim, pick([1, 97, b'a']) in m)
            elif op == 13:
                r = pick([lambda: b.append(1), lambda: b.pop(), lambda: b.extend(b'12'), lambda: b.clear(), lambda: b.__imul__(2), lambda: b.__delitem__(sl())])()
            elif op == 14: r = m[sl()]
            else: r = (b'' + m, bytes(m), bytearray(m), m.hex(), b''.join([m, m]))
            if isinstance(r, memoryview): views.append(r)
            log.append((op, show(r)))
        except Exception as e: log.append((op, type(e).__name__, str(e)))
        r = e = m = None
    views.clear()
    try: b.append(7)
    except BufferError as e: log.append(str(e))
    print(case, log, bytes(b))
