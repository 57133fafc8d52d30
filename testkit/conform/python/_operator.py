# What package operator does not do in Python as the interpreter does.


def index(a):
    return range(a).stop


def _compare_digest(a, b):
    if isinstance(a, str) != isinstance(b, str) or isinstance(a, str) and not (a.isascii() and b.isascii()):
        raise TypeError("unsupported operand types(s) or combination of types")
    return a == b
