# Dates for tests that need some class with values of three numbers.
class timedelta:
    def __new__(cls, days=0, seconds=0, microseconds=0):
        self = object.__new__(cls)
        self.days, self.seconds, self.microseconds = days, seconds, microseconds
        return self

    def _key(self):
        return self.days * 86400 + self.seconds, self.microseconds

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __bool__(self):
        return self._key() != (0, 0)

    def __add__(self, other):
        return timedelta(self.days + other.days, self.seconds + other.seconds, self.microseconds + other.microseconds)

    __radd__ = __add__

    def __mul__(self, n):
        return timedelta(self.days * n, self.seconds * n, self.microseconds * n)

    __rmul__ = __mul__


class date:
    def __new__(cls, year, month, day):
        self = object.__new__(cls)
        self.year, self.month, self.day = year, month, day
        return self

    def _key(self):
        return self.year, self.month, self.day

    def __eq__(self, other):
        return isinstance(other, date) and self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return "datetime.date(%d, %d, %d)" % self._key()

    def isoformat(self):
        return "%04d-%02d-%02d" % self._key()

    __str__ = isoformat

    def __format__(self, spec):
        text = str(self)
        if spec:
            text = spec.replace("%Y", "%04d" % self.year).replace("%m", "%02d" % self.month).replace("%d", "%02d" % self.day)
        return text


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("datetime." + name)
