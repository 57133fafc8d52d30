# A unittest small enough to run anywhere: test cases, assertions, skipping. The
# harness asks for the tests one by one (_collect, _run).
import re as _re


class SkipTest(Exception):
    pass


class _ExpectedFailure(Exception):
    pass


_running = None


def skip(reason):
    def decorate(thing):
        if isinstance(thing, type):
            thing.__unittest_skip__ = True
            thing.__unittest_skip_why__ = reason
            return thing

        def skipped(*args, **kwargs):
            raise SkipTest(reason)
        skipped.__name__ = getattr(thing, "__name__", "skipped")
        skipped.__doc__ = getattr(thing, "__doc__", None)
        return skipped
    if callable(reason) and not isinstance(reason, str):
        thing, reason = reason, ""
        return decorate(thing)
    return decorate


def _same(thing):
    return thing


def skipIf(condition, reason):
    return skip(reason) if condition else _same


def skipUnless(condition, reason):
    return _same if condition else skip(reason)


def expectedFailure(test):
    def inverted(*args, **kwargs):
        try:
            test(*args, **kwargs)
        except SkipTest:
            raise
        except Exception:
            return
        raise AssertionError("unexpected success")
    inverted.__name__ = test.__name__
    return inverted


def addModuleCleanup(function, *args, **kwargs):
    pass


def enterModuleContext(manager):
    return manager.__enter__()


def doModuleCleanups():
    pass


class _SubTest:
    def __init__(self, case, message, params):
        self.case, self.label = case, " ".join([str(message)] * (message is not None) + ["%s=%r" % p for p in params.items()])

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None or not isinstance(error, Exception):
            return False
        if isinstance(error, SkipTest):
            self.case._skips.append(str(error))
            return True
        self.case._failures.append((self.label, error))
        return True


class _Raises:
    def __init__(self, case, expected, pattern=None, msg=None):
        self.case, self.expected, self.pattern, self.msg = case, expected, pattern, msg
        self.exception = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            name = getattr(self.expected, "__name__", None) or str(self.expected)
            raise self.case.failureException(self.case._formatMessage(self.msg, "%s not raised" % name))
        if issubclass(kind, SkipTest) or not issubclass(kind, self.expected):
            return False
        self.exception = error.with_traceback(None)
        if self.pattern is not None and not _re.search(self.pattern, str(error)):
            raise self.case.failureException('"%s" does not match "%s"' % (getattr(self.pattern, "pattern", self.pattern), error))
        return True

    def __class_getitem__(cls, item):
        return cls


_AssertRaisesContext = _Raises


class _Warns:
    # There are no warnings: what matters is that the block runs.
    filename = __file__
    lineno = 0
    warnings = ()
    warning = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False


class _Logs:
    def __enter__(self):
        raise SkipTest("needs logging")

    def __exit__(self, kind, error, trace):
        return False


