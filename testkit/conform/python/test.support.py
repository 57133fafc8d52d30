# What tests take from test.support.
import functools as _functools
import sys as _sys
import unittest as _unittest
import io as _io



class _Manager:
    # A with statement, or a decorator, over a generator function.
    def __init__(self, function, args, kwargs):
        self._make = lambda: function(*args, **kwargs)

    def __enter__(self):
        self._gen = self._make()
        return next(self._gen)

    def __exit__(self, kind, error, trace):
        if error is None:
            next(self._gen, None)
            return False
        try:
            self._gen.throw(error)
        except StopIteration:
            return True
        except BaseException as e:
            if e is error:
                return False
            raise
        return True

    def __call__(self, test):
        @_functools.wraps(test)
        def inside(*args, **kwargs):
            with self:
                return test(*args, **kwargs)
        return inside


def _manager(function):
    return lambda *args, **kwargs: _Manager(function, args, kwargs)


verbose = 0
is_jython = False
is_android = is_emscripten = is_wasi = is_apple = False
has_fork_support = has_subprocess_support = False
Py_DEBUG = False
HAVE_DOCSTRINGS = MISSING_C_DOCSTRINGS = False
TEST_HOME_DIR = TEST_SUPPORT_DIR = STDLIB_DIR = REPO_ROOT = ""
SHORT_TIMEOUT = LONG_TIMEOUT = LOOPBACK_TIMEOUT = INTERNET_TIMEOUT = 1.0
max_memuse = 0
real_max_memuse = 0
_1M, _1G, _2G, _4G = 1 << 20, 1 << 30, 1 << 31, 1 << 32
MAX_Py_ssize_t = _sys.maxsize
C_RECURSION_LIMIT = EXCEEDS_RECURSION_LIMIT = 5000
TestFailed = type("TestFailed", (Exception,), {})
Error = type("Error", (Exception,), {})
ResourceDenied = type("ResourceDenied", (_unittest.SkipTest,), {})


@_manager
def SuppressCrashReport():
    yield




def _skips(reason):
    return _unittest.skip(reason)


def cpython_only(test):
    return _skips("CPython's implementation")(test)


def impl_detail(msg=None, **guards):
    return _skips("CPython's implementation")


def check_impl_detail(**guards):
    return bool(guards) and not any(guards.values())


def check_sanitizer(**kinds):
    return False


def gc_collect():
    pass


def _same(test):
    return test


def refcount_test(test):
    return _skips("reference counts")(test)


def no_tracing(test):
    return test


requires_IEEE_754 = requires_docstrings = _same
skip_if_sanitizer = skip_if_broken_multiprocessing_synchronize = skip_if_pgo_task = lambda *a, **k: _same
requires_debug_ranges = lambda reason="": _same
requires_specialization = _skips("CPython's implementation")
requires_limited_api = _skips("CPython's implementation")
requires_working_socket = lambda **k: _skips("needs sockets")
requires_fork = lambda: _skips("needs processes")
requires_subprocess = lambda: _skips("needs processes")
requires_zlib = requires_gzip = requires_bz2 = requires_lzma = lambda reason="": _skips("needs compression")
requires_resource = lambda resource: _skips("needs resource " + resource)


def bigmemtest(size, memuse, dry_run=True):
    return _skips("needs much memory")


def bigaddrspacetest(test):
    return _skips("needs much memory")


def precisionbigmemtest(*args, **kwargs):
    return _skips("needs much memory")


def requires(resource, msg=None):
    raise ResourceDenied("needs resource " + resource)


def is_resource_enabled(resource):
    return False


def anticipate_failure(condition):
    return _same


def run_with_locale(*args):
    return _skips("needs locales")


def run_with_tz(tz):
    return _skips("needs time zones")


@_manager
def set_recursion_limit(limit):
    yield


@_manager
def infinite_recursion(max_depth=100):
    yield


def get_recursion_depth():
    raise _unittest.SkipTest("recursion depth of CPython")


get_recursion_available = get_recursion_depth


