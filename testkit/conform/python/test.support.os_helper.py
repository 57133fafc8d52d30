TESTFN = TESTFN_ASCII = "@test"
TESTFN_UNICODE = TESTFN_NONASCII = FS_NONASCII = TESTFN_UNDECODABLE = TESTFN_UNENCODABLE = None


class FakePath:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


def unlink(name):
    pass


rmtree = rmdir = unlink


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("test.support.os_helper." + name)


def _same(test):
    return test


skip_unless_working_chmod = skip_if_dac_override = _same


class EnvironmentVarGuard(dict):
    def __init__(self):
        import os
        self._environ = os.environ
        self._before = dict(os.environ)

    def __setitem__(self, name, value):
        self._environ[name] = value

    def __getitem__(self, name):
        return self._environ[name]

    set = __setitem__

    def unset(self, name):
        self._environ.pop(name, None)

    __delitem__ = unset

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self._environ.clear()
        self._environ.update(self._before)
