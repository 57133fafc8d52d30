# There are no files: directories can be named, and that is all.


def mkdtemp(suffix=None, prefix=None, dir=None):
    return "@directory"


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("tempfile." + name)
