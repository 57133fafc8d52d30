import typing
from typing import *
import collections.abc


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V", covariant=True)
C = TypeVar("C", contravariant=True)
N = TypeVar("N", int, str)
B = TypeVar("B", bound=int)
print(T, V, C, N.__constraints__, B.__bound__, T.__name__)
show("bivariant", lambda: TypeVar("X", covariant=True, contravariant=True))
show("one constraint", lambda: TypeVar("X", int))
show("bound and constraint", lambda: TypeVar("X", int, str, bound=int))
print(Any, Union, Optional, List, Dict, Tuple, Callable, ClassVar, Final, Literal, NoReturn, Never, Self, LiteralString, Type, Iterable)
print(List[int], Dict[str, int], Tuple[int, str], Tuple[int, ...], Tuple[()], Set[str], FrozenSet[int], Type[int], Deque[int], DefaultDict[str, list])
print(Union[int, str], Union[int], Union[int, int], Union[int, Union[str, float]], Optional[int], Optional[None], Union[int, None, str], Optional[Union[int, str]])
print(Callable[[int, str], bool], Callable[..., int], Callable[[], None], Callable[[T], T], List[Callable[[int], str]])
print(Literal[1, "a", None], Literal[Literal[1], 2], Literal[1, 1], Literal[True, 1], Annotated[int, "x", 5], Annotated[Annotated[int, 1], 2])
print(ClassVar[int], Final[str], Generator[int, str, None], Mapping[str, List[int]], Iterable[Optional[int]], Iterator[T], Awaitable[int])
print(List["Foo"], Optional["Foo"], Dict[str, "Foo"], ForwardRef("X"), List[None], Any)
print(int | None, Optional[int] == Union[int, None], Union[int, str] == Union[str, int], List[int] == List[int], hash(List[int]) == hash(List[int]), List[int] == list[int], Literal[1] == Literal[1], Literal[1] == Literal[True])
print(List[int] | None, T | int, Union[int, str] | float, "X" | T if False else "", List[T] | Dict[str, T], Any | None if False else "")
print(List[T][int], Dict[K, T][str, int], Dict[str, T][int], Callable[[T, K], T][int, str], Union[T, K][int, str], Union[T, int][int], Optional[T][str], Tuple[T, ...][int], List[List[T]][int], Annotated[List[T], 1][int])
print(List[T].__parameters__, Dict[K, T].__parameters__, List[int].__args__, Callable[[int], str].__args__, Union[int, str].__args__, List[int].__origin__, List.__origin__, Optional[int].__origin__ is Union)
show("too many", lambda: List[int, str])
show("too few", lambda: Dict[int])
show("not generic", lambda: List[int][str])
show("plain", lambda: List[Union])
show("plain 2", lambda: List[ClassVar])
show("list arg", lambda: List[(int, 1)])
show("union none", lambda: Union[()])
show("optional two", lambda: Optional[int, str])
show("callable", lambda: Callable[int])
show("callable 2", lambda: Callable[int, str])
show("call List", lambda: List())
show("call Union", lambda: Union())
show("isinstance", lambda: isinstance([], List))
show("isinstance 2", lambda: isinstance([], List[int]))
show("isinstance 3", lambda: isinstance(1, Union[int, str]))
show("isinstance 4", lambda: isinstance(1, Optional[str]))
show("isinstance any", lambda: isinstance(1, Any))
show("isinstance mapping", lambda: isinstance({}, Mapping))
show("issubclass", lambda: issubclass(list, Sequence))
show("issubclass 2", lambda: issubclass(bool, Union[int, str]))
show("subclass Union", lambda: type("X", (Union,), {}) if False else (lambda: None)())
show("instantiate any", lambda: Any())
print(get_origin(List[int]), get_origin(Union[int, str]), get_origin(int | str), get_origin(list[int]), get_origin(int), get_origin(Callable[[int], str]), get_origin(Literal[1]), get_origin(Annotated[int, 1]), get_origin(Generic), get_origin(List), get_origin(ClassVar[int]))
print(get_args(List[int]), get_args(Union[int, str]), get_args(int | str), get_args(Callable[[int, str], bool]), get_args(Callable[..., int]), get_args(Annotated[int, "x"]), get_args(int), get_args(Dict[str, T]), get_args(Literal[1, "a"]), get_args(collections.abc.Callable[[int], str]), get_args(Callable[[], int]))