class TestCase:
    failureException = AssertionError
    longMessage = True
    maxDiff = 640

    def __init__(self, methodName="runTest"):
        self._testMethodName = methodName
        self._cleanups = []
        self._failures = []
        self._skips = []

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def id(self):
        return "%s.%s.%s" % (type(self).__module__, type(self).__qualname__, self._testMethodName)

    def __str__(self):
        return self.id()

    def shortDescription(self):
        return None

    def countTestCases(self):
        return 1

    def skipTest(self, reason):
        raise SkipTest(reason)

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def enterContext(self, manager):
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value

    @classmethod
    def addClassCleanup(cls, function, /, *args, **kwargs):
        pass

    def addTypeEqualityFunc(self, kind, function):
        pass

    def doCleanups(self):
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            function(*args, **kwargs)

    def subTest(self, msg=None, **params):
        return _SubTest(self, msg, params)

    def _call(self):
        getattr(self, self._testMethodName)()

    def _perform(self):
        method = getattr(self, self._testMethodName)
        for thing in (type(self), method):
            if getattr(thing, "__unittest_skip__", False):
                raise SkipTest(thing.__unittest_skip_why__)
        try:
            self.setUp()
            try:
                self._call()
            finally:
                self.tearDown()
        finally:
            self.doCleanups()
        if self._failures:
            label, error = self._failures[0]
            more = "" if len(self._failures) == 1 else " and " + ", ".join(f[0][:80] for f in self._failures[1:12])
            error.add_note("in subtest %s%s" % (label, more))
            raise error
        if self._skips:
            return self._skips[0]

    def _formatMessage(self, msg, standard):
        if msg is None:
            return standard
        return "%s : %s" % (standard, msg)

    def fail(self, msg=None):
        raise self.failureException(msg)

    def assertTrue(self, expr, msg=None):
        if not expr:
            raise self.failureException(self._formatMessage(msg, "%s is not true" % _short(expr)))

    def assertFalse(self, expr, msg=None):
        if expr:
            raise self.failureException(self._formatMessage(msg, "%s is not false" % _short(expr)))

    def assertEqual(self, first, second, msg=None):
        if not first == second:
            raise self.failureException(self._formatMessage(msg, "%s != %s" % (_short(first), _short(second))))

    assertMultiLineEqual = assertSequenceEqual = assertListEqual = assertTupleEqual = assertSetEqual = assertDictEqual = assertEqual
    assertEquals = assertEqual

    def assertSequenceEqual(self, first, second, msg=None, seq_type=None):
        if seq_type is not None:
            self.assertIsInstance(first, seq_type, msg)
            self.assertIsInstance(second, seq_type, msg)
        self.assertEqual(list(first), list(second), msg)

    def assertListEqual(self, first, second, msg=None):
        self.assertIsInstance(first, list, msg)
        self.assertIsInstance(second, list, msg)
        self.assertEqual(first, second, msg)

    def assertNotEqual(self, first, second, msg=None):
        if not first != second:
            raise self.failureException(self._formatMessage(msg, "%s == %s" % (_short(first), _short(second))))

    def assertIs(self, first, second, msg=None):
        if id(first) != id(second):
            raise self.failureException(self._formatMessage(msg, "%s is not %s" % (_short(first), _short(second))))

    def assertIsNot(self, first, second, msg=None):
        if id(first) == id(second):
            raise self.failureException(self._formatMessage(msg, "unexpectedly identical: %s" % _short(first)))

    def assertIsNone(self, value, msg=None):
        if value is not None:
            raise self.failureException(self._formatMessage(msg, "%s is not None" % _short(value)))

    def assertIsNotNone(self, value, msg=None):
        if value is None:
            raise self.failureException(self._formatMessage(msg, "unexpectedly None"))

    def assertIn(self, member, container, msg=None):
        if member not in container:
            raise self.failureException(self._formatMessage(msg, "%s not found in %s" % (_short(member), _short(container))))

    def assertNotIn(self, member, container, msg=None):
        if member in container:
            raise self.failureException(self._formatMessage(msg, "%s unexpectedly found in %s" % (_short(member), _short(container))))

    def assertIsInstance(self, value, kind, msg=None):
        if not isinstance(value, kind):
            raise self.failureException(self._formatMessage(msg, "%s is not an instance of %r" % (_short(value), kind)))

    def assertNotIsInstance(self, value, kind, msg=None):
        if isinstance(value, kind):
            raise self.failureException(self._formatMessage(msg, "%s is an instance of %r" % (_short(value), kind)))

    def assertLess(self, a, b, msg=None):
        if not a < b:
            raise self.failureException(self._formatMessage(msg, "%s not less than %s" % (_short(a), _short(b))))

    def assertLessEqual(self, a, b, msg=None):
        if not a <= b:
            raise self.failureException(self._formatMessage(msg, "%s not less than or equal to %s" % (_short(a), _short(b))))

    def assertGreater(self, a, b, msg=None):
        if not a > b:
            raise self.failureException(self._formatMessage(msg, "%s not greater than %s" % (_short(a), _short(b))))

    def assertGreaterEqual(self, a, b, msg=None):
        if not a >= b:
            raise self.failureException(self._formatMessage(msg, "%s not greater than or equal to %s" % (_short(a), _short(b))))

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second:
            return
        diff = abs(first - second)
        if delta is not None:
            good = diff <= delta
        else:
            good = round(diff, 7 if places is None else places) == 0
        if not good:
            raise self.failureException(self._formatMessage(msg, "%s != %s" % (_short(first), _short(second))))

    assertAlmostEquals = assertAlmostEqual

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        diff = abs(first - second)
        if delta is not None:
            bad = diff <= delta
        else:
            bad = round(diff, 7 if places is None else places) == 0
        if first == second or bad:
            raise self.failureException(self._formatMessage(msg, "%s == %s" % (_short(first), _short(second))))

    def assertCountEqual(self, first, second, msg=None):
        rest = list(second)
        for x in first:
            if x not in rest:
                raise self.failureException(self._formatMessage(msg, "%s is one too many" % _short(x)))
            rest.remove(x)
        if rest:
            raise self.failureException(self._formatMessage(msg, "missing: %s" % _short(rest)))

    def assertDictContainsSubset(self, subset, dictionary, msg=None):
        for k, v in subset.items():
            self.assertEqual(dictionary[k], v, msg)

    def assertRegex(self, text, pattern, msg=None):
        if not _re.search(pattern, text):
            raise self.failureException(self._formatMessage(msg, "%r does not match %r" % (text, pattern)))

    assertRegexpMatches = assertRegex

    def assertNotRegex(self, text, pattern, msg=None):
        if _re.search(pattern, text):
            raise self.failureException(self._formatMessage(msg, "%r matches %r" % (text, pattern)))

    def assertRaises(self, expected, *args, **kwargs):
        context = _Raises(self, expected, msg=kwargs.pop("msg", None) if not args else None)
        if not args:
            return context
        function, *rest = args
        with context:
            function(*rest, **kwargs)

    def assertRaisesRegex(self, expected, pattern, *args, **kwargs):
        context = _Raises(self, expected, pattern, kwargs.pop("msg", None) if not args else None)
        if not args:
            return context
        function, *rest = args
        with context:
            function(*rest, **kwargs)

    assertRaisesRegexp = assertRaisesRegex

    def assertWarns(self, expected, *args, **kwargs):
        if not args:
            return _Warns()
        function, *rest = args
        function(*rest, **kwargs)

    def assertWarnsRegex(self, expected, pattern, *args, **kwargs):
        if not args:
            return _Warns()
        function, *rest = args
        function(*rest, **kwargs)

    def assertLogs(self, *args, **kwargs):
        return _Logs()

    assertNoLogs = assertLogs


