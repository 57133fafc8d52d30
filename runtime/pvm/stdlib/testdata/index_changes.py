# Indices and bounds that change the sequence they are used on; on a bytearray CPython itself fails.
from collections import deque


class Index:
    def __init__(self, value, change):
        self.value, self.change = value, change

    def __index__(self):
        self.change()
        return self.value


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


for make in (list, deque):
    for change in ("clear", "grow"):
        for at in (0, 2, -1):
            seq = make([1, 2, 3, 4, 5])
            act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
            name = "%s %s %d" % (make.__name__, change, at)
            show(name + " get", lambda: seq[Index(at, act)])
            seq = make([1, 2, 3, 4, 5])
            act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
            show(name + " set", lambda: seq.__setitem__(Index(at, act), 9))
            print(seq)
            seq = make([1, 2, 3, 4, 5])
            act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
            show(name + " del", lambda: seq.__delitem__(Index(at, act)))
            print(seq)
            if make is deque:
                continue
            for step in (1, 2, -1):
                seq = make([1, 2, 3, 4, 5])
                act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
                show(name + " slice %d" % step, lambda: seq[Index(at, act)::step])
                seq = make([1, 2, 3, 4, 5])
                act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
                show(name + " set slice %d" % step, lambda: seq.__setitem__(slice(None, Index(at, act), step), [6, 6]))
                print(seq)
                seq = make([1, 2, 3, 4, 5])
                act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
                show(name + " del slice %d" % step, lambda: seq.__delitem__(slice(Index(at, act), None, step)))
                print(seq)
            seq = make([1, 2, 3, 4, 5])
            act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
            show(name + " pop", lambda: seq.pop(Index(at, act)))
            print(seq)
            seq = make([1, 2, 3, 4, 5])
            act = seq.clear if change == "clear" else lambda: seq.extend([7, 8, 9])
            show(name + " insert", lambda: seq.insert(Index(at, act), 0))
            print(seq)
            show(name + " index", lambda: seq.index(5, Index(at, act)))
            seq = make([1, 2, 3])
            show(name + " repeat", lambda: seq * Index(abs(at), act))
