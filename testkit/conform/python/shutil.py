def rmtree(path, ignore_errors=False, onerror=None):
    pass


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("shutil." + name)
