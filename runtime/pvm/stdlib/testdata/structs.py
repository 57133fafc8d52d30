import struct
from struct import *


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


for f in "bBhHiIlLqQ":
    for p in ("", "<", ">", "@", "=", "!"):
        for v in (-1 << 70, -(1 << 63) - 1, -(1 << 63), -40000, -300, -1, 0, 127, 128, 300, 70000, 1 << 40, 1 << 63, (1 << 64) - 1, 1 << 64):
            show(f"{p}{f} {v}", lambda: pack(p + f, v))
for f in "nNP":
    for v in (-1, 5, 1 << 64):
        show(f"{f} {v}", lambda: pack(f, v))
    show(f"<{f}", lambda: pack("<" + f, 1))
for f, v in (("i", 1.5), ("i", "x"), ("i", True), ("c", 1), ("c", b"ab"), ("c", b"a"), ("s", 1), ("3s", b"abcdef"), ("5s", b"ab"), ("0s", b"abc"),
             ("s", bytearray(b"xy")), ("p", "a"), ("5p", b"abcdefg"), ("1p", b"x"), ("0p", b"xx"), ("300p", b"z" * 280), ("?", []), ("?", [0]),
             ("f", 1.5), ("f", 1e300), ("<f", 1e300), (">f", -1.1), ("e", 1e6), ("<e", 65519.9), ("<e", 65520.0), (">e", 1.1), ("d", 0.1), (">d", -0.0),
             ("d", None), ("f", "a"), ("d", 3), ("f", 1 << 200), ("z", 1), ("3", 1), ("2h", 1), ("", 1)):
    show(f"{f} {v!r}", lambda: pack(f, v))
show("none", lambda: pack("h"))
show("noargs", lambda: pack())
show("long", lambda: pack("99999999999999999999h"))
show("mixed", lambda: pack("<bhiq3s?", 1, 2, 3, 4, b"abc", True))
show("native", lambda: pack("bhiq3s?", 1, 2, 3, 4, b"abc", True))
show("pads", lambda: pack("2xb3x", 7))
show("spaces", lambda: pack(" h  h ", 1, 2))
show("bytes format", lambda: pack(b"<h", 1))
for f in ("", "b", "bq", "q0b", "b0q", "2x3s p", "c0i", "<bq", "@bh", "=bh", "10s", "3h2i"):
    print("calcsize", repr(f), calcsize(f))
show("calcsize é", lambda: calcsize("é"))
show("calcsize 5", lambda: calcsize(5))
show("calcsize nul", lambda: calcsize("h\0"))
data = bytes(range(200, 232))
for f in ("<bBhHiIq", ">bBhHiIq", "<4h4H", ">Q", "<q", "3s5p", "c?c", "<d", ">d", "<f", "<e", "<3e", "0s", "8x", "<2xh"):
    n = calcsize(f)
    show(f"unpack {f}", lambda: unpack(f, data[:n]))
show("unpack short", lambda: unpack("h", b"a"))
show("unpack str", lambda: unpack("h", "ab"))
show("unpack mv", lambda: unpack("<h", memoryview(b"ab")))
show("unpack nan", lambda: unpack("<d", b"\x01\x02\x03\x04\x05\x06\xf8\x7f"))
show("unpack snan", lambda: unpack(">f", b"\x7f\x80\x00\x01"))
for args in (("h", b"abc", 2), ("h", b"abc", -1), ("h", b"abc", -5), ("h", b"abc", 5), ("<h", b"abc", 1), ("<h", b"abc", -2), ("<h", b"ab")):
    show(f"unpack_from {args}", lambda: unpack_from(*args))
show("unpack_from kw", lambda: unpack_from("<h", buffer=b"abcd", offset=2))
for args in (("<h", bytearray(3), 1, 258), ("h", bytearray(3), 2, 1), ("h", bytearray(3), -1, 1), ("h", bytearray(3), -9, 1), ("h", b"abc", 0, 1),
             ("h", bytearray(3), 0), ("h", bytearray(3), 0, 1, 2), ("h", bytearray(3)), ("<h", bytearray(4), -3, 1)):
    show(f"pack_into {args}", lambda: (pack_into(*args), args[1]))
show("iter", lambda: list(iter_unpack("<hb", b"abcdef")))
show("iter bad", lambda: list(iter_unpack("h", b"abc")))
show("iter 0", lambda: list(iter_unpack("", b"abc")))
show("iter type", lambda: list(iter_unpack("h", 5)))
s = Struct("<hh")
print(s.format, s.size, s.pack(1, 2), s.unpack(b"abcd"), s.unpack_from(b"xabcd", 1), list(s.iter_unpack(b"abcdefgh")))
b = bytearray(6)
s.pack_into(b, 2, 1, -1)
print(b)
show("Struct args", lambda: s.pack(1))
show("Struct none", lambda: Struct())
show("Struct 5", lambda: Struct(5))
print(issubclass(struct.error, Exception), struct.error.__name__, struct.error.__module__)


class Sub(Struct):
    def __init__(self):
        super().__init__(">h")


print(Sub().pack(1))
