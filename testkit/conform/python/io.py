# Files in memory.
import _absent


class _Base:
    closed = False

    def close(self):
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def flush(self):
        pass

    def isatty(self):
        return False

    def readable(self):
        return True

    writable = seekable = readable

    def __init__(self, initial=None, newline="\n"):
        self._data = self._empty if initial is None else initial
        self._at = 0

    def getvalue(self):
        return self._data

    def write(self, text):
        end = self._at + len(text)
        self._data = self._data[:self._at] + text + self._data[end:]
        self._at = end
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def read(self, n=-1):
        end = len(self._data) if n is None or n < 0 else self._at + n
        out = self._data[self._at:end]
        self._at += len(out)
        return out

    def readline(self, n=-1):
        i = self._data.find(self._newline, self._at)
        end = len(self._data) if i < 0 else i + 1
        return self.read(end - self._at)

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def seek(self, at, whence=0):
        self._at = at + (0, self._at, len(self._data))[whence]
        return self._at

    def tell(self):
        return self._at

    def truncate(self, size=None):
        self._data = self._data[:self._at if size is None else size]


class StringIO(_Base):
    _empty, _newline = "", "\n"
    encoding = "utf-8"
    errors = None


class BytesIO(_Base):
    _empty, _newline = b"", b"\n"


    def readinto(self, buffer):
        data = self.read(len(buffer))
        buffer[:len(data)] = data
        return len(data)


class BufferedWriter:
    def __init__(self, raw):
        self.raw = raw

    def write(self, data):
        return self.raw.write(data)

    def flush(self):
        pass


class TextIOWrapper:
    encoding, errors = "utf-8", "strict"

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def __init__(self, buffer, encoding=None, errors=None, newline=None):
        self.buffer = buffer

    def write(self, text):
        self.buffer.write(text.encode())
        return len(text)

    def read(self):
        return self.buffer.read().decode()

    def flush(self):
        pass

    def isatty(self):
        return False


class IOBase:
    pass


class TextIOBase(IOBase):
    pass


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _absent.Absent("io." + name)
