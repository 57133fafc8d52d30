# struct, math, decimal, typing, hashlib: the everyday uses.
import struct, math, hashlib, typing
from decimal import Decimal, ROUND_HALF_UP, InvalidOperation, DivisionByZero, getcontext
print(struct.pack("<IhB", 1, -2, 255), struct.unpack("<IhB", b"\x01\0\0\0\xfe\xff\xff"), struct.calcsize(">Qd3s"), struct.pack(">d", 1.5), struct.unpack(">f", b"\x3f\x80\0\0"), struct.pack("5s?x", b"ab", True), struct.pack("!3H", 1, 2, 3), list(struct.iter_unpack("<H", b"\1\0\2\0")), struct.Struct("<i").pack(-1), struct.unpack_from("<H", b"xx\1\0", 2))
for f in (lambda: struct.pack("B", 256), lambda: struct.pack("<H", -1), lambda: struct.unpack("I", b"abc"), lambda: struct.pack("z", 1), lambda: struct.pack("I"), lambda: struct.pack("i", "x"), lambda: struct.pack("b", 1.5)):
    try:
        print(f())
    except struct.error as e:
        print(e)
print(math.pi, math.e, math.tau, math.inf, math.nan, math.sqrt(2), math.isqrt(10**20), math.gcd(12, 18, 30), math.lcm(4, 6), math.factorial(20), math.comb(10, 3), math.perm(5, 2), math.prod([1, 2, 3, 4]), math.floor(-1.5), math.ceil(1.2), math.trunc(-1.9))
print(math.hypot(3, 4), math.dist((0, 0), (3, 4)), math.fsum([0.1] * 10), math.copysign(1, -0.0), math.fmod(-7, 3), math.remainder(7, 2), math.modf(2.5), math.frexp(8.0), math.ldexp(0.5, 4), math.isclose(0.1 + 0.2, 0.3), math.isnan(math.nan), math.isinf(-math.inf), math.isfinite(1), math.fabs(-2), math.degrees(math.pi), math.radians(180), math.ulp(1.0), math.nextafter(1.0, 2))
print([round(f(0.5), 12) for f in (math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh, math.tanh, math.asinh, math.atanh, math.exp, math.expm1, math.log1p, math.erf, math.erfc, math.gamma, math.lgamma, math.exp2)], math.log(8, 2), math.log2(8), math.log10(1000), math.log(math.e), math.pow(2, 0.5), math.atan2(1, -1))
for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.acos(2), lambda: math.exp(1000), lambda: math.floor(math.inf), lambda: math.gcd(1.5), lambda: math.sqrt("x"), lambda: math.comb(-1, 2), lambda: math.pow(0, -1)):
    try:
        print(f())
    except (ValueError, OverflowError, TypeError) as e:
        print(type(e).__name__, e)
D = Decimal
print(D("1.10") + D("2.2"), D(1) / D(3), D("0.1") * 3, D(10) ** 20, D("-7") // 2, D("-7") % 2, D("1e5"), D("1.50").normalize(), D("123.456").quantize(D("0.01")), D("2.675").quantize(D("0.01"), rounding=ROUND_HALF_UP), D("2.5").to_integral_value(), round(D("2.5")), round(D("1.2345"), 2), D(2).sqrt(), abs(D("-1")), -D(1), D("1.0") == 1, D("1") < D("1.5"), hash(D(5)) == hash(5), max(D(1), D(2)), sum([D("0.1")] * 10), int(D("3.9")), float(D("1.5")), str(D("1E+3")), repr(D("0.00")), D("NaN"), D("Infinity"), D(5).as_tuple(), D("1.23").scaleb(2), D("3.14").as_integer_ratio(), D(0.5), f"{D('1234.5'):,.2f}", D("1.1").compare(D("1.2")), getcontext().prec)
for f in (lambda: D("x"), lambda: D(1) / 0, lambda: D(0) / 0, lambda: D(1) + 1.5, lambda: D("1e400") * 1, lambda: D("NaN") < 1, lambda: D(-1).sqrt()):
    try:
        print(f())
    except (ArithmeticError, TypeError) as e:
        print(type(e).__name__)
for name, data in (("sha256", b""), ("sha256", b"abc"), ("sha1", b"abc"), ("md5", b"abc"), ("sha512", b"abc"), ("sha3_256", b"abc"), ("sha224", b"a" * 200), ("blake2b", b"abc"), ("blake2s", b"abc")):
    try:
        h = getattr(hashlib, name)(data)
        print(name, h.hexdigest()[:32], h.digest_size, h.block_size, h.name)
    except AttributeError:
        print(name, "absent")
h = hashlib.sha256(); h.update(b"ab"); c = h.copy(); h.update(b"c")
print(h.hexdigest() == hashlib.sha256(b"abc").hexdigest(), c.digest() == hashlib.sha256(b"ab").digest(), hashlib.new("sha256", b"x").hexdigest()[:8], len(hashlib.sha256(b"").digest()))
try:
    hashlib.sha256("text")
except TypeError as e:
    print(e)
from typing import List, Dict, Optional, Union, Any, TypeVar, Generic, NamedTuple, TypedDict, Protocol, Callable, Literal, get_type_hints, cast, overload, Final, Annotated, runtime_checkable, get_origin, get_args, TYPE_CHECKING, NewType, Tuple, Iterator
T = TypeVar("T")
print(List[int], Dict[str, List[int]], Optional[int], Union[int, str, None], Union[int, int], Callable[[int], str], Literal["a", 1], Tuple[int, ...], Any, T, list[int], dict[str, int], int | None, Annotated[int, "m"], get_origin(List[int]), get_args(Dict[str, int]), Optional[int] == Union[int, None], TYPE_CHECKING)
class Stack(Generic[T]):
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, x: T) -> None: self.items.append(x)
s = Stack[int](); s.push(1)
class NT(NamedTuple):
    a: int
    b: str = "x"
    def both(self): return self.a, self.b
class TD(TypedDict, total=False): k: int
@runtime_checkable
class HasLen(Protocol):
    def __len__(self) -> int: ...
def hints(a: int, b: "Optional[str]" = None, *c: float) -> List[int]: ...
U = NewType("U", int)
print(s.items, Stack[str], NT(1), NT(1, "q").both(), NT._fields, TD(k=1), isinstance([], HasLen), isinstance(5, HasLen), get_type_hints(hints), cast(int, "not checked"), U(5), NT.__annotations__, Stack.__parameters__, issubclass(Stack, Generic))
