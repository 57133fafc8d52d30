# Names of types, and making classes by calls.
import sys as _sys
import _conform


def _f():
    pass


def _g():
    yield


async def _c():
    pass


async def _ag():
    yield


def _cell():
    x = 1
    return lambda: x


class _K:
    def m(self):
        pass


FunctionType = LambdaType = type(_f)
CodeType = type(_f.__code__)
MappingProxyType = type(type.__dict__)
SimpleNamespace = type(_sys.implementation)
CellType = type(_cell().__closure__[0])
GeneratorType = type(_g())
_co = _c()
CoroutineType = type(_co)
_co.close()
AsyncGeneratorType = type(_ag())
MethodType = type(_K().m)
BuiltinFunctionType = BuiltinMethodType = type(len)
WrapperDescriptorType = type(object.__init__)
MethodWrapperType = type(object().__str__)
MethodDescriptorType = type(str.join)
ClassMethodDescriptorType = type(dict.__dict__["fromkeys"])
NoneType = type(None)
NotImplementedType = type(NotImplemented)
EllipsisType = type(...)
GenericAlias = type(list[int])
UnionType = type(int | str)
GetSetDescriptorType = type(type(_f).__code__)
MemberDescriptorType = type((lambda: type("_S", (), {"__slots__": ("a",)}))().a)
try:
    raise TypeError
except TypeError as _e:
    TracebackType = type(_e.__traceback__)


class _Module(type):
    def __instancecheck__(cls, value):
        return isinstance(value, type(_sys))


class ModuleType(metaclass=_Module):
    def __new__(cls, name, doc=None):
        return _conform.new_module(name)


def prepare_class(name, bases=(), kwds=None):
    kwds = dict(kwds or {})
    if "metaclass" in kwds:
        meta = kwds.pop("metaclass")
    else:
        meta = type(bases[0]) if bases else type
    if isinstance(meta, type):
        for b in bases:
            t = type(b)
            if issubclass(meta, t):
                continue
            if issubclass(t, meta):
                meta = t
                continue
            raise TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")
    ns = meta.__prepare__(name, bases, **kwds) if hasattr(meta, "__prepare__") else {}
    return meta, ns, kwds


def resolve_bases(bases):
    new, changed = [], False
    for b in bases:
        if isinstance(b, type) or not hasattr(b, "__mro_entries__"):
            new.append(b)
            continue
        found = b.__mro_entries__(bases)
        if not isinstance(found, tuple):
            raise TypeError("__mro_entries__ must return a tuple")
        new.extend(found)
        changed = True
    return tuple(new) if changed else bases


def new_class(name, bases=(), kwds=None, exec_body=None):
    resolved = resolve_bases(bases)
    meta, ns, kwds = prepare_class(name, resolved, kwds)
    if exec_body is not None:
        exec_body(ns)
    if resolved is not bases:
        ns["__orig_bases__"] = bases
    return meta(name, resolved, ns, **kwds)


class DynamicClassAttribute:
    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget, self.fset, self.fdel = fget, fset, fdel
        self.__doc__ = doc or (fget.__doc__ if fget is not None else None)
        self.overwrite_doc = doc is None
        self.__isabstractmethod__ = bool(getattr(fget, "__isabstractmethod__", False))

    def __get__(self, instance, owner=None):
        if instance is None:
            if self.__isabstractmethod__:
                return self
            raise AttributeError()
        if self.fget is None:
            raise AttributeError("unreadable attribute")
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("can't set attribute")
        self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError("can't delete attribute")
        self.fdel(instance)

    def getter(self, fget):
        made = type(self)(fget, self.fset, self.fdel, (fget.__doc__ if self.overwrite_doc else None) or self.__doc__)
        made.overwrite_doc = self.overwrite_doc
        return made

    def setter(self, fset):
        made = type(self)(self.fget, fset, self.fdel, self.__doc__)
        made.overwrite_doc = self.overwrite_doc
        return made

    def deleter(self, fdel):
        made = type(self)(self.fget, self.fset, fdel, self.__doc__)
        made.overwrite_doc = self.overwrite_doc
        return made


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("types." + name)


class _Wrapped:
    # An awaitable made of a generator.
    def __init__(self, gen):
        self._gen = gen

    def __await__(self):
        return self._gen

    __iter__ = __await__

    def __next__(self):
        return next(self._gen)

    def send(self, value):
        return self._gen.send(value)

    def throw(self, *args):
        return self._gen.throw(*args)

    def close(self):
        return self._gen.close()


def coroutine(function):
    def made(*args, **kwargs):
        made_of = function(*args, **kwargs)
        return _Wrapped(made_of) if isinstance(made_of, GeneratorType) else made_of
    made.__name__ = getattr(function, "__name__", "coroutine")
    return made
