from enum import Flag, FlagBoundary, ReprEnum, StrEnum


def show_flag_values(value):
    """The single-bit values of a flag."""
    return list(_bits(getattr(value, "value", value)))


class EnumCheck(StrEnum):
    """What verify() can check."""

    CONTINUOUS = "no skipped integer values"
    NAMED_FLAGS = "multi-flag aliases may not contain unnamed flags"
    UNIQUE = "one name per value"


CONTINUOUS, NAMED_FLAGS, UNIQUE = EnumCheck


class verify:
    """Class decorator that checks an enumeration for the given constraints."""

    def __init__(self, *checks):
        self.checks = checks

    def __call__(self, enumeration):
        for check in self.checks:
            if check is UNIQUE:
                aliases = [(name, m.name) for name, m in enumeration.__members__.items() if name != m.name]
                if aliases:
                    raise ValueError("aliases found in %r: %s" % (enumeration, ", ".join("%s -> %s" % a for a in aliases)))
            elif check is CONTINUOUS:
                self._continuous(enumeration)
            elif check is NAMED_FLAGS:
                self._named_flags(enumeration)
        return enumeration

    def _continuous(self, enumeration):
        if len(enumeration) < 2:
            return
        values = set(e.value for e in enumeration)
        low, high = min(values), max(values)
        if issubclass(enumeration, Flag):
            kind = "flag"
            expected = [2 ** i for i in range(low.bit_length() - 1, high.bit_length())]
        elif issubclass(enumeration, Enum):
            kind = "enum"
            expected = range(low, high + 1)
        missing = [v for v in expected if v not in values]
        if missing:
            raise ValueError(("invalid %s %r: missing values %s" % (kind, enumeration.__name__, ", ".join(map(str, missing))))[:256])

    def _named_flags(self, enumeration):
        names = enumeration._member_names_
        known = set(m._value_ for m in enumeration)
        missing_names = []
        missing_bits = 0
        for name, alias in enumeration._member_map_.items():
            if name in names or alias.value < 0:
                continue
            lost = [v for v in _bits(alias.value) if v not in known]
            if lost:
                missing_names.append(name)
                for v in lost:
                    missing_bits |= v
        if missing_names:
            if len(missing_names) == 1:
                alias = "alias %s is missing" % missing_names[0]
            else:
                alias = "aliases %s and %s are missing" % (", ".join(missing_names[:-1]), missing_names[-1])
            value = "value 0x%x" % missing_bits if _is_single_bit(missing_bits) else "combined values of 0x%x" % missing_bits
            raise ValueError("invalid Flag %r: %s %s [use enum.show_flag_values(value) for details]"
                             % (enumeration.__name__, alias, value))


def global_enum_repr(self):
    return "%s.%s" % (self.__class__.__module__.split(".")[-1], self._name_)


def global_flag_repr(self):
    module = self.__class__.__module__.split(".")[-1]
    cls_name = self.__class__.__name__
    if self._name_ is None:
        return "%s.%s(%r)" % (module, cls_name, self._value_)
    if _is_single_bit(self._value_):
        return "%s.%s" % (module, self._name_)
    if self._boundary_ is not FlagBoundary.KEEP:
        return "|".join(["%s.%s" % (module, name) for name in self.name.split("|")])
    return "|".join([n if n[0].isdigit() else "%s.%s" % (module, n) for n in self._name_.split("|")])


def global_str(self):
    if self._name_ is None:
        return "%s(%r)" % (self.__class__.__name__, self._value_)
    return self._name_


def global_enum(cls, update_str=False):
    """Class decorator that shows members without their class; the names are not exported."""
    cls.__repr__ = global_flag_repr if issubclass(cls, Flag) else global_enum_repr
    if not issubclass(cls, ReprEnum) or update_str:
        cls.__str__ = global_str
    return cls