@_manager
def adjust_int_max_str_digits(n):
    yield


@_manager
def disable_gc():
    yield


@_manager
def captured_output(name):
    old = getattr(_sys, name)
    new = _io.StringIO()
    setattr(_sys, name, new)
    try:
        yield new
    finally:
        setattr(_sys, name, old)


def captured_stdout():
    return captured_output("stdout")


def captured_stderr():
    return captured_output("stderr")


def captured_stdin():
    raise _unittest.SkipTest("needs standard input")


@_manager
def swap_attr(obj, attr, value):
    had = hasattr(obj, attr)
    old = getattr(obj, attr, None)
    setattr(obj, attr, value)
    try:
        yield old
    finally:
        if had:
            setattr(obj, attr, old)
        elif hasattr(obj, attr):
            delattr(obj, attr)


@_manager
def swap_item(obj, key, value):
    had = key in obj
    old = obj.get(key)
    obj[key] = value
    try:
        yield old
    finally:
        if had:
            obj[key] = old
        elif key in obj:
            del obj[key]


def check_syntax_error(case, statement, errtext="", *, lineno=None, offset=None):
    with case.assertRaisesRegex(SyntaxError, errtext) as context:
        compile(statement, "<test string>", "exec")
    e = context.exception
    case.assertIsNotNone(e.lineno)
    if lineno is not None:
        case.assertEqual(e.lineno, lineno)
    case.assertIsNotNone(e.offset)
    if offset is not None:
        case.assertEqual(e.offset, offset)


def check_free_after_iterating(test, it, cls, args=()):
    raise _unittest.SkipTest("reference counts")


def check_sizeof(test, obj, size):
    raise _unittest.SkipTest("sizes of CPython's objects")


calcobjsize = calcvobjsize = lambda fmt: 0


def check__all__(test, module, name_of_module=None, extra=(), not_exported=()):
    raise _unittest.SkipTest("looks into a module")


def check_disallow_instantiation(case, tp, *args, **kwds):
    case.assertRaises(TypeError, tp, *args, **kwds)


def patch(test, obj, attr, value):
    old = getattr(obj, attr)
    test.addCleanup(setattr, obj, attr, old)
    setattr(obj, attr, value)


def run_unittest(*classes):
    pass


def run_doctest(module, verbosity=None, optionflags=0):
    pass


def sortdict(d):
    return "{%s}" % ", ".join("%r: %r" % p for p in sorted(d.items()))


def maybe_get_event_loop_policy():
    return None


def reap_children():
    pass


def findfile(name, subdir=None):
    raise _unittest.SkipTest("needs files")


def open_urlresource(*args, **kwargs):
    raise _unittest.SkipTest("needs the network")


def args_from_interpreter_flags():
    return []


def python_is_optimized():
    return True


def check_bugs():
    pass


def late_deletion(obj):
    pass


def wait_process(*args, **kwargs):
    raise _unittest.SkipTest("needs processes")


def detect_api_mismatch(ref, other, *, ignore=()):
    missing = {a for a in dir(ref) if a not in dir(other)} - set(ignore)
    return {a for a in missing if not a.startswith("_") or a.endswith("__")}


class _Always:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = object.__hash__


class _Never:
    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    def __hash__(self):
        return 1


ALWAYS_EQ, NEVER_EQ = _Always(), _Never()


@_functools.total_ordering
class _Largest:
    def __eq__(self, other):
        return isinstance(other, _Largest)

    def __lt__(self, other):
        return False

    __hash__ = object.__hash__


@_functools.total_ordering
class _Smallest:
    def __eq__(self, other):
        return isinstance(other, _Smallest)

    def __gt__(self, other):
        return False

    __hash__ = object.__hash__


LARGEST, SMALLEST = _Largest(), _Smallest()


class Matcher:
    pass


class SaveSignals:
    def save(self):
        pass

    restore = save


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name in ("import_helper", "os_helper", "warnings_helper"):
        return __import__("test.support." + name, fromlist=[name])
    import _absent
    return _absent.Absent("test.support." + name)
