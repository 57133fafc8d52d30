# Every mode: what a new file is, what it may do, and what it says when it is closed.


def show(what, *args):
    try:
        got = what(*args)
        return repr(got)
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


def fill():
    with open("/tmp/x", "w", newline="") as f:
        f.write("a\nb\r\nc\rd")


for n, mode in enumerate(["r", "w", "a", "x", "r+", "w+", "a+", "x+", "rt", "wt", "rb", "wb", "ab", "xb", "r+b", "rb+", "w+b", "a+b", "+ab", "x+b"]):
    fill()
    binary = "b" in mode
    f = open("/tmp/new" + str(n) if "x" in mode else "/tmp/x", mode)
    print(mode, type(f).__name__, f.mode, f.closed, f.readable(), f.writable(), f.seekable(), f.isatty(), f.tell(), f.name)
    print(f)
    data = b"z" if binary else "z"
    for what, args in [("read", ()), ("readline", ()), ("readlines", ()), ("write", (data,)), ("writelines", ([data, data],)), ("truncate", (5,)), ("tell", ()), ("seek", (1,)),
                       ("read", (2,)), ("__next__", ()), ("flush", ())]:
        print("  ", what, show(lambda: getattr(f, what)(*args)))
    if binary:
        print("  ", "readinto", show(lambda: f.readinto(bytearray(2))))
    print("  ", f.close(), f.close(), f.closed, f.name, f.mode)
    print("  ", f)
    for what, args in [("read", ()), ("read", (0,)), ("readline", ()), ("readlines", ()), ("write", (data,)), ("writelines", ([],)), ("truncate", ()), ("truncate", (1,)),
                       ("tell", ()), ("seek", (0,)), ("flush", ()), ("__next__", ()), ("__iter__", ()), ("__enter__", ()), ("readable", ()), ("writable", ()),
                       ("seekable", ()), ("isatty", ()), ("close", ())]:
        print("     ", what, args, show(lambda: getattr(f, what)(*args)))

for mode in ["", "q", "rw", "rr", "b", "+", "r++", "rbt", "bt", "U", "rU", "wx", "ra", 5, None, "r\n", "rrrrrrrrrrrrrrrrrrrr"]:
    print(repr(mode), show(lambda: open("/tmp/x", mode)))

fill()
for mode in ["rb", "wb", "r+b"]:
    f = open("/tmp/x", mode, buffering=0)
    print(f, f.mode, f.readable(), f.writable())
    print(show(lambda: f.read(1)), show(lambda: f.write(b"q")), show(f.readall), show(lambda: f.readinto(bytearray(1))), show(f.tell))
    f.close()
    print(f, show(f.read), show(f.tell), show(f.flush), show(lambda: f.seek(0)), show(f.readlines), show(f.readall))
