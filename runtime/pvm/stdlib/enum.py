# The classes that the metaclass knows, set once they exist. Flags are a part of
# their own, loaded when a program asks for one of its names.
_Enum = _Flag = _ReprEnum = _EJECT = None

_plain_property = property
_unset = object()
_namespace_of = type.__dict__["__dict__"].__get__  # whatever the metaclass


def _is_descriptor(obj):
    return hasattr(obj, "__get__") or hasattr(obj, "__set__") or hasattr(obj, "__delete__")


def _is_dunder(name):
    return len(name) > 4 and name[:2] == name[-2:] == "__" and name[2] != "_" and name[-3] != "_"


def _is_sunder(name):
    return len(name) > 2 and name[0] == name[-1] == "_" and name[1] != "_" and name[-2] != "_"


def _is_private(cls_name, name):
    prefix = f"_{cls_name}__"
    return len(name) > len(prefix) and name.startswith(prefix) and (name[-1] != "_" or name[-2] != "_")


def _is_single_bit(n):
    return n > 0 and n & (n - 1) == 0


def _bits(n):
    """The single bits of n, lowest first."""
    while n:
        bit = n & -n
        yield bit
        n ^= bit


def _binary(n, max_bits=None):
    """n in binary with its sign bit apart: 0b0 1010, and 0b1 0101 for its complement."""
    ceiling = 2 ** n.bit_length()
    s = bin(n + ceiling).replace("1", "0", 1) if n >= 0 else bin(~n ^ (ceiling - 1) + ceiling)
    sign, digits = s[:3], s[3:]
    if max_bits is not None and len(digits) < max_bits:
        digits = (sign[-1] * max_bits + digits)[-max_bits:]
    return f"{sign} {digits}"


class nonmember:
    """Protects its value from becoming a member of an enumeration."""

    def __init__(self, value):
        self.value = value


class member:
    """Makes its value a member of an enumeration although it is a descriptor."""

    def __init__(self, value):
        self.value = value


class auto:
    """Stands for a value that the enumeration makes up."""

    def __init__(self, value=_unset):
        self.value = value

    def __repr__(self):
        return "auto(%r)" % (self.value,)


class property(property):
    """A property that leaves its name, seen through the class, to a member of the same name."""

    name = None
    clsname = None
    member = None

    def __get__(self, instance, ownerclass=None):
        if instance is not None:
            if self.fget is not None:
                return self.fget(instance)
            raise AttributeError("%r member has no attribute %r" % (ownerclass, self.name))
        try:
            return ownerclass._member_map_[self.name]
        except KeyError:
            raise AttributeError("%r has no attribute %r" % (ownerclass, self.name)) from None

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("<enum %r> cannot set attribute %r" % (self.clsname, self.name))
        return self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError("<enum %r> cannot delete attribute %r" % (self.clsname, self.name))
        return self.fdel(instance)

    def __set_name__(self, ownerclass, name):
        self.name = name
        self.clsname = ownerclass.__name__


