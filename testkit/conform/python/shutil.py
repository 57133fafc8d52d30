from collections import namedtuple as _namedtuple

_Size = _namedtuple("terminal_size", "columns lines")


def rmtree(path, ignore_errors=False, onerror=None):
    pass


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("shutil." + name)


def get_terminal_size(fallback=(80, 24)):
    import os
    return _Size(int(os.environ.get("COLUMNS", fallback[0])), fallback[1])