class Box(Generic[T]):
    def __init__(self, item: T):
        self.item = item

    def get(self) -> T:
        return self.item


b = Box[int](5)
print(Box, Box[int], b.get(), b.__orig_class__, Box.__parameters__, Box[int].__args__, Box[T][str], isinstance(b, Box), Box(3).item, Box[int] == Box[int], Box[int].__origin__ is Box)
show("box too many", lambda: Box[int, str])
show("box twice", lambda: Box[int][str])


class Pair(Generic[K, V]):
    pass


class IntPair(Pair[int, V]):
    pass


class Both(Box[K], Pair[K, T]):
    pass


print(Pair[int, str], IntPair.__parameters__, IntPair[str], Pair.__orig_bases__, IntPair.__orig_bases__, Both.__parameters__, Both[int, str], [c.__name__ for c in IntPair.__mro__])
show("plain generic", lambda: type("X", (Generic,), {}))
show("generic int", lambda: Generic[int])
show("generic dup", lambda: Generic[T, T])


class MyList(List[int]):
    pass


class MyMap(Mapping[str, T]):
    def __getitem__(self, k):
        return 1

    def __iter__(self):
        return iter("a")

    def __len__(self):
        return 1


print(MyList([1, 2]), isinstance(MyList(), list), MyList.__orig_bases__, MyList.__mro__[1], dict(MyMap()), MyMap[int], MyMap.__parameters__, [c.__name__ for c in MyMap.__mro__])


class Point(NamedTuple):
    """A point."""
    x: int
    y: int = 0

    def norm(self):
        return self.x + self.y

    @property
    def double(self):
        return self.x * 2


p = Point(3)
print(p, p.norm(), p.double, Point._fields, Point._field_defaults, Point.__annotations__, p._replace(y=9), Point.__doc__, Point.__name__, isinstance(p, tuple), Point.__bases__)
Emp = NamedTuple("Emp", [("name", str), ("id", int)])
print(Emp("a", 1), Emp.__annotations__, Emp._fields)


def bad_nt():
    class Bad(NamedTuple):
        x: int = 1
        y: int


show("nt default", bad_nt)


def bad_nt2():
    class Bad(NamedTuple):
        x: int
        _make = 5


show("nt overwrite", bad_nt2)
show("nt missing", lambda: Point())


class GN(NamedTuple, Generic[T]):
    item: T


print(GN(5), GN[int], GN.__parameters__)


class Movie(TypedDict):
    name: str
    year: int


class Movie2(Movie, total=False):
    rating: float
    extra: Required[int]


m = Movie(name="x", year=1)
print(m, type(m), Movie.__annotations__, sorted(Movie.__required_keys__), sorted(Movie2.__optional_keys__), sorted(Movie2.__required_keys__), Movie.__total__, Movie2.__total__, is_typeddict(Movie), is_typeddict(dict))
TD = TypedDict("TD", {"a": int, "b": NotRequired[str]})
print(TD.__annotations__, sorted(TD.__required_keys__), TD(a=1))
show("td isinstance", lambda: isinstance({}, Movie))
UserId = NewType("UserId", int)
print(UserId(5), UserId, UserId.__name__, UserId.__supertype__, List[UserId], UserId | None)


@runtime_checkable
class Quacks(Protocol):
    def quack(self) -> str: ...


class NotChecked(Protocol):
    x: int


