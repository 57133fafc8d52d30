from unittest import *
from unittest import SkipTest, TestCase
import unittest as _u
_AssertRaisesContext = _u._AssertRaisesContext
