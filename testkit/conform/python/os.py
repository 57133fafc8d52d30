# Paths, and an environment of no variables: the parts of os that work on text.
import _absent
from abc import ABC as _ABC

name = "posix"
curdir, pardir, sep, altsep, extsep, pathsep, linesep, devnull, defpath = ".", "..", "/", None, ".", ":", "\n", "/dev/null", ""
environ = {}


def getcwd():
    return "/"


supports_bytes_environ = False


class PathLike(_ABC):
    @classmethod
    def __subclasshook__(cls, subclass):
        return hasattr(subclass, "__fspath__")


def fspath(p):
    if isinstance(p, (str, bytes)):
        return p
    if not hasattr(type(p), "__fspath__"):
        raise TypeError("expected str, bytes or os.PathLike object, not " + type(p).__name__)
    text = type(p).__fspath__(p)
    if not isinstance(text, (str, bytes)):
        raise TypeError("expected %s.__fspath__() to return str or bytes, not %s" % (type(p).__name__, type(text).__name__))
    return text


def fsencode(p):
    p = fspath(p)
    return p.encode() if isinstance(p, str) else p


def fsdecode(p):
    p = fspath(p)
    return p.decode() if isinstance(p, bytes) else p


def getenv(key, default=None):
    return environ.get(key, default)


def listdir(where="."):
    return []


def _missing(p, *args, **kwargs):
    raise FileNotFoundError(2, "No such file or directory", p)


stat = lstat = _missing


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name == "path":
        import posixpath
        return posixpath
    full = "os." + name
    return _absent.values[full] if full in _absent.values else _absent.Absent(full)
