package pvm_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/interp"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/testkit/heap"
)

// ran returns a machine that ran a program's top level on a meter of so many cycles, or how that ended.
func ran(p *pvm.Program, cycles uint64) (*object.Machine, *object.Exception) {
	m := blank(cycles, new(object.Stack))
	mod := m.NewModule("__main__")
	m.Modules["__main__"] = mod
	return m, interp.RunModule(m, object.NewImage(p.Unit(), mod))
}

func blank(cycles uint64, s *object.Stack) *object.Machine {
	m := pvm.New(pvm.Config{Meter: pvm.NewMeter(cycles, 10)}).Inner()
	m.UseStack(s)
	return m
}

// templated holds a machine that starts from a template to one that runs the top level. It is false if the program makes no template.
func templated(t *testing.T, p *pvm.Program) bool {
	t.Helper()
	plain, e := ran(p, 1<<40)
	if e != nil {
		return false
	}
	cost := plain.Meter().Used()
	pattern, e := ran(p, cost)
	if e != nil {
		t.Fatalf("the top level costs %d cycles and does not run with that", cost)
	}
	template := object.NewTemplate(pattern, nil)
	if template == nil {
		return false
	}
	stack := new(object.Stack)
	for range 3 { // the second and third in the place of the one before
		m := blank(cost+7, stack)
		if _, ok := template.Start(m); !ok {
			t.Fatal("not started")
		}
		if m.Meter().Used() != 0 || m.Heap() != plain.Heap() || m.Peak() != plain.Peak() {
			t.Errorf("%d cycles, %d and %d bytes; want none, %d and %d", m.Meter().Used(), m.Heap(), m.Peak(), plain.Heap(), plain.Peak())
		}
		if err := heap.Same(plain, m); err != nil {
			t.Fatalf("not the same: %v", err)
		}
		if err := heap.Apart(pattern, m); err != nil {
			t.Fatalf("not apart: %v", err)
		}
		m.Release()
	}
	return true
}