class Duck:
    def quack(self):
        return "quack"


class Explicit(Quacks):
    def quack(self):
        return "explicit"


print(isinstance(Duck(), Quacks), isinstance(5, Quacks), issubclass(Duck, Quacks), isinstance(Explicit(), Quacks), Explicit().quack())
show("protocol instance", lambda: Quacks())
show("not runtime", lambda: isinstance(5, NotChecked))
show("runtime on class", lambda: runtime_checkable(Duck))
print(isinstance(5, SupportsInt), isinstance("a", SupportsInt), isinstance(5, SupportsIndex), isinstance(1.5, SupportsAbs), isinstance([], SupportsRound), isinstance(b"", SupportsBytes))


@runtime_checkable
class HasX(Protocol):
    x: int


class X1:
    x = 5


print(isinstance(X1(), HasX), isinstance(5, HasX))
show("data protocol", lambda: issubclass(X1, HasX))


class GP(Protocol[T]):
    def get(self) -> T: ...


print(GP[int], GP.__parameters__)
print(cast(int, "a"), cast("List[int]", 5), TYPE_CHECKING, Text is str, AnyStr)


@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return x


print(f(3), len(get_overloads(f)))
show("overload", lambda: get_overloads(f)[0].__name__)


@final
class Fin:
    pass


print(Fin.__final__)


def hinted(a: int, b: "str", c: Optional["int"] = None, *args: List["Box"], d: "list[int]" = None, **kw: "Dict[str, Any]") -> "Optional[Box[int]]":
    pass


print(get_type_hints(hinted))


class Hinted:
    a: int
    b: "Hinted"
    c: ClassVar[int] = 5
    d: Annotated["int", "meta"]
    e: "int | None"
    f: "Callable[[int, str], bool]"
    g: "Literal['a', 1]"
    h: "Tuple[int, ...]"
    i: "collections.abc.Sequence[int]"


class Sub(Hinted):
    z: "Union[int, str]"


print({k: str(v) for k, v in get_type_hints(Hinted).items()})
print(get_type_hints(Hinted, include_extras=True)["d"], list(get_type_hints(Sub)), get_type_hints(Sub)["z"])
show("hints name", lambda: get_type_hints(type("Q", (), {"__annotations__": {"x": "Missing"}})))
show("hints none", lambda: get_type_hints(lambda: None))
show("hints 5", lambda: get_type_hints(5))


@no_type_check
def nt(x: "whatever"):
    pass


print(get_type_hints(nt))
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")
print(P, Ts, Callable[P, int], Callable[Concatenate[int, P], str], P.args, P.kwargs, Unpack[Ts], Tuple[Unpack[Ts]], Callable[P, T][[int, str], bool], Tuple[Unpack[Ts]][int, str])


class Z(Generic[T, P]):
    pass


class Arr(Generic[Unpack[Ts]]):
    pass


print(Z[int, [str, bool]], Z[int, ...], Arr[int, str], Arr[()], Arr.__parameters__)
show("assert_never", lambda: assert_never(5))
print(assert_type(5, int), TypeGuard[int], Required[int], NotRequired[int], TypeAlias, Concatenate)
print(List.__name__, List[int].__name__, Callable.__name__, Union.__name__ if hasattr(Union, "__name__") else "", Optional._name)
print(list[int], dict[str, list[int]], list[T][int], list[T].__parameters__, tuple[int, ...], type[int], collections.abc.Mapping[str, int])
print(sorted(typing.__all__) == sorted(set(typing.__all__)), len(typing.__all__))
print(ContextManager, Pattern, Match[str], IO, TextIO, BinaryIO, Counter[str], ChainMap[int, str], typing.OrderedDict[int, str], AbstractSet[int], KeysView[int], ByteString, Hashable, Sized, Coroutine[int, str, bool], AsyncIterator[int])
match Point(1, 2):
    case Point(x, y):
        print("matched", x, y)
