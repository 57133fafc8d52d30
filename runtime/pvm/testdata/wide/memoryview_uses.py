m = memoryview(b'abc'); h = hash(m); m.release(); print(h == hash(m) == hash(b'abc'))
m = memoryview(b'abc'); m.release()
try: hash(m)
except ValueError as e: print(e)
class B(bytes): __hash__ = None
for x in (B(b'x'), bytearray(b'x')):
    for f in (lambda m: m, lambda m: m.toreadonly(), lambda m: m.cast('?'), lambda m: m.toreadonly().cast('H' if 0 else '?')):
        try: print(hash(f(memoryview(x))))
        except Exception as e: print(type(e).__name__, e)
try: hash(memoryview(B(b'ab')).cast('H'))
except Exception as e: print(type(e).__name__, e)
b = bytearray(b',')
def it():
    b.clear()
    yield b'A'
try: b.join(it())
except BufferError as e: print(e, b)
def it2():
    b[0] = 65
    yield b'x'; yield b'y'
print(b.join(it2())); b.clear(); print(b)
import struct
b = bytearray(b'abcdef')
it = struct.iter_unpack('2s', b)
print(next(it))
try: b.append(1)
except BufferError as e: print(e)
print(list(it)); b.append(1); print(b)
it = struct.iter_unpack('b', b); 
for k, (x,) in enumerate(it):
    b[6] = 9
    if k == 5:
        try: b.clear()
        except BufferError as e: print(e)
print(x); b.clear(); print(next(it, None), b)
b = bytearray(b'abcd'); m = memoryview(b)
it = struct.iter_unpack('<H', m); print(next(it), it.__length_hint__())
del it, m; b.append(7); print(b)
for bad in (memoryview(b'abcd')[::2], 5, 'x', bytearray(3)):
    try: print(struct.iter_unpack('2s', bad))
    except Exception as e: print(type(e).__name__, e)