// TestTemplateCorpus: a machine that starts from a template holds exactly what one holds that ran the top level, identities, capacities and
// versions included, at the same price, and shares nothing with the template that can be written.
//
// Spec: CIP-3 §2.2.1; CIP-3 §2.2.
func TestTemplateCorpus(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/*.py", "stdlib/testdata/*.py"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	made := 0
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := pvm.CompileFile("__main__", path, source)
		if err != nil {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			if templated(t, p) {
				made++
			}
		})
	}
	if t.Logf("%d of %d programs", made, len(files)); made < 25 {
		t.Errorf("only %d programs make a template", made)
	}
}

// templatePrograms hold everything a template can hold, in every way the library makes it.
var templatePrograms = map[string]string{
	"plain": `
A, B, C = 1, 2**80, -2**70
D, E, F = 1.5, 2+3j, True
TEXT = "x" * 40 + str(A)
LONG = "".join(["a"] * 200) + "b"
LONGER = LONG + "c" * 300
MORE = LONGER + "d"
WIDE = "äöü" + str(A)
RAW, ARRAY = bytes([1, 2, 3]), bytearray(b"abc")
PAIR, DEEP = (1, [2, (3, {})]), ((), ((1,),))
LIST, EMPTY = [1, "a", None, ...], []
TABLE = {"a": 1, 2: "b", (1, 2): [3], None: {}}
for i in range(40):
    TABLE[i] = str(i)
for i in range(0, 40, 3):
    del TABLE[i]
SET, FROZEN = {1, "a", (2,)}, frozenset({3, "c"})
RANGE, WIDER, SLICE = range(10), range(2**70), slice(1, None, 2)
SAME = LIST
LIST.append(TABLE)
IDS = {id(LIST): 1, hash(object): 2}
THING = object()
IDENTITY = id(THING)
VIEW = type(int.__dict__)(TABLE)
BOUND, OPERATOR = LIST.append, (5).__add__
`,
	"functions": `
import functools
def plain(a, b=[1, 2], *args, c={}, **kw): "doc"
plain.mark = [1]
plain.__annotations__["x"] = 3
plain.__kwdefaults__["c"] = {"y": 1}
def outer(n):
    seen = []
    def inner(x):
        nonlocal n
        n += 1
        seen.append(x)
        return outer, seen, n
    return inner
one, two = outer(1), outer(2)
one(5)
square = lambda x: x * x
part = functools.partial(plain, [1], c=2)
part.note = "n"
@functools.lru_cache(maxsize=4)
def slow(n):
    return [n]
for i in (1, 2, 3, 4, 5, 2):
    slow(i)
@functools.cache
def forever(a, *, b=1): return (a, b)
forever(1), forever(1, b=2)
key = functools.cmp_to_key(lambda a, b: a - b)
class Cached:
    @functools.cached_property
    def value(self): return []
kept = Cached()
kept.value
@functools.singledispatch
def shape(x): return "any"
@shape.register
def _(x: int): return "int"
shape(1)
`,
	"classes": `
class Base:
    count = []
    def __init__(self, x): self.x = x
    @property
    def double(self): return self.x * 2
    @double.setter
    def double(self, v): self.x = v
    @staticmethod
    def made(): return Base(1)
    @classmethod
    def also(cls): return cls(2)
    def __eq__(self, other): return isinstance(other, Base) and self.x == other.x
    def __hash__(self): return hash(self.x)
class Left(Base):
    def up(self): return super().__init__(3)
class Right(Base): pass
class Both(Left, Right):
    class Inner: names = {}
class Slotted:
    __slots__ = ("a", "b")
class Meta(type):
    made = []
    def __new__(mcs, name, bases, ns):
        cls = super().__new__(mcs, name, bases, ns)
        mcs.made.append(cls)
        return cls
class WithMeta(metaclass=Meta): pass
WithMeta.extra = WithMeta
class Words(str): pass
class Numbers(int): pass
class Fraction(float): pass
class Many(list): pass
class Table(dict):
    def __missing__(self, key): return key
class Group(set): pass
class Three(tuple): pass
class Data(bytes): pass
class Trouble(Exception): pass
things = [Base(1), Left(2), Both(3), Slotted(), WithMeta(), Words("word"), Numbers(2**70), Fraction(1.5),
    Many([1]), Table(a=1), Group("ab"), Three((1, 2)), Data(b"x")]
things[3].a = things
things[0].later = things[1]
del things[1].x
things[2].__dict__["y"] = 1
things[5].note = "n"
for i in range(70): setattr(things[4], "a%d" % i, i)
identities = [id(x) for x in things] + [hash(things[3])]
class Descriptor:
    def __set_name__(self, owner, name): self.owner, self.name = owner, name
    def __get__(self, obj, owner=None): return self
class Described: field = Descriptor()
Described.__name__ = "Renamed"
Base.__bases__
Alias = list[int] | dict[str, Base]
`,
	"library": `
import collections, collections.abc, dataclasses, enum, abc, typing, re, struct, decimal, json, hashlib, math, itertools
from collections import deque, namedtuple, defaultdict, OrderedDict, Counter, ChainMap, UserDict
from dataclasses import dataclass, field
from typing import Optional, List, NamedTuple, Protocol, TypedDict, Generic, TypeVar, NewType, Literal
@dataclass(order=True)
class Order:
    price: int
    tags: list = field(default_factory=list)
    name: str = "n"
    limit: dataclasses.InitVar[int] = 0
    def __post_init__(self, limit): self.tags.append(limit)
@dataclass(frozen=True)
class Key:
    a: int
    b: tuple = ()
@dataclass(slots=True, kw_only=True)
class Slim: a: int = 1
book = [Order(1), Order(2, [1], "m", 3), Key(1), Slim()]
repr(book), book[0] < book[1], {book[2]: book}
class Color(enum.Enum):
    RED = 1
    BLUE = [2]
class Level(enum.IntEnum): LOW, HIGH = 1, 2
class Bits(enum.Flag): A = enum.auto(); B = enum.auto()
by_color = {Color.RED: [Color.BLUE], Level.LOW: Bits.A | Bits.B}
Point = namedtuple("Point", "x y", defaults=[[]])
origin = Point(1)
class Typed(NamedTuple):
    a: int
    b: List[int] = [1]
class Movie(TypedDict, total=False): title: str
class Sized(Protocol):
    def size(self) -> int: ...
T = TypeVar("T")
class Box(Generic[T]):
    items: List[Optional[T]]
boxed, UserId, Mode = Box[int](), NewType("UserId", int), Literal["a", "b"]
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
class Square(Shape):
    def area(self): return 1
class Virtual: pass
Shape.register(Virtual)
checks = isinstance(Virtual(), Shape), isinstance(3, Shape), issubclass(Square, Shape), isinstance([], collections.abc.Sequence)
queue, groups, ordered, counted = deque([1, [2]], maxlen=5), defaultdict(list, a=[1]), OrderedDict(b=1, a=2), Counter("banana")
queue.append(3); queue.popleft(); groups["x"].append(1); ordered.move_to_end("b")
chain, user = ChainMap({}, {"a": 1}), UserDict(a=1)
word, flags = re.compile(r"(\w+)-(\d+)", re.I), re.I | re.M
word.sub("x", "ab-12"), re.match("a+", "aaa") is None
packer, price, context = struct.Struct("<IQ"), decimal.Decimal("1.25"), decimal.getcontext()
encoder, decoder = json.JSONEncoder(default=str), json.JSONDecoder(object_hook=dict)
`,
}

// TestTemplateTypes is TestTemplateCorpus for everything a template can hold.
//
// Spec: CIP-3 §2.2.1.
func TestTemplateTypes(t *testing.T) {
	for name, source := range templatePrograms {
		p, err := pvm.CompileFile("__main__", name, []byte(source))
		if err != nil {
			t.Fatal(name, err)
		}
		t.Run(name, func(t *testing.T) {
			if _, e := ran(p, 1<<40); e != nil {
				t.Fatal(e.Type().Name, e)
			}
			if !templated(t, p) {
				t.Error("no template")
			}
		})
	}
}

// BenchmarkTemplate compares running a top level with starting from its template.
func BenchmarkTemplate(b *testing.B) {
	programs := map[string]string{
		"numbers": "X = list(range(50000))", "lists": "X = [[] for i in range(8000)]", "dicts": "X = [{i: i} for i in range(3000)]",
		"texts": "X = [str(i) * 3 for i in range(8000)]", "functions": "X = [lambda: i for i in range(5000)]",
		"classes": "X = [type('C', (), {}) for i in range(400)]", "objects": "class C: pass\nX = [C() for i in range(5000)]",
		"actor": actor, "library": templatePrograms["library"], "classic": templatePrograms["classes"],
	}
	for name, source := range programs {
		p := compiled(b, source)
		pattern, e := ran(p, 1<<40)
		if e != nil {
			b.Fatal(name, e.Type().Name)
		}
		template := object.NewTemplate(pattern, nil)
		if template == nil {
			b.Fatal(name, "has no template")
		}
		b.Run("program="+name+"/way=run", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, _ := ran(p, 1<<40)
				m.Release()
			}
		})
		b.Run("program="+name+"/way=start", func(b *testing.B) {
			b.ReportAllocs()
			stack := new(object.Stack)
			for b.Loop() {
				m := blank(1<<40, stack)
				template.Start(m)
				m.Release()
			}
		})
	}
}
