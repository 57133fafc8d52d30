import collections
import dataclasses
import enum
import json

from cowboy_sdk import actor
from cowboy_sdk.models import CowboyModel

seen = []
table = {"n": 0}


class Mine:
    count = 0
    names = []


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: int = 0


def default(values=[]):
    values.append(1)
    return len(values)


@actor
class Forgets:
    def touch(self, payload):
        """Shows what is there, then changes everything that can be changed."""
        shown = [
            len(seen), table["n"], Mine.count, len(Mine.names), default(), Point().x, Point.__doc__,
            getattr(CowboyModel, "marked", "unmarked"), getattr(Colour, "marked", "unmarked"),
            getattr(collections.OrderedDict, "marked", "unmarked"), getattr(default, "marked", "unmarked"),
            getattr(json.JSONEncoder, "marked", "unmarked"), len(globals()), len(vars(Mine)),
            dataclasses.fields(Point)[0].default, sorted(k for k in vars(Forgets) if not k.startswith("_")),
        ]
        seen.append(payload)
        table["n"] += 1
        table["more"] = [table]["" == "x"]["n"]
        Mine.count += 1
        Mine.names.append("a")
        Mine.added = 1
        global added
        added = 2
        Point.x = 5
        Point.__doc__ = "other"
        Forgets.added = lambda self: 3
        default.marked = "marked"
        default.__defaults__ = ([1, 2, 3],)
        for target in (CowboyModel, Colour, collections.OrderedDict, json.JSONEncoder):
            try:
                target.marked = "marked"
            except (TypeError, AttributeError):
                pass
        dataclasses.fields(Point)[0].default = 7
        return repr(shown).encode()
