# Operations drawn from a fixed sequence, one file open at a time; a seek stands between reading and writing, as C's library wants it.
state = 12345


def draw(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % n


PIECES = ["a", "bc", "\n", "\r\n", "\r", "é", "€", "𝄞", "line\n", "", "x" * 70, "\n\n", "\r\r\n"]


def text():
    return "".join(PIECES[draw(len(PIECES))] for _ in range(draw(5)))


def show(what, *args):
    try:
        return what(*args)
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


for n in range(400):
    mode = ["r", "w", "a", "x", "r+", "w+", "a+"][draw(7)]
    binary = draw(2)
    name = "/tmp/" + ("pqr", "stu")[binary][draw(3)]
    newline = None if binary else [None, None, "", "\n", "\r", "\r\n"][draw(6)]
    f = show(lambda: open(name, mode + "b" * binary, newline=newline))
    if isinstance(f, str):
        print(n, f)
        continue
    out = [n, name, f.mode, newline, f.tell()]
    known = [0]
    last = ""
    for _ in range(draw(8)):
        kind = ["read", "write", "seek"][draw(3)]
        if kind != last and last and kind != "seek":
            out.append(f.seek(known[draw(len(known))]))
        last = kind
        if kind == "seek":
            if binary:
                out.append(show(f.seek, draw(60), [0, 0, 0, 2][draw(4)]) if draw(3) else show(f.seek, -draw(9), 2))
            else:
                out.append(f.seek(0, 2) if draw(2) else f.seek(known[draw(len(known))]))
        elif kind == "read":
            how = draw(5)
            if how == 0:
                out.append(show(f.read))
            elif how == 1:
                out.append(show(f.read, draw(9)))
            elif how == 2:
                out.append(show(f.readline))
            elif how == 3:
                out.append(show(f.readline, draw(6)))
            else:
                out.append(show(f.readlines, draw(20)))
        else:
            t = text()
            out.append(show(f.write, t.encode() if binary else t))
            f.flush()
            if f.writable():
                known.append(f.tell())
            if not draw(6):
                out.append(show(f.truncate))
    f.close()
    print(*[repr(x) for x in out])
for name in "pqrstu":
    print(name, open("/tmp/" + name, "rb").read())
