# bytes.
b = b"hello world"
print(b, len(b), b[0], b[-1], b[1:4], b[::-1], b"lo" in b, 104 in b, 0 in b, list(b[:3]), bytes([1, 2, 255]), bytes(3), bytes(), bytes("é", "utf-8"), bytes(b"x"), bytes(range(5)))
print(b"\x00\t\n\r\\'\"\x7f\x80\xff", b'"', b"'", b"'\"", repr(b"a\x1b"), str(b"x"), b"abc" b"def", rb"\n", b"\101\x42")
print(b.upper(), b.title(), b.capitalize(), b"AbC".swapcase(), b"ABC".lower(), b.find(b"o"), b.find(111), b.rfind(b"o"), b.index(b"w"), b.count(b"l"), b.count(108))
print(b.split(), b.split(b"o"), b.split(b" ", 1), b.rsplit(b"o", 1), b"a\nb\r\nc".splitlines(), b.partition(b" "), b.rpartition(b"o"), b" a  b ".split(None, 1))
print(b.replace(b"l", b"L"), b.replace(b"", b"-"), b.strip(b"hd"), b"  x ".strip(), b"xax".lstrip(b"x"), b"xax".rstrip(b"x"), b.startswith(b"he"), b.endswith((b"x", b"ld")))
print(b", ".join([b"a", bytearray(b"b")]), b"ab" * 3, b"a" + b"b", b"x".center(5, b"*"), b"x".ljust(3) + b"|", b"x".rjust(3, b"."), b"-5".zfill(4), b"a\tb".expandtabs(4))
print(b"abc".isalpha(), b"12".isdigit(), b"a1".isalnum(), b" \t".isspace(), b"ab".islower(), b"AB".isupper(), b"Ab".istitle(), b"\x80".isascii(), b"".isalpha())
print(b.hex(), b"\x01\x02\x03\x04".hex(":"), b"\x01\x02\x03\x04\x05".hex("-", 2), b"\x01\x02\x03\x04\x05".hex("-", -2), bytes.fromhex("01 ff 2a"), b"".hex())
print(b"abc" < b"abd", b"a" == bytearray(b"a"), b"a" == "a", b"ab" < b"abc", hash(b"abc") == hash(b"abc"), {b"k": 1}[b"k"], sorted([b"b", b"a", b""]), max(b"abc"), sum(b"abc"))
print(b"abc".translate(bytes.maketrans(b"ab", b"xy")), b"abc".translate(None, b"b"), b"prefix".removeprefix(b"pre"), b"name.py".removesuffix(b".py"))
for f in (lambda: b"a"[5], lambda: bytes([256]), lambda: bytes([-1]), lambda: bytes("a"), lambda: b"a" + "a", lambda: bytes(-1), lambda: b"a".join(["b"]), lambda: bytes.fromhex("0"), lambda: bytes.fromhex("zz"),
          lambda: b"abc".index(b"z"), lambda: b"abc".find("a"), lambda: b"a" < "a", lambda: b"x" in "x", lambda: "x" in b"x", lambda: b"a".decode("nope"), lambda: bytes(1.5), lambda: b"ab".split(b""), lambda: 256 in b"a"):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
try:
    b[0] = 1
except TypeError as e:
    print(e)
print(b.decode(), b"\xc3\xa9".decode("utf-8"), bytes(5).count(0), bytes.maketrans(b"", b"") == bytes(range(256)), b"%d-%s" % (5, b"x"), tuple(b"ab"), [x for x in b"\x01\x02"])
class I:
    def __index__(self): return 4
class B:
    def __bytes__(self): return b"from B"
print(bytes(I()), bytes(B()), b"abcdef"[I()], bytes([I()]), bytes((1, 2)), bytes(x for x in range(3)), bytes(memoryview(b"mv")), b"a".__contains__(97), b"abc".__len__())
