# A few questions of package inspect that need no frames.
import types as _t

CO_OPTIMIZED, CO_NEWLOCALS, CO_VARARGS, CO_VARKEYWORDS, CO_NESTED, CO_GENERATOR = 1, 2, 4, 8, 16, 32
CO_COROUTINE, CO_ITERABLE_COROUTINE, CO_ASYNC_GENERATOR = 128, 256, 512
GEN_CREATED, GEN_RUNNING, GEN_SUSPENDED, GEN_CLOSED = "GEN_CREATED", "GEN_RUNNING", "GEN_SUSPENDED", "GEN_CLOSED"


def _is(kind):
    return lambda x: isinstance(x, kind)


isclass = _is(type)
isfunction = _is(_t.FunctionType)
isgenerator = _is(_t.GeneratorType)
iscoroutine = _is(_t.CoroutineType)
isasyncgen = _is(_t.AsyncGeneratorType)
ismethod = _is(_t.MethodType)
isbuiltin = _is(_t.BuiltinFunctionType)


def _flag(bit):
    return lambda x: isinstance(x, (_t.FunctionType, _t.MethodType)) and bool(x.__code__.co_flags & bit)


isgeneratorfunction = _flag(CO_GENERATOR)
iscoroutinefunction = _flag(CO_COROUTINE)
isasyncgenfunction = _flag(CO_ASYNC_GENERATOR)


def isawaitable(x):
    return iscoroutine(x) or hasattr(type(x), "__await__")


def isabstract(x):
    return isinstance(x, type) and bool(getattr(x, "__abstractmethods__", None))


def isroutine(x):
    return callable(x) and not isclass(x)


def getdoc(x):
    doc = x.__doc__
    if doc is None:
        return None
    lines = doc.expandtabs().splitlines()
    margin = min((len(l) - len(l.lstrip()) for l in lines[1:] if l.strip()), default=0)
    lines = [lines[0].lstrip()] + [l[margin:] for l in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def cleandoc(doc):
    lines = doc.expandtabs().split("\n")
    margin = min((len(l) - len(l.lstrip()) for l in lines[1:] if l.strip()), default=0)
    lines = [lines[0].lstrip()] + [l[margin:] for l in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("inspect." + name)
