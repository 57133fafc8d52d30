# A clock that advances by being looked at.
_now = 0


def perf_counter():
    global _now
    _now += 1
    return _now / 1000.0


def time():
    return perf_counter()


monotonic = process_time = perf_counter


def perf_counter_ns():
    global _now
    _now += 1
    return _now * 1000000


time_ns = monotonic_ns = perf_counter_ns


def sleep(seconds):
    float(seconds)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("time." + name)
