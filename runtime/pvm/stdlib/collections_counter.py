def _is_mapping(obj):
    return isinstance(obj, dict) or hasattr(obj, "keys") and hasattr(obj, "items")


def _merged(a, b, combine):
    """The positive results of combine over the counts of both counters."""
    result = Counter()
    for elem in {**a, **b}:
        count = combine(a[elem], b[elem])
        if count > 0:
            result[elem] = count
    return result


def _every(a, b, holds):
    """Whether holds is true of the two counts of every element of either counter."""
    for elem in {**a, **b}:
        if not holds(a[elem], b[elem]):
            return False
    return True


class Counter(dict):
    """A dict of elements and how often each was counted; absent elements count zero."""

    def __init__(self, iterable=None, /, **kwds):
        _work(250)
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def __delitem__(self, elem):
        if elem in self:
            super().__delitem__(elem)

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        ranking = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return ranking if n is None else ranking[:max(n, 0)]

    def elements(self):
        from itertools import chain, repeat, starmap
        return chain.from_iterable(starmap(repeat, self.items()))

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **kwds):
        """Add counts: those of a mapping, one for each value of another iterable."""
        if iterable is not None:
            if not _is_mapping(iterable):
                _count_elements(self, iterable)
            elif not self:
                super().update(iterable)
            else:
                for elem, count in iterable.items():
                    self[elem] = count + self.get(elem, 0)
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        """Take counts away; the results may be zero or negative."""
        if iterable is not None:
            pairs = iterable.items() if _is_mapping(iterable) else ((elem, 1) for elem in iterable)
            for elem, count in pairs:
                self[elem] = self.get(elem, 0) - count
        if kwds:
            self.subtract(kwds)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def __repr__(self):
        name = self.__class__.__name__
        if not self:
            return name + "()"
        _work(200)
        try:
            shown = dict(self.most_common())
        except TypeError:  # counts that have no order
            shown = dict(self)
        return f"{name}({shown!r})"

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return _every(self, other, lambda a, b: a == b)

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    __hash__ = None

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return _every(self, other, lambda a, b: a <= b)

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return _every(self, other, lambda a, b: a >= b)

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return _merged(self, other, lambda a, b: a + b)

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return _merged(self, other, lambda a, b: a - b)

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return _merged(self, other, lambda a, b: b if a < b else a)

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return _merged(self, other, lambda a, b: a if a < b else b)

    def __pos__(self):
        return _merged(self, Counter(), lambda a, b: a)

    def __neg__(self):
        return _merged(self, Counter(), lambda a, b: b - a)

    def _positive(self):
        """Drop what is not above zero, in place."""
        for elem in [elem for elem, count in self.items() if not count > 0]:
            del self[elem]
        return self

    def __iadd__(self, other):
        for elem, count in other.items():
            self[elem] += count
        return self._positive()

    def __isub__(self, other):
        for elem, count in other.items():
            self[elem] -= count
        return self._positive()

    def __ior__(self, other):
        for elem, count in other.items():
            if self[elem] < count:
                self[elem] = count
        return self._positive()

    def __iand__(self, other):
        for elem, count in self.items():
            self[elem] = min(count, other[elem])
        return self._positive()
