WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Make a wrapper function look like the function it wraps."""
    _work(700)
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Decorator that applies update_wrapper() to the function it decorates."""
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def _cache_info(hits, misses, maxsize, currsize):
    from functools import _CacheInfo
    return _CacheInfo(hits, misses, maxsize, currsize)


def lru_cache(maxsize=128, typed=False):
    """Decorator that remembers results, dropping the least recently used beyond maxsize."""
    if isinstance(maxsize, int):
        if maxsize < 0:
            maxsize = 0
    elif callable(maxsize) and isinstance(typed, bool):
        function = maxsize
        return update_wrapper(_lru_cache_wrapper(function, 128, typed, _cache_info), function)
    elif maxsize is not None:
        raise TypeError("Expected first argument to be an integer, a callable, or None")

    def decorating_function(user_function):
        return update_wrapper(_lru_cache_wrapper(user_function, maxsize, typed, _cache_info), user_function)

    return decorating_function


def cache(user_function, /):
    """Decorator that remembers all results."""
    return lru_cache(maxsize=None)(user_function)
