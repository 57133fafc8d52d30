# The tests of json with the one implementation there is: what tests take from the
# modules inside the package is made of what json offers. Documents are canonical on
# the machine unless a program asks for something else; the tests ask for CPython's
# defaults.
import json
import unittest


class _Inside:
    def __init__(self, **names):
        self.__dict__.update(names)


def _scanstring(s, end, strict=True):
    return json.JSONDecoder(strict=strict).raw_decode(s, end - 1)


def _layout(options):
    options.setdefault("sort_keys", False)
    options.setdefault("ensure_ascii", True)
    if options.get("separators") is None:
        options["separators"] = (", " if options.get("indent") is None else ",", ": ")
    return options


class _Encoder(json.JSONEncoder):
    def __init__(self, **options):
        super().__init__(**_layout(options))


def _dumps(obj, **options):
    return json.dumps(obj, **_layout(options))


def _dump(obj, file, **options):
    return json.dump(obj, file, **_layout(options))


class _Module:
    JSONDecoder = json.JSONDecoder
    JSONEncoder = _Encoder
    JSONDecodeError = json.JSONDecodeError
    dump = staticmethod(_dump)
    dumps = staticmethod(_dumps)
    load = staticmethod(json.load)
    loads = staticmethod(json.loads)
    decoder = _Inside(scanstring=_scanstring, JSONDecoder=json.JSONDecoder, JSONDecodeError=json.JSONDecodeError)
    encoder = _Inside(encode_basestring_ascii=_dumps, encode_basestring=lambda s: json.dumps(s, ensure_ascii=False),
                      JSONEncoder=_Encoder)


class CTest(unittest.TestCase):
    json = _Module
    loads = staticmethod(json.loads)
    dumps = staticmethod(_dumps)
    JSONDecodeError = json.JSONDecodeError


@unittest.skip("there is one implementation of json")
class PyTest(CTest):
    pass
