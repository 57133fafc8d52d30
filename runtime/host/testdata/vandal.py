import abc
import collections
import dataclasses
import enum
import functools
import json
import re
import typing

import pvm_host
from cowboy_sdk import actor, call, runtime
from cowboy_sdk import _actor, _mapping, _storage, errors, models


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


class Stranger:
    pass


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Colour(enum.Enum):
    RED = [1]


@dataclasses.dataclass(order=True)
class Order:
    price: int = 1
    tags: list = dataclasses.field(default_factory=list)


Point = collections.namedtuple("Point", "x y", defaults=[[]])
WORD = re.compile(r"(\w+)@(\w+)")
QUEUE = collections.deque([1, 2], maxlen=4)
GROUPS = collections.defaultdict(list)
COUNTED = collections.Counter("banana")
BOOK = [Order(3), Order(1)]
NESTED = {"a": [{"b": (1, [2])}], Level.LOW: {1, 2}}
TEXT = "t" * 150 + str(len(BOOK))


@functools.lru_cache(maxsize=2)
def squared(n):
    return [n * n]


squared(1), squared(2)


def counter(start):
    n = [start]

    def step(by=[1]):
        n[0] += by[0]
        by.append(1)
        return n[0], len(by)

    return step


step = counter(10)
adder = functools.partial(sorted, [3, 1], reverse=True)


def look():
    return [
        issubclass(Stranger, Shape), isinstance(Stranger(), Shape), list(Level), Level.HIGH.name, Colour.RED.value, len(Colour.__members__),
        BOOK, sorted(BOOK)[0].price, Order(), Order.__doc__, Point(1), WORD.sub("x", "a@b"), list(QUEUE), dict(GROUPS), COUNTED["a"], NESTED,
        len(TEXT), squared.cache_info(), squared(1), step(), adder(), vars(Stranger).keys() - {"__weakref__"}, step.__dict__,
        json.dumps({"b": 1, "a": [1.5]}), getattr(pvm_host.HostError, "spoiled", 0), getattr(errors.CowboyError, "spoiled", 0),
        getattr(models.CowboyModel, "spoiled", 0), getattr(typing.Generic, "spoiled", 0), getattr(_actor, "O" + "WNER"), len(vars(_storage)), len(vars(_mapping)),
        len(vars(runtime)), len(vars(json)), len(globals()), id(Shape) - id(Stranger), hash(Stranger) == hash(Shape), repr(Shape),
        [c.__name__ for c in Shape.__subclasses__()], [c.__name__ for c in object.__subclasses__()], Shape.__abstractmethods__, Vandal.storage.__doc__,
    ]


def attempt(change, *args):
    try:
        change(*args)
    except Exception:
        pass


def spoil():
    class Square(Shape):
        def area(self):
            return 1

    Shape.register(Stranger)
    Shape.extra = Shape.area = Stranger.added = 1
    attempt(setattr, Level.LOW, "_name_", "NONE")
    attempt(setattr, Colour, "spoiled", 1)
    Colour.RED.value.append(2)
    Colour.RED.note = 1
    Colour._member_map_["BLUE"] = 2
    Order.__init__.__annotations__["z"] = 1
    Order.__dataclass_fields__["price"].default = 9
    Order.__dataclass_fields__["other"] = 1
    Order.__eq__ = lambda a, b: True
    BOOK[0].tags.append(1)
    BOOK.append(BOOK[1])
    Point.__new__.__defaults__[0].append(1)
    Point.x = 5
    QUEUE.append(9)
    GROUPS["g"].append(1)
    COUNTED.update("aaa")
    NESTED["a"][0]["b"][1].append(3)
    NESTED[Level.LOW].add(7)
    global TEXT, added
    TEXT += "more"
    added = [1]
    squared(7)
    squared(1).append(5)
    squared.cache_clear()
    step.spoiled = 1
    step.__defaults__[0].append(4)
    step.__closure__[0].cell_contents.append(8)
    adder.args[0].append(9)
    adder.keywords["reverse"] = False
    for target in (pvm_host.HostError, errors.CowboyError, models.CowboyModel, typing.Generic, json, runtime, _actor, _storage, collections.OrderedDict,
                   Vandal.storage, type(Vandal.storage)):
        attempt(setattr, target, "spoiled", 1)
        attempt(lambda: vars(target).__setitem__("spoiled", 1))
    attempt(setattr, _actor, "O" + "WNER", "me")
    attempt(setattr, type(Vandal.storage), "__getitem__", lambda self, key: "spoiled")
    re.purge()
    _mapping.Mapping.__getattr__ = lambda self, name: 1
    object.__subclasses__().clear()
    Vandal.look_again = Vandal.touch


@actor
class Vandal:
    def touch(self, payload):
        shown = repr(look())
        spoil()
        return shown.encode()

    def deeper(self, payload):
        """The same from within a call of the actor by itself, and again afterwards."""
        first = repr(look())
        spoil()
        inner = call(pvm_host.get_actor_address(), "show", {}, 2_000_000)
        assert inner == call(pvm_host.get_actor_address(), "show", {}, 2_000_000)
        assert first == inner
        return inner

    def show(self):
        shown = repr(look())
        spoil()
        return shown

    def fail(self, payload):
        spoil()
        raise ValueError("spoiled")