class EnumDict(dict):
    """The namespace of an enumeration's class body: it notes which names become members."""

    def __init__(self, cls_name=None):
        super().__init__()
        self._cls_name = cls_name
        self._member_names = {}
        self._last_values = []
        self._ignore = []
        self._auto_called = False
        self._generate_next_value = None

    def __setitem__(self, key, value):
        if self._cls_name is not None and _is_private(self._cls_name, key):
            pass
        elif _is_sunder(key):
            self._reserved(key, value)
            if key == "_ignore_" and isinstance(value, str):
                value = value.replace(",", " ").split()
        elif _is_dunder(key):
            if key == "__order__":
                key = "_order_"
        elif key in self._member_names:
            raise TypeError("%r already defined as %r" % (key, self[key]))
        elif key in self._ignore:
            pass
        elif isinstance(value, nonmember):
            value = value.value
        elif not _is_descriptor(value):
            if isinstance(value, member):
                value = value.value
            value = self._new_member(key, value)
        super().__setitem__(key, value)

    def _reserved(self, key, value):
        """A name with single underscores is one of those the class understands."""
        if key not in ("_order_", "_generate_next_value_", "_numeric_repr_", "_missing_", "_ignore_", "_iter_member_",
                       "_iter_member_by_value_", "_iter_member_by_def_", "_value_repr_"):
            raise ValueError("_sunder_ names, such as %r, are reserved for future Enum use" % (key,))
        if key == "_generate_next_value_":
            if self._auto_called:
                raise TypeError("_generate_next_value_ must be defined before members")
            self._generate_next_value = value.__func__ if isinstance(value, staticmethod) else value
        elif key == "_ignore_":
            names = value.replace(",", " ").split() if isinstance(value, str) else list(value)
            self._ignore = names
            already = set(names) & set(self._member_names)
            if already:
                raise ValueError("_ignore_ cannot specify already set names: %r" % (already,))

    def _new_member(self, key, value):
        if key in self:
            raise TypeError("%r already defined as %r" % (key, self[key]))
        if isinstance(value, auto):
            value = self._resolve(key, value)
        elif type(value) is tuple and any(isinstance(v, auto) for v in value):
            value = tuple(self._resolve(key, v) if isinstance(v, auto) else v for v in value)
        else:
            self._last_values.append(value)
        self._member_names[key] = None
        return value

    def _resolve(self, key, value):
        """What an auto() stands for; the next one counts on from it."""
        if value.value is _unset:
            value.value = self._generate_next_value(key, 1, len(self._member_names), self._last_values[:])
            self._auto_called = True
        self._last_values.append(value.value)
        return value.value

    def update(self, members, **more_members):
        pairs = members.items() if hasattr(members, "keys") else members
        for name, value in pairs:
            self[name] = value
        for name, value in more_members.items():
            self[name] = value


class _Proto:
    """Stands for a member in the namespace until the class exists, which then makes the member."""

    def __init__(self, value):
        self.value = value

    def __set_name__(self, cls, name):
        _work(1200)
        value = self.value
        args = value if isinstance(value, tuple) else (value,)
        if cls._member_type_ is tuple:
            args = (args,)
        new = cls._new_member_(cls, *args) if cls._use_args_ else cls._new_member_(cls)
        if not hasattr(new, "_value_"):
            if cls._member_type_ is object:
                new._value_ = value
            else:
                try:
                    new._value_ = cls._member_type_(*args)
                except Exception as exc:
                    failed = TypeError("_value_ not set in __new__, unable to create it")
                    failed.__cause__ = exc
                    raise failed
        value = new._value_
        new._name_ = name
        new.__objclass__ = cls
        new.__init__(*args)
        new._sort_order_ = len(cls._member_names_)
        known = self._known(cls, value)
        if known is None:
            self._count(cls, name, value)
        else:
            new = known  # another name of the same member
        self._publish(cls, name, new)
        cls._member_map_[name] = new
        try:
            cls._value2member_map_.setdefault(value, new)
        except TypeError:
            cls._unhashable_values_.append(value)

    @staticmethod
    def _known(cls, value):
        try:
            return cls._value2member_map_.get(value)
        except TypeError:
            for other in cls._member_map_.values():
                if other._value_ == value:
                    return other
            return None

    @staticmethod
    def _count(cls, name, value):
        """A flag of several bits is a name, but no member to iterate over."""
        if _Flag is None or not issubclass(cls, _Flag):
            cls._member_names_.append(name)
            return
        if isinstance(value, int):
            cls._flag_mask_ |= value
            if _is_single_bit(value):
                cls._singles_mask_ |= value
                cls._member_names_.append(name)
            cls._all_bits_ = 2 ** cls._flag_mask_.bit_length() - 1
        else:
            cls._member_names_.append(name)

    @staticmethod
    def _publish(cls, name, new):
        """Make the member an attribute, beside a property of the same name in a base."""
        found = None
        for base in cls.__mro__[1:]:
            found = _namespace_of(base).get(name)
            if hasattr(found, "fget") and hasattr(found, "fset") and hasattr(found, "fdel"):
                break
            found = None
        if found is not None:
            redirect = property(found.fget, found.fset, found.fdel)
            redirect.__set_name__(cls, name)
            setattr(cls, name, redirect)
        else:
            setattr(cls, name, new)


