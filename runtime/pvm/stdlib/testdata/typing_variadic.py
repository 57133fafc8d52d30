# Type variables of all kinds and what is substituted for them.
import collections.abc
from typing import *

T, U = TypeVar("T"), TypeVar("U")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


class Box(Generic[T]):
    pass


class Pair(Generic[T, U]):
    pass


class Array(Generic[*Ts]):
    pass


class Mixed(Generic[T, *Ts, U]):
    pass


class Call(Generic[P]):
    pass


class Both(Generic[T, P]):
    pass


CASES = [
    ("a1", lambda: Array[int, str]), ("a2", lambda: Array[()]), ("a3", lambda: Array[*tuple[int, ...]]), ("a4", lambda: Array[*Ts]),
    ("m1", lambda: Mixed[int, str]), ("m2", lambda: Mixed[int, float, bool, str]), ("m3", lambda: Mixed[int]),
    ("m4", lambda: Mixed[*tuple[int, ...]]), ("m5", lambda: Mixed[int, *tuple[str, ...], bool]),
    ("l1", lambda: list[T][int]), ("l2", lambda: list[T][()]), ("l3", lambda: list[T][int, str]), ("l4", lambda: dict[T, U][int, str]),
    ("l5", lambda: dict[T, list[U]][int, str]), ("l6", lambda: tuple[T, ...][int]), ("l7", lambda: tuple[*Ts][int, str]),
    ("l8", lambda: tuple[int, *Ts][()]), ("l9", lambda: tuple[*Ts, T][int, str, bool]), ("l10", lambda: list[*tuple[int]]),
    ("l11", lambda: list[T][*tuple[int]]), ("l12", lambda: list[T][*tuple[int, ...]]), ("l13", lambda: list[int][str]),
    ("u1", lambda: (int | list[T])[str]), ("u2", lambda: (T | None)[int]), ("u3", lambda: Union[T, U][int, str]), ("u4", lambda: Optional[T][int]),
    ("c1", lambda: Callable[[T], U][int, str]), ("c2", lambda: Callable[P, T][[int, str], bool]), ("c3", lambda: Callable[P, T][..., bool]),
    ("c4", lambda: Callable[Concatenate[int, P], T][[str], bool]), ("c5", lambda: Callable[Concatenate[int, P], T][Concatenate[str, P], bool]),
    ("c6", lambda: Callable[[*Ts], T][int, str, bool]), ("c7", lambda: Callable[P, T][int]), ("c8", lambda: Callable[int]),
    ("d1", lambda: collections.abc.Callable[[T], U][int, str]), ("d2", lambda: collections.abc.Callable[P, T][[int, str], bool]),
    ("d3", lambda: collections.abc.Callable[..., T][int]), ("d4", lambda: collections.abc.Callable[int, str]),
    ("d5", lambda: get_args(collections.abc.Callable[[int], str])), ("d6", lambda: isinstance(collections.abc.Callable[[int], str], type(list[int]))),
    ("p1", lambda: Call[int, str]), ("p2", lambda: Call[[int, str]]), ("p3", lambda: Call[...]), ("p4", lambda: Both[int, [str]]), ("p5", lambda: Both[int]),
    ("b1", lambda: Box[T][int]), ("b2", lambda: Box[int][str]), ("b3", lambda: Pair[int, T][str]), ("b4", lambda: Pair[int]), ("b5", lambda: Box[int, str]),
    ("g1", lambda: Generic[T, T]), ("g2", lambda: Generic[int]), ("g3", lambda: Generic[Ts]), ("g4", lambda: List[Generic]), ("g5", lambda: List[ClassVar[int]]),
    ("n1", lambda: Literal[1, 1, True, "a"]), ("n2", lambda: Literal[[], []].__args__), ("n3", lambda: Annotated[T, 1][int]),
    ("n4", lambda: Annotated[ClassVar[int], 1]), ("n5", lambda: Unpack[Tuple[int, str]]), ("n6", lambda: Tuple[*Tuple[int, str]]),
    ("i1", lambda: iter(Union)), ("i3", lambda: list(list[int])), ("i4", lambda: [*tuple[int, str]][0].__unpacked__),
    ("s1", lambda: type("X", (type(Union),), {})), ("s2", lambda: type("X", (TypeVar,), {})), ("s3", lambda: type("X", (type(List[int]),), {})),
    ("f1", lambda: ForwardRef("A") == ForwardRef("A")), ("f2", lambda: get_type_hints(lambda: 0)), ("f3", lambda: get_type_hints(str.join)),
]
for label, f in CASES:
    show(label, f)


@runtime_checkable
class Sized2(Protocol):
    size: int


class Closer(Protocol):
    def close(self): ...


class File:
    size = 3

    def close(self):
        pass


class Base:
    def __init__(self, x=1):
        self.x = x


class Explicit(Closer, Base):
    pass


show("r1", lambda: isinstance(File(), Sized2))
show("r2", lambda: issubclass(File, Sized2))
show("r3", lambda: isinstance(File(), Closer))
show("r4", lambda: Closer())
show("r5", lambda: Explicit(5).x)
show("r6", lambda: isinstance([], collections.abc.Sized))


class Movie(TypedDict, total=False):
    title: Required[str]
    year: int


class Film(Movie):
    year: Required[int]


print(sorted(Movie.__required_keys__), sorted(Movie.__optional_keys__), sorted(Film.__required_keys__), sorted(Film.__optional_keys__))


class Record(NamedTuple, Generic[T]):
    value: T


show("t1", lambda: Record[int](3))
show("t2", lambda: Record[int, str])


class Hints:
    a: "ClassVar[int]" = 1
    b: 'Annotated[int, "x"] | None'
    c: "Callable[[int, str], bool]"
    d: int | list[Annotated[str, "meta"]]


print(get_type_hints(Hints))
print(get_type_hints(Hints, include_extras=True))
