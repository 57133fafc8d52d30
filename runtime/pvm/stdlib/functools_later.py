def _defined(cls, root):
    """The ordering methods that cls or a base other than object defines."""
    return {op for op in ("__lt__", "__le__", "__gt__", "__ge__") if getattr(cls, op, None) is not getattr(object, op, None)}


def _from_lt(op):
    def __gt__(self, other):
        """Return a > b.  Computed by @total_ordering from (not a < b) and (a != b)."""
        result = type(self).__lt__(self, other)
        return result if result is NotImplemented else not result and self != other

    def __le__(self, other):
        """Return a <= b.  Computed by @total_ordering from (a < b) or (a == b)."""
        result = type(self).__lt__(self, other)
        return result if result is NotImplemented else result or self == other

    def __ge__(self, other):
        """Return a >= b.  Computed by @total_ordering from (not a < b)."""
        result = type(self).__lt__(self, other)
        return result if result is NotImplemented else not result

    return {"__gt__": __gt__, "__le__": __le__, "__ge__": __ge__}[op]


def _from_le(op):
    def __ge__(self, other):
        """Return a >= b.  Computed by @total_ordering from (not a <= b) or (a == b)."""
        result = type(self).__le__(self, other)
        return result if result is NotImplemented else not result or self == other

    def __lt__(self, other):
        """Return a < b.  Computed by @total_ordering from (a <= b) and (a != b)."""
        result = type(self).__le__(self, other)
        return result if result is NotImplemented else result and self != other

    def __gt__(self, other):
        """Return a > b.  Computed by @total_ordering from (not a <= b)."""
        result = type(self).__le__(self, other)
        return result if result is NotImplemented else not result

    return {"__ge__": __ge__, "__lt__": __lt__, "__gt__": __gt__}[op]


def _from_gt(op):
    def __lt__(self, other):
        """Return a < b.  Computed by @total_ordering from (not a > b) and (a != b)."""
        result = type(self).__gt__(self, other)
        return result if result is NotImplemented else not (result or self == other)

    def __ge__(self, other):
        """Return a >= b.  Computed by @total_ordering from (a > b) or (a == b)."""
        result = type(self).__gt__(self, other)
        return result if result is NotImplemented else result or self == other

    def __le__(self, other):
        """Return a <= b.  Computed by @total_ordering from (not a > b)."""
        result = type(self).__gt__(self, other)
        return result if result is NotImplemented else not result

    return {"__lt__": __lt__, "__ge__": __ge__, "__le__": __le__}[op]


def _from_ge(op):
    def __le__(self, other):
        """Return a <= b.  Computed by @total_ordering from (not a >= b) or (a == b)."""
        result = type(self).__ge__(self, other)
        return result if result is NotImplemented else not result or self == other

    def __gt__(self, other):
        """Return a > b.  Computed by @total_ordering from (a >= b) and (a != b)."""
        result = type(self).__ge__(self, other)
        return result if result is NotImplemented else result and self != other

    def __lt__(self, other):
        """Return a < b.  Computed by @total_ordering from (not a >= b)."""
        result = type(self).__ge__(self, other)
        return result if result is NotImplemented else not result

    return {"__le__": __le__, "__gt__": __gt__, "__lt__": __lt__}[op]


def total_ordering(cls):
    """Class decorator that fills in missing ordering methods."""
    roots = _defined(cls, object)
    if not roots:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    for root, make in (("__lt__", _from_lt), ("__le__", _from_le), ("__gt__", _from_gt), ("__ge__", _from_ge)):
        if root in roots:
            break
    for op in ("__lt__", "__le__", "__gt__", "__ge__"):
        if op not in roots:
            setattr(cls, op, make(op))
    return cls


class partialmethod:
    """Method descriptor with partial application of the given arguments and keywords."""

    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError("{!r} is not callable or a descriptor".format(func))
        if isinstance(func, partialmethod):
            self.func = func.func
            self.args = func.args + args
            self.keywords = {**func.keywords, **keywords}
        else:
            self.func = func
            self.args = args
            self.keywords = keywords

    def __repr__(self):
        args = ", ".join(map(repr, self.args))
        keywords = ", ".join("{}={!r}".format(k, v) for k, v in self.keywords.items())
        cls = type(self)
        return f"{cls.__module__}.{cls.__qualname__}({self.func!r}, {args}, {keywords})"

    def _make_unbound_method(self):
        def _method(cls_or_self, /, *args, **keywords):
            return self.func(cls_or_self, *self.args, *args, **{**self.keywords, **keywords})

        _method.__isabstractmethod__ = self.__isabstractmethod__
        _method._partialmethod = self
        return _method

    def __get__(self, obj, cls=None):
        get = getattr(self.func, "__get__", None)
        result = None
        if get is not None:
            new_func = get(obj, cls)
            if new_func is not self.func:
                # The callable bound itself, so no more than arguments are missing.
                result = partial(new_func, *self.args, **self.keywords)
                try:
                    result.__self__ = new_func.__self__
                except AttributeError:
                    pass
        if result is None:
            result = self._make_unbound_method().__get__(obj, cls)
        return result

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)

    __class_getitem__ = classmethod(type(list[int]))


