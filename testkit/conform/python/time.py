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


daylight = timezone = altzone = 0
tzname = ("UTC", "UTC")


class struct_time(tuple):
    tm_zone, tm_gmtoff = "UTC", 0
    tm_year, tm_mon, tm_mday, tm_hour, tm_min, tm_sec, tm_wday, tm_yday, tm_isdst = (
        property(lambda self, i=i: self[i]) for i in range(9))


def gmtime(seconds=None):
    if seconds is not None and abs(seconds) > 1 << 56:
        raise OverflowError("timestamp out of range for platform time_t")
    days, rest = divmod(int((time() if seconds is None else seconds) // 1), 86400)
    year, month = 1970, 1
    first = days
    while first < 0 or first >= 365 + _leap(year):
        step = first // 366 or (1 if first > 0 else -1)
        first -= _days_before(year + step) - _days_before(year)
        year += step
    yday = first + 1
    while first >= _month(year, month):
        first -= _month(year, month)
        month += 1
    return struct_time((year, month, first + 1, rest // 3600, rest // 60 % 60, rest % 60, (days + 3) % 7, yday, 0))


localtime = gmtime


def mktime(fields):
    year, month, day, hour, minute, second = fields[:6]
    days = _days_before(year) - _days_before(1970) + sum(_month(year, m) for m in range(1, month)) + day - 1
    return float(days * 86400 + hour * 3600 + minute * 60 + second)


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_before(year):
    y = year - 1
    return y * 365 + y // 4 - y // 100 + y // 400


def _month(year, month):
    return 29 if month == 2 and _leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


_days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_months = "January February March April May June July August September October November December".split()
_fields = {
    "Y": lambda t: str(t[0]), "y": lambda t: "%02d" % (t[0] % 100), "m": lambda t: "%02d" % t[1], "d": lambda t: "%02d" % t[2],
    "H": lambda t: "%02d" % t[3], "M": lambda t: "%02d" % t[4], "S": lambda t: "%02d" % t[5], "j": lambda t: "%03d" % t[7],
    "I": lambda t: "%02d" % ((t[3] + 11) % 12 + 1), "p": lambda t: "AM" if t[3] < 12 else "PM", "w": lambda t: str((t[6] + 1) % 7),
    "A": lambda t: _days[t[6]], "a": lambda t: _days[t[6]][:3], "B": lambda t: _months[t[1] - 1], "b": lambda t: _months[t[1] - 1][:3],
    "U": lambda t: "%02d" % ((t[7] + 6 - (t[6] + 1) % 7) // 7), "W": lambda t: "%02d" % ((t[7] + 6 - t[6]) // 7),
    "c": lambda t: strftime("%a %b %e %H:%M:%S %Y", t), "e": lambda t: "%2d" % t[2], "x": lambda t: strftime("%m/%d/%y", t),
    "X": lambda t: strftime("%H:%M:%S", t), "Z": lambda t: "UTC", "z": lambda t: "+0000", "%": lambda t: "%",
    "F": lambda t: strftime("%Y-%m-%d", t), "T": lambda t: strftime("%H:%M:%S", t), "D": lambda t: strftime("%m/%d/%y", t),
}


def strftime(format, fields=None):
    fields = localtime() if fields is None else fields
    out, i = [], 0
    while i < len(format):
        if format[i] == "%" and i + 1 < len(format):
            i += 1
            out.append(_fields[format[i]](fields) if format[i] in _fields else "%" + format[i])
        else:
            out.append(format[i])
        i += 1
    return "".join(out)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _absent
    return _absent.Absent("time." + name)
