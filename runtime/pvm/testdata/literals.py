# Literals of every kind.
print(0, 00, 1_000_000, 0xFF, 0Xab_cd, 0o17, 0O7_7, 0b1010, 0B1_1, 10**0, 0xFFFFFFFFFFFFFFFFFFFF, 123456789012345678901234567890)
print(1.0, 1., .5, 1e3, 1E-3, 1_0.5_0e1_0, 0.1e-5, 1e308, 1e309, 5e-324, 0e0, 00.5, 1_000.25)
print("a" 'b' """c""" '''d''', 'it\'s', "q\"q", 'a\
b', "tab\tnl\\n", r"raw\n\t\\", R'\'', "\x41\101\u0041\U00000041\N{LATIN CAPITAL LETTER A}", "\0\1\12\123\1234"[-1:], "\a\b\f\v\r" == "\x07\x08\x0c\x0b\x0d", "\q\8" if "\q" == "\\q" else "")
print(b"bytes\x00\xff\n", rb"\x00", b'a' b"b", Rb"\d", bR'\q', B"x", b"\101\0")
print(u"unicode", U"x", f"{1}" "{2}" F'{3}', rf"\{4}", fR"{5}\n", """multi
  line \
joined
""", '''"""''', "'" '"', """a"b""c""")
print([], [1], [1, ], [1, [2, [3]]], (), (1,), (1, 2), 1, (1), ((1)), {}, {1: 2}, {1: 2, }, {1}, {1, }, [*[1], *(2,)], {**{}, 3: 4}, {*()} == set())
print(None, True, False, ..., Ellipsis is ..., NotImplemented, __debug__, __name__)
x = (
    1 +
    2
)
y = [
    1,
    2,  # comment
    3,
]
z = 1 + \
    2
if x == 3 and \
   y:
    print(x, y, z)
a = 1; b = 2; print(a, b)
if a: print("one line"); print("if")
for i in range(2): print(i, end=" "); print(i * 2)
while a: a -= 1; continue
class C: x = 1; y = 2
def f(): return 1; return 2
print(C.x, C.y, f())
lam = lambda: (
    1,
    2,
)
print(lam(), (lambda x, *y, z=1, **k: (x, y, z, k))(1, 2, z=3, w=4), -1 ** 2, (-1) ** 2, +-+1, ~-1, not not 1, - - 1, 2 ** -1)
éè = "unicode name"
_, __, _x, x1, X = range(5)
print(éè, _, __, _x, x1, X)
print("😀" "é", len("😀é\u0301"), "\ud800" == chr(0xD800), "\N{DIGIT ONE}\N{GREEK SMALL LETTER ALPHA}\N{HANGUL SYLLABLE GA}\N{CJK UNIFIED IDEOGRAPH-4E00}\N{nbsp}")
print(1if True else 2, [1for _ in range(1)], 1or 2, 1.5if 1else 2)
if True:
	print("tab indent")
if True:
        print("wide indent")
        if True:
         print("one more")
def doc():
    'doc'
    ...
print(doc.__doc__, doc())
print(0.1 + 0.2 == 0.3, 1e16 == 1e16 + 1, 0x10 == 16 == 0o20 == 0b10000, "a" "b" == "ab", "" == '', b"" == b'', 1_0 == 10, 1e1 == 10, "\x61" == "a", 'a'"b"'''c''')
print({"k": 1}["k"], [1, 2][0], (1, 2)[1], "abc"[1], b"abc"[1], {1, 2} == {2, 1}, [1, 2,
3], {"a":
1}, (yield_ := 5))
# final comment without newline