# bytearray and memoryview.
a = bytearray(b"hello")
a[0] = 72
a[-1:] = b"p!"
a.append(63)
a.extend(b"xyz")
a.extend([1, 2])
a += b"end"
print(a, len(a), a[0], a[1:3], type(a[1:3]), a.pop(), a.pop(0), a)
a.insert(0, 65); a.insert(100, 90); a.insert(-1, 77)
a.remove(63)
a.reverse()
print(a, a.copy() == a, a.copy() is a, bytes(a), a * 2, a + b"!", b"!" + a, type(b"!" + a), type(a + b"!"))
a[2:5] = []
del a[0]
del a[1:3]
a[1:1] = b"INS"
a[::2] = bytes(len(a[::2]))
print(a, a.find(b"N"), a.count(0), a.hex(), a.index(0), 0 in a, b"N" in a, a.startswith(b"\x00"))
a.clear()
print(a, bool(a), bytearray(3), bytearray([1, 2]), bytearray("é", "utf8"), bytearray(b"x") == b"x", bytearray(b"a") < b"b", repr(bytearray(b"\x00'")))
print(bytearray(b"a b").split(), bytearray(b"ABC").lower(), bytearray(b"x,y").partition(b","), bytearray(b"ab").decode(), bytearray(b" s ").strip(), bytearray(b"abc").replace(b"b", b"Q"), bytearray(b"ab").join([b"1", b"2"]))
for f in (lambda: bytearray([300]), lambda: hash(bytearray()), lambda: bytearray(b"a").append(256), lambda: bytearray().pop(), lambda: bytearray(b"a").remove(1), lambda: bytearray(b"a")[9], lambda: bytearray("s"), lambda: bytearray(b"a").__setitem__(0, "x"), lambda: bytearray(b"abcd").__setitem__(slice(0, 4, 2), b"x")):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
b = bytearray(b"0123456789")
b[2:4] = b"AB"; b[8:] = b"XYZ"; b[::3] = b"...."
print(b, b[::-1], list(b[:3]), b[3:-2:2])
b *= 2
print(b, sorted(bytearray(b"cab")), max(bytearray(b"az")), bytearray(b"k").isalpha(), [chr(x) for x in bytearray(b"hi")])
m = memoryview(b"abcdef")
print(m[0], m[1:3].tobytes(), len(m), list(m[::2]), m == b"abcdef", bytes(m[2:]), m.tolist()[:2], m.readonly, m.nbytes, m.itemsize, m.format, m.shape, m.hex())
w = memoryview(bytearray(b"writable"))
w[0] = 87
w[1:3] = b"RI"
print(w.tobytes(), w.readonly, w[-1], 87 in w, bytes(w[::-1]), w[2:4] == b"IT" or w[2:4].tobytes())
try:
    m[0] = 1
except TypeError as e:
    print(e)
