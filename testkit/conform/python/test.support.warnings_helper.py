# There are no warnings: these run what they are given and find none.
from test.support import _manager


class _Recorder:
    warnings = ()

    def reset(self):
        pass


@_manager
def check_warnings(*filters, **kwargs):
    yield _Recorder()


@_manager
def check_no_warnings(case, message="", category=Warning, force_gc=False):
    yield


check_no_resource_warning = check_no_warnings


@_manager
def save_restore_warnings_filters():
    yield


def ignore_warnings(*, category):
    return lambda test: test


def check_syntax_warning(case, statement, errtext="", *, lineno=1, offset=None):
    compile(statement, "<testcase>", "exec")


def import_deprecated(name):
    return __import__(name)
