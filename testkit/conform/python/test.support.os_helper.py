TESTFN = TESTFN_ASCII = "@test"
TESTFN_UNICODE = TESTFN_NONASCII = TESTFN_UNDECODABLE = TESTFN_UNENCODABLE = None


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
