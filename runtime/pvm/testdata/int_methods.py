# Conversions and methods of int.
for s in ("0", "  42 ", "-17", "+5", "1_000", "0x1f", "0b101", "0o17", "007", "１２"):
    for base in (10, 0, 16, 2, 36):
        try:
            print(repr(s), base, int(s, base))
        except ValueError as e:
            print(repr(s), base, e)
print(int(), int(3.99), int(-3.99), int(True), int(b"12"), int(bytearray(b"7"), 8), int("z", 36))
print(bin(10), bin(-10), oct(8), oct(-8), hex(255), hex(-255), hex(2**70))
print((1024).bit_length(), (0).bit_length(), (-1).bit_length(), (255).bit_count(), (-255).bit_count(), (2**100 - 1).bit_count())
print((258).to_bytes(2, "big"), (258).to_bytes(4, "little"), (-2).to_bytes(2, "big", signed=True), (0).to_bytes(0, "big"), (5).to_bytes())
print(int.from_bytes(b"\x01\x02", "big"), int.from_bytes(b"\x01\x02", "little"), int.from_bytes(b"\xff\xfe", "big", signed=True),
      int.from_bytes([1, 0], "big"), int.from_bytes(b"", "big"))
for f in (lambda: (256).to_bytes(1, "big"), lambda: (-1).to_bytes(1, "big"), lambda: (1).to_bytes(1, "middle"), lambda: (1).to_bytes(-1, "big")):
    try:
        print(f())
    except (OverflowError, ValueError) as e:
        print(type(e).__name__, e)
print((7).numerator, (7).denominator, (7).real, (7).imag, (7).conjugate(), (7).as_integer_ratio(), True.numerator)
print(round(12345, -2), round(12350, -2), round(12450, -2), round(-15, -1), round(25, -1), round(5), round(5, 3))
print(int.__add__(2, 3), (2).__add__("x"), (2).__radd__(3), (7).__divmod__(3), (7).__rpow__(2), (2).__eq__(2.0), (2).__lt__(3))
print(hash(0), hash(1), hash(-1), hash(-2), hash(2**61 - 1), hash(2**61), hash(-2**61), hash(10**20), hash(True))
print(isinstance(True, int), issubclass(bool, int), type(True + 1), type(+True), True + True, True * 5)
print(repr(10**40), str(-10**25), f"{10**20:,}", f"{-1234567:_}", f"{255:#x} {255:#o} {255:#b} {255:X}")
print(divmod(10**30, 7**15), divmod(-10**30, 7**15), (10**30) // (-7**15), (10**30) % (-7**15))
class Index:
    def __index__(self): return 3
class Trunc:
    def __int__(self): return 8
print(int(Index()), int(Trunc()), [0, 1, 2, 3][Index()], range(Index()), 1 << 2, "ab" * Index(), hex(Index()))
class MyInt(int):
    def __repr__(self): return "MyInt(%d)" % int(self)
    def __add__(self, other): return MyInt(int(self) + int(other))
m = MyInt(5)
print(m, m + 1, 1 + m, m * 2, type(m * 2), [m], m == 5, hash(m) == hash(5), {5: "five"}[m], isinstance(m, int))
print(MyInt("12"), MyInt(3.7), MyInt(), m.bit_length(), -m, type(-m), m.real)
print(max(3, 1, 2), min([4, 2, 8]), sum([1, 2, 3], 10), abs(-5), divmod(17, 5), pow(2, 5))
