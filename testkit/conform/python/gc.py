def collect(generation=2):
    return 0


def enable():
    pass


disable = enable


def isenabled():
    return True


def get_threshold():
    return (700, 10, 10)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("gc." + name)
