# Kinds of objects that programs meet seldom: forward references, what changes an OrderedDict in a loop, chains of tracebacks, bound native methods.
import typing, collections, re
def t(f):
    try: print(repr(f()))
    except BaseException as e: print(type(e).__name__, e)
P = typing.NamedTuple("P", [("x", int), ("y", "str")])
t(lambda: P.__new__.__annotations__)
Q = collections.namedtuple("Q", "a b")
t(lambda: getattr(Q.__new__, "__annotations__", {}))
for s in ("int", "List[int", "/T", "a b", "", "*Ts", "*tuple[int, str]", "(yield)", "yield", "x = 1", "x := 1", "a; b", "int\n", "f'{x}'", "lambda: 0", "None", "*a, b", "1 +", "for", "True", "not", "é.b"):
    t(lambda: typing.ForwardRef(s))
    t(lambda: typing.List[s])
Ts = typing.TypeVarTuple("Ts")
T = typing.TypeVar("T")
t(lambda: typing.Annotated[*Ts, 1])
t(lambda: typing.List[T, *typing.Tuple[int, ...]])
t(lambda: typing.Dict[*typing.Tuple[int, str]])
t(lambda: typing.Dict[T, *typing.Tuple[int, ...]])
class TD(typing.TypedDict):
    a: "int"
    b: typing.List["str"]
t(lambda: TD.__annotations__)
t(lambda: typing.get_type_hints(TD))
def f(*args: *tuple[int, str]): pass
def g(*args: "*tuple[int, str]"): pass
t(lambda: typing.get_type_hints(f))
t(lambda: typing.get_type_hints(g))
t(lambda: typing.get_type_hints(f) == {"args": typing.Unpack[tuple[int, str]]})
t(lambda: typing.get_type_hints(g) == {"args": typing.Unpack[tuple[int, str]]})
for name in ("keys", "values", "items", "__iter__", "__reversed__"):
    for change in ("move_to_end('c')", "__setitem__('f', 1)", "pop('c')", "__setitem__('c', 1)", "clear()", "move_to_end('e')", "move_to_end('a', False)", "move_to_end('a')", "move_to_end('d', False)", "update(a=1)", "popitem()", "popitem(False)", "setdefault('z', 1)"):
        d = collections.OrderedDict.fromkeys("abcde")
        m = change.split("(")[0]
        args = {"move_to_end('c')": ("c",), "__setitem__('f', 1)": ("f", 1), "pop('c')": ("c",), "__setitem__('c', 1)": ("c", 1), "clear()": (), "move_to_end('e')": ("e",), "move_to_end('a', False)": ("a", False), "move_to_end('a')": ("a",), "move_to_end('d', False)": ("d", False), "update(a=1)": ({"a": 1},), "popitem()": (), "popitem(False)": (False,), "setdefault('z', 1)": ("z", 1)}[change]
        seen = []
        def loop():
            for x in getattr(d, name)():
                seen.append(x)
                if len(seen) == 2: getattr(d, m)(*args)
                if len(seen) > 9: break
        t(loop)
        print(name, change, seen, list(d.items()), list(reversed(d)))
d = collections.OrderedDict()
for i in range(101): d[i * 7 % 101] = i
for i in range(300):
    k = i * 13 % 101
    d.setdefault(k, i); d.move_to_end(k, i % 3 != 0)
    if i % 5 == 0: d.popitem(i % 2 == 0); d[k] = -i
print(list(d.items()))
t(lambda: d.move_to_end("nope"))
t(lambda: d.move_to_end([]))
class O(collections.OrderedDict): pass
o = O(a=1, b=2)
def loop():
    for x in o: o.move_to_end("a")
t(loop)
for w in (10**18 - 1, 10**18, 2**63 - 1, 2**63):
    import decimal
    if w >= 10**18: t(lambda: format(decimal.Decimal("1.2"), "=%d.1" % w)); t(lambda: format(decimal.Decimal("1.2"), ".%df" % w))
t(lambda: decimal.Decimal(7).to_integral(context=[]))
t(lambda: decimal.Decimal(7).to_integral_value(None, 5))
def tb():
    try: raise OSError()
    except OSError as e: return e.__traceback__
def again():
    t0 = tb()
    try: raise IndexError().with_traceback(t0)
    except IndexError as e: return e.__traceback__ != t0, e.__traceback__.tb_next == t0, e.__traceback__ == e.__traceback__
t(again)
s = re.Scanner([(r"[a-z]+", lambda s, x: x.upper()), (r"\d+", lambda s, x: int(x)), (r"\s+", None)])
t(lambda: s.scan("ab 12 cd!x"))
t(lambda: bool(s.scanner.scanner("").pattern))
t(lambda: (type([].append) is type(len), [].append == [].append, len == len, [].append is len, isinstance("".join, type(len)), hasattr(str.join, "__self__"), hasattr(str.join, "__module__"), len.__qualname__, {}.get.__qualname__, type("X", (dict,), {})().get.__qualname__, int.from_bytes.__self__, len.__name__))
l = []
t(lambda: (l.append == l.append, hash(l.append) == hash(l.append), l.append != len, len != l.append, {len: 1, l.append: 2}[l.append]))
