# There are no warnings: filters change nothing and nothing is recorded.


def warn(*args, **kwargs):
    pass


warn_explicit = simplefilter = filterwarnings = resetwarnings = warn
_filters_mutated = warn
filters = []


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record = record

    def __enter__(self):
        return [] if self._record else None

    def __exit__(self, *args):
        return False


class WarningMessage:
    pass


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("warnings." + name)
