# seek, tell, truncate, append, updating, iteration and sizes.
def show(what, *args):
    try:
        return repr(what(*args))
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


with open("/tmp/t", "w", newline="") as f:
    f.write("one\ntwo\r\nthree\n")
f = open("/tmp/t")
for args in [(3,), (-1,), (1, 1), (0, 1), (1, 2), (0, 2), (0, 5), (0, -1)]:
    print(args, show(f.seek, *args), f.tell())
f.seek(100)
print(f.tell(), repr(f.read()), f.tell())
f = open("/tmp/t", "rb")
for args in [(3,), (-1,), (1, 1), (-9, 1), (-1, 2), (-99, 2), (0, 5), (0, 2), (1, 2), (2**62,), ("x",), (1.5,), (None,)]:
    print(args, show(f.seek, *args), f.tell())
f.seek(100)
print(f.tell(), f.read(), f.tell())

f = open("/tmp/t", newline="")
print(f.tell(), next(f), show(f.tell), f.seek(0), f.tell(), next(f), repr(f.read(1)), show(f.tell), list(f), f.tell(), show(next, f), f.tell())
f = open("/tmp/t", "rb")
print(next(f), f.tell(), next(f), f.tell(), f.readline(), f.read(2), f.read())

with open("/tmp/a", "a+") as f:
    print(f.write("12"), f.tell(), f.seek(0), f.write("34"), f.tell(), f.seek(1), f.read(), f.tell())
with open("/tmp/a", "ab") as f:
    print(f.tell(), f.seek(0), f.write(b"56"), f.flush(), f.tell())
print(open("/tmp/a").read())
with open("/tmp/a", "r+b") as f:
    print(f.read(2), f.write(b"XY"), f.tell(), f.seek(0), f.read(), f.truncate(3), f.tell(), f.seek(0), f.read())
    print(f.truncate(6), f.seek(0), f.read(), f.seek(2), f.truncate(), f.seek(9), f.write(b"!"), f.seek(0), f.read())
with open("/tmp/a", "w+") as f:
    print(f.write("abc"), f.seek(6), f.write("é€"), f.tell(), f.seek(0), repr(f.read()), f.truncate(2), f.tell(), f.seek(0), f.read())
    print(show(f.truncate, -1), show(f.truncate, "x"), f.truncate(0), f.seek(0), repr(f.read()))

with open("/tmp/u", "w") as f:
    print(f.write("é€𝄞x\nü"))
with open("/tmp/u") as f:
    print([(f.read(1), f.tell()) for _ in range(7)])
    print(f.seek(2), f.read(2), f.seek(1), show(f.read))
print(open("/tmp/u", "rb").read())

with open("/tmp/l", "w") as f:
    f.writelines(str(i) + "\n" for i in range(30))
    f.writelines([])
with open("/tmp/l") as f:
    print(f.readlines(5), f.readlines(0) == [], f.tell())
with open("/tmp/l") as f:
    print(f.readlines(1), f.readlines(2), f.readlines(3), f.readlines(4), f.readline(0), f.readline(1), f.readline(-1), f.read(0), f.read(4), len(f.readlines(None)))
with open("/tmp/l", "rb") as f:
    print(f.readlines(1), f.readlines(4), f.readline(None), f.readline(1), f.read(0), f.read1(3), f.read(None)[:3], f.read1(), f.readlines())
with open("/tmp/l", "rb") as f:
    b = bytearray(4)
    print(f.readinto(b), b, f.readinto1(memoryview(b)[1:3]), b, show(f.readinto, b"x"))
    f.seek(-2, 2)
    print(f.readinto(b), b, f.readinto(b))

with open("/tmp/w", "w") as f:
    print(show(f.write, 5), show(f.write, b""), show(f.write), show(f.writelines, 5), show(f.writelines, ["a", 5]), show(f.write, "\ud800"), show(f.write, "é"))
with open("/tmp/w", "wb") as f:
    print(show(f.write, 5), show(f.write, ""), show(f.write, bytearray(b"abc")), show(f.write, memoryview(b"abcd")[::2]), show(f.writelines, [b"a", "b"]), show(f.writelines, "s"))
print(open("/tmp/w", "rb").read())
f = open("/tmp/w", "rb")
print(show(f.read, "a"), show(f.readline, "a"), show(f.readlines, "a"))
f = open("/tmp/l")
print(show(f.read, "a"), show(f.read, 1.5), show(f.readline, None), show(f.readlines, "a"))

with open("/tmp/bad", "wb") as f:
    f.write(b"ab\xff\ncd\n")
print(show(open("/tmp/bad").read), show(open("/tmp/bad").readline), open("/tmp/bad", "rb").read())
with open("/tmp/bad", "wb") as f:
    f.write(b"ab\xe2\x82")
print(show(open("/tmp/bad").read), show(open("/tmp/bad").read, 2))

with open("/tmp/c", "w") as f, open("/tmp/c", "w") as g:
    print(f is g, f == f, f == g, hash(f) == hash(f), bool(f))
try:
    with open("/tmp/c", "w") as f:
        f.write("kept")
        raise KeyError("out")
except KeyError:
    print(f.closed, open("/tmp/c").read())
for name in ["name", "mode", "closed", "newlines", "nope"]:
    print(name, show(getattr, f, name))
for f in (open("/tmp/c"), open("/tmp/c", "rb")):
    print(hasattr(f, "encoding"), hasattr(f, "readinto"), hasattr(f, "read1"), hasattr(f, "readall"), type(f).__module__)
