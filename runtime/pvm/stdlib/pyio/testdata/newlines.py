# What newline= does to reading and writing.
with open("/tmp/x", "wb") as f:
    f.write(b"a\nb\r\nc\rd\r\n\r\r\n\n")
for nl in [None, "", "\n", "\r", "\r\n"]:
    with open("/tmp/x", newline=nl) as f:
        print(repr(nl), f.readlines(), f.newlines)
        f.seek(0)
        print(repr(f.read()))
        f.seek(0)
        print([f.read(2), f.read(2), f.readline(), f.readline(1), f.readline(4), f.read(3), f.read()])
    with open("/tmp/x", newline=nl) as f:
        print(list(f))
    with open("/tmp/y", "w", newline=nl) as f:
        print(f.write("a\nb\r\nc\rd\n"), f.tell())
    print(open("/tmp/y", "rb").read())
for nl in ["q", "\n\n", 5, b"\n", "\n\r"]:
    try:
        open("/tmp/x", newline=nl)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, repr(str(e)))
for data in [b"", b"\n", b"\r", b"\r\n", b"a", b"a\r", b"\n\r", b"\r\r\n\n"]:
    with open("/tmp/z", "wb") as f:
        f.write(data)
    with open("/tmp/z") as f:
        print(data, f.readlines(), f.newlines, f.tell(), [line for line in open("/tmp/z", newline="")], repr(open("/tmp/z").read(1)))
