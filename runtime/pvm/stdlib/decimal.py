_tuple_class = None


def _decimal_tuple(sign, digits, exponent):
    global _tuple_class
    if _tuple_class is None:
        from collections import namedtuple
        _tuple_class = namedtuple("DecimalTuple", "sign digits exponent", module="decimal")
    return _tuple_class(sign, digits, exponent)


def __getattr__(name):
    if name == "DecimalTuple":
        _decimal_tuple(0, (), 0)
        return _tuple_class
    raise AttributeError(f"module 'decimal' has no attribute {name!r}")
