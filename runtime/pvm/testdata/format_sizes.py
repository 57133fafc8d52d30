# Widths and precisions that ask for more than there can be.
def attempt(what, f):
    try:
        print(what, len(f()))
    except Exception as e:
        print(what, type(e).__name__, e)


for size in (1 << 61, 1 << 62, (1 << 63) - 401, (1 << 63) - 7, (1 << 63) - 1, 1 << 63):
    for value in (1j, 1.5, 1, 1 << 70, "a", True):
        for spec in ("{}", ">{}", "é^{}", "0{}", "{},f", "{}e", "{}x", ".{}", ".{}f", "{}.3e", "3.{}e"):
            text = spec.format(size)
            attempt((size, value, spec), lambda: format(value, text))
    for spec in ("%*d", "%*f", "%*s", "%-*r", "%*x", "%+*e", "%0*d"):
        for value in (1, 1.5, 1 << 70):
            for width in (size, -size):
                attempt((width, value, spec), lambda: spec % (width, value))
                if size <= 1 << 62:  # CPython has an error of its own for bytes that are longer
                    attempt((width, value, spec), lambda: spec.encode() % (width, value))
    for spec in ("%{}d", "%{}f", "%-{}s", "%.{}d", "%.{}f", "%.{}s", "%{}.3e", "%0{}x"):
        for value in (1, 1.5, 1 << 70):
            text = spec.format(size)
            attempt((spec, size, value), lambda: text % value)
            if size <= 1 << 62:
                attempt((spec, size, value), lambda: text.encode() % value)
    for name in ("ljust", "rjust", "center", "zfill", "expandtabs"):
        attempt((name, size), lambda: getattr("\ta", name)(size))
        if size <= 1 << 62:
            attempt((name, size), lambda: getattr(b"\ta", name)(size))
        attempt((name, size), lambda: getattr("\té", name)(size))
