# What a path means, and how it fails.
class Path:
    def __init__(self, to):
        self.to = to

    def __fspath__(self):
        return self.to

    def __repr__(self):
        return "Path(" + repr(self.to) + ")"


def tried(path, mode="r"):
    try:
        with open(path, mode) as f:
            print(repr(path), mode, "opens", repr(f.name), f.closed)
    except Exception as e:
        print(repr(path), mode, type(e).__name__, e, getattr(e, "errno", None), repr(getattr(e, "filename", None)), getattr(e, "args", None))


with open("/tmp/x", "w") as f:
    f.write("x")
for path in ["/tmp/x", b"/tmp/x", "/tmp/./x", "/tmp//x", "/tmp/.//./x", Path("/tmp/x"), Path(b"/tmp/x"), "/tmp/...", "/tmp/é", "/tmp/ ", "/tmp/.x"]:
    for mode in ["r", "w", "r", "a", "r+b"]:
        tried(path, mode)
for path in ["/tmp", "/tmp/", "/tmp/.", "/tmp/./", "/tmp//"]:
    for mode in ["r", "w", "a", "r+"]:
        tried(path, mode)
for path in ["/tmp/none", "/tmp/none/", "/tmp/none/y", "/tmp/x/", "/tmp/x/y", "/tmp/x/.", "/tmp/x/..", "/tmp/x/../x", "/tmp/none/../x", ""]:
    tried(path)
    tried(path, "r+")
for path in ["/tmp/none/", "/tmp/x/", "/tmp/none/y", "/tmp/x/y"]:
    tried(path, "w")
    tried(path, "a")
    tried(path, "x")
tried("/tmp/x", "x")
tried("/tmp/" + "n" * 255, "w")
tried("/tmp/" + "n" * 256, "w")
tried("/tmp/" + "é" * 128, "w")
tried("/tmp/\0")
tried(b"/tmp/a\0b")
tried("\ud800", "w")
for path in [1.5, None, [], bytearray(b"/tmp/x"), -1, -5]:
    tried(path)
for path in [Path(5), Path(None)]:
    try:
        open(path)
    except TypeError as e:
        print(e)
for options in [{"encoding": "utf-8"}, {"errors": "strict"}, {"newline": ""}]:
    try:
        open("/tmp/x", "rb", **options)
    except ValueError as e:
        print(e)
for options in [{"buffering": 0}, {"closefd": False}, {"encoding": 5}, {"errors": 5}, {"encoding": "nope"}]:
    try:
        open("/tmp/x", **options)
    except (ValueError, TypeError, LookupError) as e:
        print(type(e).__name__, e)
for encoding in ["utf-8", "utf8", "UTF-8", "U8"]:
    print(open("/tmp/x", encoding=encoding, errors="strict"), open("/tmp/x", encoding=encoding).encoding)
