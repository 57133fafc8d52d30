import unittest as _unittest


def import_module(name, deprecated=False, *, required_on=()):
    module = __import__(name)
    for part in name.split(".")[1:]:
        module = getattr(module, part)
    return module


def import_fresh_module(name, fresh=(), blocked=(), deprecated=False):
    # There is one implementation of every module.
    try:
        return import_module(name)
    except ImportError:
        return None


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("test.support.import_helper." + name)
