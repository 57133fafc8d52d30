# Modules that do not exist on the machine: whatever a test takes from one skips
# the test when it is used.
import unittest


def _no(self, *args, **kwargs):
    raise unittest.SkipTest(self._reason())


class _Meta(type):
    pass


class Absent:
    def __init__(self, name):
        self._name = self.__qualname__ = self.__name__ = name
        self.__module__ = "absent"

    def _reason(self):
        return "needs " + self._name

    def __repr__(self):
        return "<absent " + self._name + ">"

    def __getattr__(self, name):
        if name[:2] == "__" and name[-2:] == "__":
            raise AttributeError(name)
        name = self._name + "." + name
        return values[name] if name in values else Absent(name)

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and callable(args[0]):
            return unittest.skip(self._reason())(args[0])
        if unittest._running is None:
            return self
        raise unittest.SkipTest(self._reason())

    def __mro_entries__(self, bases):
        return ()

    def __getitem__(self, key):
        return self

    def __or__(self, other):
        return self

    __ror__ = __add__ = __radd__ = __sub__ = __mul__ = __and__ = __or__

    __iter__ = __enter__ = __aenter__ = __index__ = __int__ = __len__ = __contains__ = __lt__ = __gt__ = _no

    def __exit__(self, *args):
        return False


def module(name):
    def get(attr):
        if attr[:2] == "__" and attr[-2:] == "__":
            raise AttributeError(attr)
        return value(name + "." + attr)
    return get


def value(full):
    return values[full] if full in values else Absent(full)


def _simple_enum(kind, *, boundary=None, use_args=None):
    def convert(cls):
        meta, extra = type(kind), {} if boundary is None else {"boundary": boundary}
        names = meta.__prepare__(cls.__name__, (kind,), **extra)
        for name, value in cls.__dict__.items():
            if name not in ("__dict__", "__weakref__"):
                names[name] = value
        return meta(cls.__name__, (kind,), names, **extra)
    return convert


def _not_there(name, package=None):
    raise ModuleNotFoundError("No module named %r" % name)


class _Array:
    itemsize = 4

    def __new__(cls, *args):
        if unittest._running is None:
            return super().__new__(cls)
        raise unittest.SkipTest("needs array.array")


values = {
    "enum._simple_enum": _simple_enum,
    "array.array": _Array,
    "http.client.HTTPException": type("HTTPException", (Exception,), {}),
    "os.path.exists": lambda path: False,
    "importlib.import_module": _not_there,
    "pickle.HIGHEST_PROTOCOL": 5,
    "pickle.DEFAULT_PROTOCOL": 4,
    "_testcapi.FLT_MAX": 3.4028234663852886e38,
    "_testcapi.FLT_MIN": 1.1754943508222875e-38,
    "_testcapi.INT_MAX": 2147483647,
    "_testcapi.INT_MIN": -2147483648,
    "_testcapi.UINT_MAX": 4294967295,
    "_testcapi.PY_SSIZE_T_MAX": 9223372036854775807,
    "_testcapi.PY_SSIZE_T_MIN": -9223372036854775808,
    "locale.CHAR_MAX": 127,
    "os.name": "posix",
    "os.curdir": ".",
    "os.listdir": lambda path=".": [],
    "_hashlib.get_fips_mode": lambda: 0,
    "_hashlib.HASH": None,
    "_hashlib.HASHXOF": None,
    "_hashlib.openssl_md_meth_names": frozenset(),
    "os.path.isdir": lambda path: False,
    "os.path.abspath": lambda path: path,
    "os.path.dirname": lambda path: path.rpartition("/")[0],
    "os.path.join": lambda *parts: "/".join(parts),
    "sysconfig.get_config_var": lambda name: None,
    "os.sep": "/",
    "re._constants.MAXGROUPS": 1073741823,
    "re._constants.MAXREPEAT": 4294967295,
    "sre_constants.MAXREPEAT": 4294967295,
    "_sre.MAXREPEAT": 4294967295,
}