def _merged(sequences):
    """One order from several, each kept: the merge of the C3 linearisation."""
    sequences = [s for s in sequences if s]
    order = []
    while sequences:
        for s in sequences:
            head = s[0]
            if not any(head in other[1:] for other in sequences):
                break
        else:
            raise RuntimeError("Inconsistent hierarchy")
        order.append(head)
        sequences = [rest for s in sequences if (rest := s[1:] if s[0] is head else s)]
    return order


def _c3_mro(cls, abcs=None):
    """The mro of cls with abstract classes it belongs to, each where the class is that makes it belong.

    They go behind the bases that are abstract themselves and before the others.
    """
    bases = list(cls.__bases__)
    boundary = len(bases)
    while boundary and not hasattr(bases[boundary - 1], "__abstractmethods__"):
        boundary -= 1
    abcs = list(abcs or ())
    new = [c for c in abcs if issubclass(cls, c) and not any(issubclass(b, c) for b in bases)]
    abcs = [c for c in abcs if c not in new]
    groups = [bases[:boundary], new, bases[boundary:]]
    return _merged([[cls]] + [_c3_mro(base, abcs) for group in groups for base in group] + groups)


def _compose_mro(cls, types):
    """The mro of cls with those of types that it belongs to without inheriting from them."""
    own = cls.__mro__
    types = [t for t in types if t not in own and isinstance(t, type) and issubclass(cls, t)]
    types = [t for t in types if not any(t is not other and t in other.__mro__ for other in types)]
    abcs = []
    for t in types:
        chains = [[c for c in sub.__mro__ if c in types] for sub in t.__subclasses__() if sub not in own and issubclass(cls, sub)]
        chains.sort(key=len, reverse=True)
        for chain in chains or [[t]]:
            abcs += [c for c in chain if c not in abcs]
    return _c3_mro(cls, abcs)


def _find_impl(cls, registry):
    match = None
    for t in _compose_mro(cls, registry):
        if match is not None:
            if (t in registry and t not in cls.__mro__ and match not in cls.__mro__
                    and not issubclass(match, t)):
                raise RuntimeError("Ambiguous dispatch: {} or {}".format(match, t))
            break
        if t in registry:
            match = t
    return registry.get(match)


def _is_union_type(cls):
    return isinstance(cls, type(int | str)) or getattr(cls, "__origin__", None) is not None and repr(getattr(cls, "__origin__")) == "typing.Union"


def _is_valid_dispatch_type(cls):
    if isinstance(cls, type):
        return True
    return _is_union_type(cls) and all(isinstance(arg, type) for arg in cls.__args__)


def singledispatch(func):
    """Decorator that makes a generic function dispatched on the type of its first argument."""
    registry = {}
    answers = {}
    token = None

    def dispatch(cls):
        """Return the implementation that fits the class best."""
        nonlocal token
        if token is not None:
            from abc import get_cache_token
            if token != get_cache_token():
                answers.clear()
                token = get_cache_token()
        try:
            return answers[cls]
        except KeyError:
            pass
        try:
            impl = registry[cls]
        except KeyError:
            impl = _find_impl(cls, registry)
        answers[cls] = impl
        return impl

    def register(cls, func=None):
        """Register an implementation for a class, a union of classes, or by annotation."""
        nonlocal token
        if _is_valid_dispatch_type(cls):
            if func is None:
                return lambda f: register(cls, f)
        else:
            if func is not None:
                raise TypeError(f"Invalid first argument to `register()`. {cls!r} is not a class or union type.")
            annotations = getattr(cls, "__annotations__", {})
            if not annotations:
                raise TypeError(
                    f"Invalid first argument to `register()`: {cls!r}. "
                    f"Use either `@register(some_class)` or plain `@register` "
                    f"on an annotated function."
                )
            func = cls
            from typing import get_type_hints
            argname, cls = next(iter(get_type_hints(func).items()))
            if not _is_valid_dispatch_type(cls):
                if _is_union_type(cls):
                    raise TypeError(f"Invalid annotation for {argname!r}. {cls!r} not all arguments are classes.")
                raise TypeError(f"Invalid annotation for {argname!r}. {cls!r} is not a class.")
        if _is_union_type(cls):
            for arg in cls.__args__:
                registry[arg] = func
        else:
            registry[cls] = func
        if token is None and hasattr(cls, "__abstractmethods__"):
            from abc import get_cache_token
            token = get_cache_token()
        answers.clear()
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{funcname} requires at least 1 positional argument")
        return dispatch(args[0].__class__)(*args, **kw)

    funcname = getattr(func, "__name__", "singledispatch function")
    registry[object] = func
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = type(type.__dict__)(registry)
    wrapper._clear_cache = answers.clear
    update_wrapper(wrapper, func)
    return wrapper


class singledispatchmethod:
    """Single-dispatch generic method descriptor."""

    def __init__(self, func):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def _method(*args, **kwargs):
            method = self.dispatcher.dispatch(args[0].__class__)
            return method.__get__(obj, cls)(*args, **kwargs)

        _method.__isabstractmethod__ = self.__isabstractmethod__
        _method.register = self.register
        update_wrapper(_method, self.func)
        return _method

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)
