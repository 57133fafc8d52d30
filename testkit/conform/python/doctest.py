# A doctest small enough for tests: examples of docstrings, run one after the other
# in one namespace.
import io as _io
import sys as _sys
import unittest as _unittest
import _conform as _c
import re as _re

ELLIPSIS, NORMALIZE_WHITESPACE, IGNORE_EXCEPTION_DETAIL, SKIP, DONT_ACCEPT_BLANKLINE = 1, 2, 4, 8, 16
_FLAGS = {"ELLIPSIS": 1, "NORMALIZE_WHITESPACE": 2, "IGNORE_EXCEPTION_DETAIL": 4, "SKIP": 8, "DONT_ACCEPT_BLANKLINE": 16}
_option = _re.compile(r"#\s*doctest:\s*([^\n\'\"]*)$", _re.MULTILINE)


class _Example:
    def __init__(self, source, want, line, flags):
        self.source, self.want, self.line, self.flags = source, want, line, flags


def _parse(text):
    lines = text.expandtabs().split("\n")
    examples, i = [], 0
    while i < len(lines):
        stripped = lines[i].lstrip()
        if not (stripped.startswith(">>> ") or stripped == ">>>"):
            i += 1
            continue
        indent, at = len(lines[i]) - len(stripped), i
        source = [stripped[4:]]
        i += 1
        while i < len(lines) and (lines[i][indent:].startswith("... ") or lines[i][indent:].rstrip() == "...") and not lines[i][:indent].strip():
            source.append(lines[i][indent + 4:])
            i += 1
        want = []
        while i < len(lines) and lines[i].strip() and not lines[i].lstrip().startswith(">>> ") and lines[i].strip() != ">>>":
            want.append(lines[i][indent:])
            i += 1
        body = "\n".join(source) + "\n"
        flags = 0
        for m in _option.findall(body):
            for word in m.replace(",", " ").split():
                if word[0] == "+":
                    flags |= _FLAGS.get(word[1:], 0)
        examples.append(_Example(body, "\n".join(want) + "\n" if want else "", at + 1, flags))
    return examples


def _matches(want, got, flags):
    if want == got or (got, want) in (("True\n", "1\n"), ("False\n", "0\n")):
        return True
    want = want.replace("<BLANKLINE>", "")
    got = "\n".join(l if l.strip() else "" for l in got.split("\n"))
    if want == got:
        return True
    if flags & NORMALIZE_WHITESPACE:
        want, got = " ".join(want.split()), " ".join(got.split())
        if want == got:
            return True
    if flags & ELLIPSIS and "..." in want:
        pieces = want.split("...")
        if not got.startswith(pieces[0]) or not got.endswith(pieces[-1]):
            return False
        at, end = len(pieces[0]), len(got) - len(pieces[-1])
        if at > end:
            return False
        for p in pieces[1:-1]:
            at = got.find(p, at, end)
            if at < 0:
                return False
            at += len(p)
        return True
    return False


def _last(e):
    # The lines of a traceback after its frames.
    if isinstance(e, SyntaxError):
        name = type(e).__name__
        return "%s: %s\n" % (name, e.msg)
    module = type(e).__module__
    name = type(e).__qualname__
    if module not in ("builtins", "__main__"):
        name = module + "." + name
    text = str(e)
    notes = "".join("\n" + str(n) for n in getattr(e, "__notes__", ()))
    return (name + ": " + text if text else name) + notes + "\n"


def _wanted(want):
    # The last lines of a traceback that is expected, or None.
    lines = want.split("\n")
    if not lines[0].startswith("Traceback (most recent call last):") and not lines[0].startswith("Traceback (innermost last):"):
        return None
    i = 1
    while i < len(lines) and (not lines[i] or not (lines[i][0].isalnum() or lines[i][0] == "_")):
        i += 1
    return "\n".join(lines[i:])


class DocTestCase(_unittest.TestCase):
    def __init__(self, name, examples, namespace, flags, setUp=None):
        super().__init__("runTest")
        self._name, self._examples, self._namespace, self._flags = name, examples, namespace, flags

    def _label(self):
        return "doctest." + self._name.replace(".", "_")

    def runTest(self):
        failures = []
        for x in self._examples:
            flags = self._flags | x.flags
            if flags & SKIP:
                continue
            old, _sys.stdout = _sys.stdout, _io.StringIO()
            error = None
            try:
                exec(compile(x.source, "<doctest %s>" % self._name, "single"), self._namespace)
            except _unittest.SkipTest:
                raise
            except Exception as e:
                error = e
            except BaseException as e:
                if not isinstance(e, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                    raise
                error = e
            finally:
                got, _sys.stdout = _sys.stdout.getvalue(), old
            if got and got[-1] != "\n":
                got += "\n"
            if error is None:
                good = _matches(x.want, got, flags)
            else:
                got, want = _last(error), _wanted(x.want)
                good = want is not None and _matches(want, got, flags)
                if not good and want is not None and flags & IGNORE_EXCEPTION_DETAIL:
                    good = want.split(":")[0].split(".")[-1].strip() == got.split(":")[0].split(".")[-1].strip()
                if not good and want is not None and isinstance(error, SyntaxError):
                    good = want.strip().split("\n")[-1] == got.strip()
            if not good:
                failures.append("line %d: %s  expected %r\n  got      %r" % (x.line, x.source, x.want, got))
        if failures:
            raise AssertionError("%d of %d examples\n%s" % (len(failures), len(self._examples), "\n".join(failures)))


def _docs(module):
    yield module.__name__.split(".")[-1], module.__doc__
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, type):
            yield name, value.__doc__
            for n, v in list(vars(value).items()):
                v = getattr(v, "__func__", v)
                yield name + "." + n, v.__doc__ if callable(v) or isinstance(v, property) else None
        elif callable(value):
            yield name, getattr(value, "__doc__", None)
    for name, value in getattr(module, "__test__", {}).items():
        yield "__test__." + name, value if isinstance(value, str) else value.__doc__


def DocTestSuite(module=None, globs=None, extraglobs=None, test_finder=None, optionflags=0, setUp=None, tearDown=None, **options):
    if module is None:
        name = _c.caller_globals(1)["__name__"]
    else:
        name = module if isinstance(module, str) else module.__name__
    module = _sys.modules[name]
    suite = _unittest.TestSuite()
    for name, doc in _docs(module):
        if isinstance(doc, str) and ">>>" in doc:
            examples = _parse(doc)
            if examples:
                namespace = dict(vars(module))
                namespace.update(extraglobs or {})
                suite.addTest(DocTestCase(name, examples, namespace, optionflags))
    return suite


def DocFileSuite(*paths, **options):
    return _unittest.TestSuite()


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("doctest." + name)
