from enum import ReprEnum, StrEnum


class FlagBoundary(StrEnum):
    """What a flag does with bits that no member has."""

    STRICT = auto()
    CONFORM = auto()
    EJECT = auto()
    KEEP = auto()


STRICT, CONFORM, EJECT, KEEP = FlagBoundary
_EJECT = EJECT


class Flag(Enum, boundary=STRICT):
    """An enumeration whose members are combined by bits."""

    _numeric_repr_ = repr

    def _generate_next_value_(name, start, count, last_values):
        """The value of auto(): the lowest power of two above the highest value so far."""
        if not last_values:
            return start if start is not None else 1
        last_value = max(last_values)
        try:
            high_bit = last_value.bit_length() - 1
        except Exception:
            raise TypeError("invalid flag value %r" % last_value) from None
        return 2 ** (high_bit + 1)

    @classmethod
    def _iter_member_by_value_(cls, value):
        """The single-bit members of value, lowest first."""
        for bit in _bits(value & cls._flag_mask_):
            flag = cls._value2member_map_.get(bit)
            if flag is not None:
                yield flag

    _iter_member_ = _iter_member_by_value_

    @classmethod
    def _iter_member_by_def_(cls, value):
        """The single-bit members of value in the order of their definition."""
        yield from sorted(cls._iter_member_by_value_(value), key=lambda m: m._sort_order_)

    @classmethod
    def _missing_(cls, value):
        """Make the member that stands for a combination of flags."""
        if not isinstance(value, int):
            raise ValueError("%r is not a valid %s" % (value, cls.__qualname__))
        mask, all_bits = cls._flag_mask_, cls._all_bits_
        if not ~all_bits <= value <= all_bits or value & (all_bits ^ mask):
            boundary = cls._boundary_
            if boundary is STRICT:
                width = max(value.bit_length(), mask.bit_length())
                raise ValueError("%r invalid value %r\n    given %s\n  allowed %s"
                                 % (cls, value, _binary(value, width), _binary(mask, width)))
            if boundary is CONFORM:
                value &= mask
            elif boundary is EJECT:
                return value
            elif boundary is KEEP:
                if value < 0:
                    value += max(all_bits + 1, 2 ** value.bit_length())
            else:
                raise ValueError("%r unknown flag boundary %r" % (cls, boundary))
        negative = None
        if value < 0:
            negative = value
            value += all_bits + 1
        unknown = value & ~mask
        if unknown and cls._boundary_ is not KEEP:
            raise ValueError("%s(%r) -->  unknown values %r [%s]" % (cls.__name__, value, unknown, _binary(unknown)))
        make = getattr(cls, "__new_member__", None)
        if cls._member_type_ is object and not make:
            combined = object.__new__(cls)
        else:
            combined = (make or cls._member_type_.__new__)(cls, value)
        if not hasattr(combined, "_value_"):
            combined._value_ = value
        combined._name_ = None
        if value & mask:
            members = list(cls._iter_member_(value & mask))
            if value & ~cls._singles_mask_:
                # Names of several bits, some of which have no name of their own.
                members += [m for m in cls._member_map_.values()
                            if m._value_ and m._value_ & value == m._value_ and m not in members]
            covered = 0
            for m in members:
                covered |= m._value_
            rest = value ^ covered
            if members:
                if rest and cls._boundary_ is STRICT:
                    raise ValueError("%r: no members with value %r" % (cls, rest))
                combined._name_ = "|".join([m._name_ for m in members] + ([str(cls._numeric_repr_(rest))] if rest else []))
        combined = cls._value2member_map_.setdefault(value, combined)
        if negative is not None:
            cls._value2member_map_[negative] = combined
        return combined

    def __contains__(self, other):
        if not isinstance(other, self.__class__):
            raise TypeError("unsupported operand type(s) for 'in': %r and %r"
                            % (type(other).__qualname__, self.__class__.__qualname__))
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        yield from self._iter_member_(self._value_)

    def __len__(self):
        return self._value_.bit_count()

    def __repr__(self):
        show = self.__class__._value_repr_ or repr
        name = self.__class__.__name__
        if self._name_ is not None:
            name += "." + self._name_
        return "<%s: %s>" % (name, show(self._value_))

    def __str__(self):
        if self._name_ is None:
            return "%s(%r)" % (self.__class__.__name__, self._value_)
        return "%s.%s" % (self.__class__.__name__, self._name_)

    def __bool__(self):
        return bool(self._value_)

    def _operand(self, other):
        """The bits of another operand, None if it is not one."""
        if isinstance(other, self.__class__):
            return other._value_
        if self._member_type_ is not object and isinstance(other, self._member_type_):
            return other
        return None

    def __or__(self, other):
        bits = self._operand(other)
        return NotImplemented if bits is None else self.__class__(self._value_ | bits)

    def __and__(self, other):
        bits = self._operand(other)
        return NotImplemented if bits is None else self.__class__(self._value_ & bits)

    def __xor__(self, other):
        bits = self._operand(other)
        return NotImplemented if bits is None else self.__class__(self._value_ ^ bits)

    def __invert__(self):
        if self._boundary_ in (EJECT, KEEP):
            return self.__class__(~self._value_)
        return self.__class__(self._singles_mask_ & ~self._value_)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__


_Flag = Flag


class IntFlag(int, ReprEnum, Flag, boundary=KEEP):
    """Flags that are ints."""
