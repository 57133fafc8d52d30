# printf-style formatting.
for fmt in ("%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%x", "%#x", "%X", "%o", "%#o", "%i", "%u", "%e", "%.2f", "%10.3f", "%-10.3f|", "%g", "%G", "%E", "%c", "%s", "%r", "%a", "%5s", "%.1s", "%%", "%+.1e", "%#.0f", "%08.2f", "% 5d", "%-+6d|"):
    for v in (42, -7, 65):
        try:
            print(repr(fmt), v, repr(fmt % v) if "%%" not in fmt else repr(fmt % ()))
        except (TypeError, ValueError, OverflowError) as e:
            print(repr(fmt), v, type(e).__name__, e)
print("%s and %s" % ("a", "b"), "%s" % [1, 2], "%s" % (("t", 1),), "%(a)s %(b)05d" % {"a": "x", "b": 42}, "%(a)s" % {"a": (1,)})
print("%*d|%-*d|%.*f" % (5, 42, 6, 7, 2, 3.14159), "%s %% %s" % (1, 2), "%c%c" % ("x", 121), "%.3s|%5.2s|" % ("abcdef", "xyz"))
print("%d" % 3.99, "%d" % True, "%s" % None, "%r" % "it's", "%a" % "é", "%x" % 2**70, "%d" % 10**30, "%5.1f%%" % 99.55, "%f" % 1, "%s" % 1.0)
print("%.0f %.0f %.0f" % (0.5, 1.5, 2.5), "%g %g %g" % (1e-5, 1e5, 1e16), "%e" % 0, "%G" % 1e-10, "%.10g" % 0.1, "%#g" % 1.0, "%5s|%-5s|" % (True, None))
for fmt, v in (("%d", "x"), ("%d", None), ("%s %s", "a"), ("%s", ("a", "b")), ("%(a)s", "x"), ("%(a)s", {}), ("%z", 1), ("%", 1), ("%c", "ab"), ("%c", -1), ("%x", 1.5), ("%5", 1), ("%*d", ("a", 1)), ("%s%s", (1,)), ("abc", 1), ("%(a", {}), ("%f", "x")):
    try:
        print(fmt % v)
    except Exception as e:
        print(repr(fmt), repr(v), type(e).__name__, e)
class A:
    def __str__(self): return "str"
    def __repr__(self): return "repr"
    def __int__(self): return 9
    def __index__(self): return 9
    def __float__(self): return 2.5
print("%s %r %d %x %.1f" % (A(), A(), A(), A(), A()), "abc" % {}, "abc" % [], "%s" % {}, "%s" % {"a": 1})
print(b"%d %s %x %c %r %a %b" % (1, b"x", 255, 65, "r", "a", b"bb"), b"%(k)s" % {b"k": b"v"}, b"%5d|%-5d|" % (1, 2), bytearray(b"%s") % b"q")
