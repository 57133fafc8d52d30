# What single exception types know beyond their arguments.


def tried(f, *args, **kw):
    try:
        r = f(*args, **kw)
    except Exception as e:
        print(type(e).__name__, e)
    else:
        print(repr(r), "|", r, "|", r.args)
        return r


def show(e, *names):
    print(*[f"{n}={getattr(e, n)!r}" for n in names])


e = tried(OSError, 2, "nothing there", "a.txt")
show(e, "errno", "strerror", "filename", "filename2")
e = tried(OSError, 17, "there", "a", 0, "b")
show(e, "errno", "strerror", "filename", "filename2")
e = tried(OSError, "text")
show(e, "errno", "strerror", "filename")
e = tried(OSError, 1, 2, 3, 4, 5, 6)
show(e, "errno", "filename")
tried(OSError, "a", "b", None)
e = tried(BlockingIOError, "a", "b", 3)
show(e, "characters_written", "filename")
del e.characters_written
print(hasattr(e, "characters_written"))
e.characters_written = 9
show(e, "characters_written")


class Quiet(OSError):
    def __init__(self, *args, more=None):
        self.more = more
        super().__init__(*args)


class Made(OSError):
    def __new__(cls, *args, more=None):
        self = super().__new__(cls, *args)
        self.more = more
        return self


for cls in (Quiet, Made):
    e = tried(cls, 2, "no", "f", more=1)
    show(e, "errno", "filename", "more")
tried(OSError, 1, x=2)

e = tried(ImportError, "m", name="n", path="p")
show(e, "msg", "name", "path")
e.__init__()
show(e, "msg", "name", "path", "args")
tried(ImportError, "m", other=1)
e = tried(AttributeError, "m", name="n", obj=3)
show(e, "name", "obj")

e = tried(SyntaxError, "bad", ("dir/f.py", 3, 5, "text"))
show(e, "msg", "filename", "lineno", "offset", "text", "end_lineno", "end_offset", "print_file_and_line")
e = tried(SyntaxError, "bad", ("f.py", 3, 5, "text", 3, 9))
show(e, "end_lineno", "end_offset")
e.lineno = 8
print(e)
e.filename = None
print(e)
tried(SyntaxError, "bad", ("f.py", 1, 2))
tried(SyntaxError, "bad", ("f.py", 1, 2, "t", 5))
tried(SyntaxError, "bad", ("f.py", 1, 2, "t", 5, 6, 7))
tried(SyntaxError, "bad", ("f.py", "x", 2, "t"))
tried(SyntaxError)
tried(SyntaxError, "only")

u = tried(UnicodeEncodeError, "baz", "xéy😀z", 1, 5, "foo")
for end in (2, 5):
    u.end = end
    print(u)
u.start, u.end = 3, 4
print(u)
u.reason, u.encoding = 17, 4000
print(u)
u.start = 1000
print(u)
u = tried(UnicodeDecodeError, "utf-8", b"a\xffb", 1, 2, "bad")
u.end = 3
print(u)
show(u, "encoding", "object", "start", "end", "reason")
u = tried(UnicodeDecodeError, "utf-8", bytearray(b"\x80"), 0, 1, "bad")
show(u, "object")
u = tried(UnicodeTranslateError, "aéb", 1, 2, "no")
u.end = 3
print(u)
tried(UnicodeEncodeError, "a", "b", 1, 2)
tried(UnicodeEncodeError, "a", b"b", 1, 2, "r")
tried(UnicodeDecodeError, "a", "b", 1, 2, "r")
tried(UnicodeEncodeError, "a", "b", "c", 2, "r")
tried(UnicodeTranslateError, "a", 1, 2)
print(repr(str(UnicodeEncodeError.__new__(UnicodeEncodeError))))

# Groups are split into groups made anew, even where nothing is left out.


class Group(ExceptionGroup):
    pass


g = Group("g", [ValueError(1), Group("in", [TypeError(2)])])
for match in (ValueError, TypeError, OSError, (ValueError, TypeError)):
    print([type(x).__name__ + repr(x) if x else x for x in g.split(match)])


class Bad(Exception):
    def __new__(cls, *args):
        return 3


def gen():
    try:
        yield 1
    except TypeError as e:
        print("inside:", e)
        yield 2


it = gen()
next(it)
print(it.throw(Bad))