class EnumType(type):
    """The metaclass of enumerations."""

    @classmethod
    def __prepare__(metacls, cls, bases, **kwds):
        metacls._check_for_existing_members_(cls, bases)
        namespace = EnumDict(cls)
        member_type, first_enum = metacls._get_mixins_(cls, bases)
        if first_enum is not None:
            dict.__setitem__(namespace, "_generate_next_value_", getattr(first_enum, "_generate_next_value_", None))
            namespace._generate_next_value = getattr(first_enum, "_generate_next_value_", None)
        return namespace

    def __new__(metacls, cls, bases, classdict, *, boundary=None, _simple=False, **kwds):
        if _simple:
            return super().__new__(metacls, cls, bases, classdict, **kwds)
        _work(7000)
        ignored = list(classdict.get("_ignore_", ())) + ["_ignore_"]
        for name in ignored:
            dict.pop(classdict, name, None)
        names = [name for name in classdict._member_names if name not in ignored]
        invalid = set(names) & {"mro", ""}
        if invalid:
            raise ValueError("invalid enum member name(s) %s" % (",".join(repr(n) for n in invalid)))
        order = classdict.pop("_order_", None)
        generate = classdict.get("_generate_next_value_")
        if generate is not None and not isinstance(generate, staticmethod) and type(generate) is type(_bits):
            dict.__setitem__(classdict, "_generate_next_value_", staticmethod(generate))
        member_type, first_enum = metacls._get_mixins_(cls, bases)
        make, save_new, use_args = metacls._find_new_(classdict, member_type, first_enum)
        namespace = dict(classdict)
        for name in names:
            namespace[name] = _Proto(classdict[name])
        namespace.update(
            _new_member_=make, _use_args_=use_args, _member_names_=[], _member_map_={}, _value2member_map_={},
            _unhashable_values_=[], _member_type_=member_type,
            _boundary_=boundary or getattr(first_enum, "_boundary_", None), _flag_mask_=0, _singles_mask_=0, _all_bits_=0,
        )
        if "_value_repr_" not in namespace:
            namespace["_value_repr_"] = metacls._find_data_repr_(cls, bases)
        try:
            new = super().__new__(metacls, cls, bases, namespace, **kwds)
        except RuntimeError as e:
            # What went wrong while a member was made is the error.
            if e.__cause__ is not None:
                raise e.__cause__ from None
            raise
        new._prefer_enum_methods_(classdict, member_type, first_enum)
        if _Enum is not None:
            if save_new:
                new.__new_member__ = make
            new.__new__ = _Enum.__new__
        if _Flag is not None and issubclass(new, _Flag):
            new._complete_flag_()
        if order is not None:
            new._check_order_(order)
        return new

    def _prefer_enum_methods_(cls, classdict, member_type, first_enum):
        """Enum's own repr, str and format go before those of a data type mixed in."""
        if first_enum is None:
            return
        classdict = set(classdict)
        if _ReprEnum is not None and _ReprEnum in cls.__bases__:
            if member_type is object:
                raise TypeError("ReprEnum subclasses must be mixed with a data type (i.e. int, str, float, etc.)")
            if "__format__" not in classdict:
                cls.__format__ = member_type.__format__
            if "__str__" not in classdict:
                cls.__str__ = member_type.__repr__ if member_type.__str__ == object.__str__ else member_type.__str__
            classdict |= {"__format__", "__str__"}
        for name in ("__repr__", "__str__", "__format__", "__reduce_ex__"):
            if name in classdict:
                continue
            found = getattr(cls, name)
            if found == getattr(object, name) or found == getattr(member_type, name):
                setattr(cls, name, getattr(first_enum, name))
        if _Flag is not None and issubclass(cls, _Flag):
            for name in ("__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__"):
                if name not in classdict:
                    setattr(cls, name, getattr(_Flag, name))

    def _complete_flag_(cls):
        """Flags are listed by value, unless they were defined in another order."""
        order = [m._value_ for m in cls if isinstance(m._value_, int)]
        cls._iter_member_ = cls._iter_member_by_def_ if order != sorted(order) else cls._iter_member_by_value_

    def _check_order_(cls, order):
        if isinstance(order, str):
            order = order.replace(",", " ").split()
        if _Flag is not None and issubclass(cls, _Flag):
            order = [name for name in order if name not in cls._member_map_ or name in cls._member_names_]
        order = [name for name in order if name not in cls._member_map_ or cls._member_map_[name]._name_ == name]
        if order != cls._member_names_:
            raise TypeError("member order does not match _order_:\n  %r\n  %r" % (cls._member_names_, order))

    def __bool__(cls):
        return True

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if names is None:
            return cls.__new__(cls, value)
        return cls._create_(value, names, module=module, qualname=qualname, type=type, start=start, boundary=boundary)

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        if not isinstance(value, _Enum):
            raise TypeError(
                "unsupported operand type(s) for 'in': '%s' and '%s'" % (type(value).__qualname__, cls.__class__.__qualname__))
        return False

    def __delattr__(cls, attr):
        if attr in cls._member_map_:
            raise AttributeError("%r cannot delete member %r." % (cls.__name__, attr))
        super().__delattr__(attr)

    def __dir__(cls):
        interesting = set(["__class__", "__contains__", "__doc__", "__getitem__", "__iter__", "__len__", "__members__",
                           "__module__", "__name__", "__qualname__"] + cls._member_names_)
        if cls._new_member_ is not object.__new__:
            interesting.add("__new__")
        if cls.__init_subclass__ is not object.__init_subclass__:
            interesting.add("__init_subclass__")
        if cls._member_type_ is not object:
            interesting |= set(dir(cls._member_type_))
        return sorted(interesting)

    def __getattr__(cls, name):
        if _is_dunder(name):
            raise AttributeError(name)
        try:
            return cls._member_map_[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)

    def __len__(cls):
        return len(cls._member_names_)

    @_plain_property
    def __members__(cls):
        return type(type.__dict__)(cls._member_map_)

    def __repr__(cls):
        if _Flag is not None and issubclass(cls, _Flag):
            return "<flag %r>" % cls.__name__
        return "<enum %r>" % cls.__name__

    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))

    def __setattr__(cls, name, value):
        if name in cls._member_map_:
            raise AttributeError("cannot reassign member %r" % (name,))
        super().__setattr__(name, value)

    def _create_(cls, class_name, names, *, module=None, qualname=None, type=None, start=1, boundary=None):
        """Make an enumeration from a call: names as text, a sequence, pairs or a mapping."""
        metacls = cls.__class__
        bases = (cls,) if type is None else (type, cls)
        namespace = metacls.__prepare__(class_name, bases)
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, (tuple, list)) and names and isinstance(names[0], str):
            values = []
            pairs = []
            for i, name in enumerate(names):
                value = namespace._generate_next_value(name, start, i, values[:])
                values.append(value)
                pairs.append((name, value))
            names = pairs
        if not names:
            names = ()
        for item in names:
            name, value = (item, names[item]) if isinstance(item, str) else item
            namespace[name] = value
        if module is None:
            module = _caller_module(2)
        if module is not None:
            namespace["__module__"] = module
        if qualname is not None:
            namespace["__qualname__"] = qualname
        return metacls.__new__(metacls, class_name, bases, namespace, boundary=boundary)

    @classmethod
    def _check_for_existing_members_(mcls, class_name, bases):
        for chain in bases:
            for base in chain.__mro__:
                if isinstance(base, EnumType) and base._member_names_:
                    raise TypeError("<enum %r> cannot extend %r" % (class_name, base))

    @classmethod
    def _get_mixins_(mcls, class_name, bases):
        """The data type mixed in, and the enumeration that is the last base."""
        if not bases:
            return object, _Enum
        first_enum = bases[-1]
        if not isinstance(first_enum, EnumType):
            raise TypeError("new enumerations should be created as `EnumName([mixin_type, ...] [data_type,] enum_type)`")
        return mcls._find_data_type_(class_name, bases) or object, first_enum

    @classmethod
    def _find_data_repr_(mcls, class_name, bases):
        for chain in bases:
            for base in chain.__mro__:
                if base is object:
                    continue
                if isinstance(base, EnumType):
                    return base._value_repr_
                if "__repr__" in _namespace_of(base):
                    return _namespace_of(base)["__repr__"]
        return None

    @classmethod
    def _find_data_type_(mcls, class_name, bases):
        data_types = []
        bases_seen = []
        for chain in bases:
            candidate = None
            for base in chain.__mro__:
                if base in bases_seen:
                    continue
                bases_seen.append(base)
                if base is object:
                    continue
                if isinstance(base, EnumType):
                    if base._member_type_ is not object:
                        if base._member_type_ not in data_types:
                            data_types.append(base._member_type_)
                        break
                elif "__new__" in _namespace_of(base) or "__dataclass_fields__" in _namespace_of(base):
                    found = candidate or base
                    if found not in data_types:
                        data_types.append(found)
                    break
                else:
                    candidate = candidate or base
        if len(data_types) > 1:
            raise TypeError("too many data types for %r: %r" % (class_name, set(data_types)))
        return data_types[0] if data_types else None

    @classmethod
    def _find_new_(mcls, classdict, member_type, first_enum):
        """The __new__ that makes members, whether it is to be kept, and whether it takes the value."""
        make = classdict.get("__new__", None)
        save_new = first_enum is not None and make is not None
        if make is None:
            for method in ("__new_member__", "__new__"):
                for possible in (member_type, first_enum):
                    target = getattr(possible, method, None)
                    if target is not None and target != object.__new__ and (_Enum is None or target != _Enum.__new__):
                        make = target
                        break
                if make is not None:
                    break
            else:
                make = object.__new__
        if isinstance(make, staticmethod):
            make = make.__func__
        use_args = not (first_enum is None or make == object.__new__)
        return make, save_new, use_args


