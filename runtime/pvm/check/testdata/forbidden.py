# Lines that are refused end in "# refused:" and the beginning of each finding,
# in order, separated by semicolons. Everything else is accepted.
from __future__ import annotations
import collections.abc, json
import random  # refused: the module random
import json, time, re  # refused: the module time
import os.path as p  # refused: the module os.path
from datetime import datetime  # refused: the module datetime
from asyncio import gather, sleep  # refused: the module asyncio; asyncio.gather
from . import sibling  # refused: a relative import
from cowboy_sdk import actor
from cowboy_sdk.collections import ordered_set
import cowboy_sdk_other  # refused: the module cowboy_sdk_other

try:
    import numpy
except ImportError:
    numpy = None
try:
    import numpy  # refused: the module numpy
except ValueError:
    pass
try:
    import secrets
except (KeyError, ModuleNotFoundError):
    import secrets  # refused: the module secrets
else:
    import secrets  # refused: the module secrets
if TYPE_CHECKING:
    import os
elif x:
    import os  # refused: the module os
else:
    import os  # refused: the module os
if __name__ == "__main__":
    import sys
    sys.exit()


class A:
    import os  # refused: the module os

    def f(self):
        import time
        return time

    def __del__(self):  # refused: a __del__ method
        def __del__():
            pass

    __del__ = f  # refused: a __del__ method
    compile = f
    exec = compile


A.__del__ = None  # refused: a __del__ method
del A.__del__


def __del__():
    pass


eval("1")  # refused: the built-in eval
exec("1"), compile("", "", "exec")  # refused: the built-in exec; the built-in compile
f = eval  # refused: the built-in eval
x = [__import__(m) for m in "abc"]  # refused: the built-in __import__
x = re.compile("a").eval.exec
breakpoint(); input()  # refused: the built-in breakpoint; the built-in input
__builtins__.eval  # refused: the built-in __builtins__


def local():
    eval = 1
    return eval, lambda exec: exec


def other(x=eval):  # refused: the built-in eval
    return eval  # refused: the built-in eval


def enclosing():
    def compile():
        return lambda: compile
    return compile


globals()["x"] = 1  # refused: changing the module's namespace
globals()["x"] += 1  # refused: changing the module's namespace
del globals()["x"], x  # refused: changing the module's namespace
globals().update(x=1)  # refused: changing the module's namespace
(globals()).setdefault("x", []).append(1)  # refused: changing the module's namespace
for globals()["i"] in x: pass  # refused: changing the module's namespace
print(globals()["x"], globals().get("x"), len(globals()))
d = dict(globals())
d["x"] = 1

x is None, x is not True, x is ..., x is y, x is (), type(x) is int
x is 1  # refused: 'is' with a number
1 is not x  # refused: 'is not' with a number
x is y is "a"  # refused: 'is' with a number
x is "a" is y  # refused: 'is' with a number; 'is' with a number
x is -1, x is b"", x is f"{x}", x is 1 + 2j  # refused: 'is'; 'is'; 'is'; 'is'
x == 1 is True  # refused: 'is' with a number
not x is y


def frames(e):
    e.__traceback__.tb_frame.f_back  # refused: the attribute f_back; the attribute tb_frame
    frames.__globals__  # refused: the attribute __globals__
    return frames.__name__, e.__cause__


def codecs(text, name):
    text.encode("latin-1")  # refused: the encoding 'latin-1'
    text.encode().decode(encoding="ascii")  # refused: the encoding 'ascii'
    bytes(text, "utf-16") + bytearray(text, "cp1252")  # refused: the encoding 'utf-16'; the encoding 'cp1252'
    str(b"x", "UTF-8", "replace")  # refused: the error handler 'replace'
    text.encode("utf-8", errors="ignore")  # refused: the error handler 'ignore'
    text.encode("latin-1", "ignore")  # refused: the encoding 'latin-1'; the error handler 'ignore'
    text.encode("utf8"), text.encode("U8", "strict"), str(b"x", "utf_8"), bytes(text, encoding="UTF-8"), bytes(3), str(text)
    text.encode(name), text.encode(*name), abi.encode("transfer"), text.encode(errors=name), encode("ascii"), codec.decode(b"ascii")


async def main():
    await asyncio.gather(a(), b())  # refused: asyncio.gather
    await self.gather()


match x:
    case {"a": 1} if eval:  # refused: the built-in eval
        pass
with open("/tmp/x") as f:
    pass
n = 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
n = -0x10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000  # refused: an integer of more than 4,096 bits
n = 999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999
n = 9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999  # refused: an integer of more than 4,096 bits
