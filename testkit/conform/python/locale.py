# The locale of the machine, C.UTF-8, which cannot be changed.
LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES, LC_ALL = range(7)
CHAR_MAX = 127


class Error(Exception):
    pass


def getlocale(category=LC_CTYPE):
    return (None, None)


def setlocale(category, locale=None):
    if locale not in (None, "", "C", "POSIX", (None, None)):
        raise Error("unsupported locale setting")
    return "C"


def localeconv():
    return {"decimal_point": ".", "thousands_sep": "", "grouping": []}


def getpreferredencoding(do_setlocale=True):
    return "UTF-8"


getencoding = getpreferredencoding


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("locale." + name)