EnumMeta = EnumType


class Enum(metaclass=EnumType):
    """A set of names bound to unique values."""

    def __new__(cls, value):
        if type(value) is cls:
            return value
        try:
            return cls._value2member_map_[value]
        except KeyError:
            pass
        except TypeError:
            for other in cls._member_map_.values():
                if other._value_ == value:
                    return other
        if not cls._member_map_:
            raise TypeError("%r has no members defined" % cls)
        exc = None
        try:
            result = cls._missing_(value)
        except Exception as e:
            exc = e
            result = None
        if isinstance(result, cls):
            return result
        if _Flag is not None and issubclass(cls, _Flag) and cls._boundary_ is _EJECT and isinstance(result, int):
            return result
        invalid = ValueError("%r is not a valid %s" % (value, cls.__qualname__))
        if result is None and exc is None:
            raise invalid
        if exc is None:
            exc = TypeError(
                "error in %s._missing_: returned %r instead of None or a valid member" % (cls.__name__, result))
        if not isinstance(exc, ValueError):
            exc.__context__ = invalid
        raise exc

    def __init__(self, *args, **kwds):
        pass

    def _generate_next_value_(name, start, count, last_values):
        """The value of auto(): one more than the largest so far."""
        if not last_values:
            return start
        try:
            return max(last_values) + 1
        except TypeError:
            for last in reversed(last_values):
                try:
                    return last + 1
                except TypeError:
                    pass
            return start

    @classmethod
    def _missing_(cls, value):
        return None

    def __repr__(self):
        show = self.__class__._value_repr_ or repr
        return "<%s.%s: %s>" % (self.__class__.__name__, self._name_, show(self._value_))

    def __str__(self):
        return "%s.%s" % (self.__class__.__name__, self._name_)

    def __dir__(self):
        names = set()
        if self.__class__._member_type_ is not object:
            names.update(object.__dir__(self))
        names.update(name for name in self.__dict__ if name[0] != "_" and name not in self._member_map_)
        for cls in self.__class__.mro():
            for name, value in _namespace_of(cls).items():
                if name[0] == "_":
                    continue
                if name not in self._member_map_ or isinstance(value, property) and value.fget is not None:
                    names.add(name)
                elif isinstance(value, property):
                    names.discard(name)
        return sorted(names | {"__class__", "__doc__", "__eq__", "__hash__", "__module__"})

    def __format__(self, format_spec):
        return str.__format__(str(self), format_spec)

    def __hash__(self):
        return hash(self._name_)

    def __deepcopy__(self, memo):
        return self

    def __copy__(self):
        return self

    @property
    def name(self):
        """The name of the Enum member."""
        return self._name_

    @property
    def value(self):
        """The value of the Enum member."""
        return self._value_


_Enum = Enum


def unique(enumeration):
    """Class decorator that refuses two names for one value."""
    duplicates = [(name, m.name) for name, m in enumeration.__members__.items() if name != m.name]
    if duplicates:
        details = ", ".join("%s -> %s" % pair for pair in duplicates)
        raise ValueError("duplicate values found in %r: %s" % (enumeration, details))
    return enumeration
