"""A test program of our own: every way a test can end.

>>> 1 + 1
2
>>> for i in range(2): i
0
1
>>> {}["x"]
Traceback (most recent call last):
KeyError: 'x'
>>> print("a\\n\\nb")
a
<BLANKLINE>
b
"""
import doctest
import sys
import pickle
import unittest
from test import support


class Outcomes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = 1

    def setUp(self):
        self.ready = True

    def test_passes(self):
        self.assertTrue(self.ready)
        self.assertEqual(self.made, 1)
        with self.assertRaises(ZeroDivisionError) as caught:
            1 / 0
        self.assertIsInstance(caught.exception, ArithmeticError)

    def test_fails(self):
        self.assertEqual(1, 2)

    def test_raises(self):
        raise KeyError("k")

    def test_subtest_fails(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)

    def test_skips(self):
        self.skipTest("a reason")

    def test_absent_module(self):
        pickle.dumps(1)

    def test_forbidden(self):
        open("x")

    def test_long_integer(self):
        1 << 5000

    def test_endless(self):
        while True:
            pass

    def test_listed(self):
        self.fail("never runs")

    @support.cpython_only
    def test_cpython(self):
        self.fail("never runs")

    def test_after(self):
        pass


class Evaluation(unittest.TestCase):
    def test_exec(self):
        space = {}
        exec("x = 1\ndef f(): return x", space)
        self.assertEqual((space["x"], space["f"]()), (1, 1))

    def test_exec_two(self):
        outer, inner = {"y": 2}, {}
        exec("global z\nx = y\nz = 3", outer, inner)
        self.assertEqual((inner, outer["z"]), ({"x": 2}, 3))

    def test_eval(self):
        local = 5
        self.assertEqual(eval("local + 1"), 6)
        self.assertEqual(eval(" 1, 2 ", {}), (1, 2))
        self.assertEqual(eval("a * b", {"a": 2}, {"b": 3}), 6)

    def test_compile(self):
        with self.assertRaises(SyntaxError) as caught:
            compile("1 +", "file", "exec")
        self.assertEqual((caught.exception.filename, caught.exception.lineno), ("file", 1))

    def test_identity(self):
        s = "text"
        self.assertTrue(s is s)

    def test_print(self):
        with support.captured_stdout() as out:
            print("hello")
        self.assertEqual(out.getvalue(), "hello\n")
        print("gone", file=sys.stderr)


def load_tests(loader, tests, pattern):
    tests.addTest(doctest.DocTestSuite())
    return tests