def _short(value):
    text = repr(value)
    return text if len(text) < 300 else text[:300] + "..."


class IsolatedAsyncioTestCase(TestCase):
    def _call(self):
        raise SkipTest("needs asyncio")


class FunctionTestCase(TestCase):
    def __init__(self, function):
        super().__init__("runTest")
        self._function = function

    def runTest(self):
        self._function()


class TestSuite:
    def __init__(self, tests=()):
        self._tests = []
        self.addTests(tests)

    def addTest(self, test):
        self._tests.append(test)

    def addTests(self, tests):
        for t in tests:
            self.addTest(t)

    def __iter__(self):
        return iter(self._tests)


class TestLoader:
    testMethodPrefix = "test"

    def getTestCaseNames(self, cls):
        return [n for n in dir(cls) if n.startswith("test") and callable(getattr(cls, n))]

    def loadTestsFromTestCase(self, cls):
        names = self.getTestCaseNames(cls)
        if not names and hasattr(cls, "runTest"):
            names = ["runTest"]
        return TestSuite([cls(n) for n in names])

    def loadTestsFromModule(self, module, **kwargs):
        suite = TestSuite()
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, TestCase) and value not in _own:
                suite.addTest(self.loadTestsFromTestCase(value))
        return suite


defaultTestLoader = TestLoader()


def makeSuite(cls, prefix="test"):
    return defaultTestLoader.loadTestsFromTestCase(cls)


def findTestCases(module):
    return defaultTestLoader.loadTestsFromModule(module)


_own = (TestCase, IsolatedAsyncioTestCase, FunctionTestCase)


def main(*args, **kwargs):
    pass


class TextTestRunner:
    def run(self, suite):
        raise SkipTest("runs a test runner")


class TestResult:
    pass


class case:
    _AssertRaisesContext = _Raises
    TestCase = TestCase
    SkipTest = SkipTest


_cases = []
_class = None


def _flatten(suite, into):
    for t in suite:
        if isinstance(t, TestCase):
            into.append(t)
        elif t is not None:
            _flatten(t, into)


def _collect(module):
    suite = defaultTestLoader.loadTestsFromModule(module)
    if hasattr(module, "load_tests"):
        suite = module.load_tests(defaultTestLoader, suite, None)
    _flatten(suite, _cases)
    seen, ids = {}, []
    for c in _cases:
        name = c._label() if hasattr(c, "_label") else type(c).__qualname__ + "." + c._testMethodName
        n = seen[name] = seen.get(name, 0) + 1
        ids.append(name if n == 1 else "%s#%d" % (name, n))
    if hasattr(module, "setUpModule"):
        module.setUpModule()
    return ids


def _run(i):
    global _running, _class
    t = _running = _cases[i]
    cls = type(t)
    try:
        if getattr(cls, "__unittest_skip__", False):
            return cls.__unittest_skip_why__ or "skipped"
        if _class is not cls:
            if _class is not None:
                old, _class = _class, None
                old.tearDownClass()
            cls.setUpClass()
            _class = cls
        reason = t._perform()
    except SkipTest as s:
        return str(s) or "skipped"
    finally:
        _running = None
        _cases[i] = None
    return reason
