# str.format and the format mini-language.
print("{} {} {}".format(1, "a", None), "{0}{1}{0}".format("x", "y"), "{a}-{b}".format(a=1, b=2), "{{}} {{{0}}}".format(5))
print("{0[0]} {0[1][k]} {1.real} {d[key]} {d[0]}".format([1, {"k": 2}], 7, d={"key": 3, 0: 4}))
print("{!r} {!s} {!a}".format("é", "é", "é"), "{0!r:>8}|{0:<8}|{0:^8}|{0:*^8}".format("ab"), "{:{}}|{:{w}.{p}}".format("x", 5, "abcdef", w=6, p=3))
for spec in ("", "d", "5", "05", "+", " ", "-", "<6", ">6", "^6", "=6", "=+6", "*=+8", ",", "_", "x", "X", "#x", "#010x", "o", "#o", "b", "#b", "c", "e", "f", ".2f", "g", "%", "n", "+,", "#,x" , "_x", "_b", "012,", "^+9"):
    for v in (0, 65, -1234567, 10**12):
        try:
            print(repr(spec), v, repr(format(v, spec)))
        except (ValueError, OverflowError) as e:
            print(repr(spec), v, type(e).__name__, e)
for spec in ("", ".0f", ".2f", ".10f", "f", "F", "e", ".3e", "E", "g", ".3g", "G", "%", ".1%", "+.2f", " .2f", "010.2f", ">10.2f", "<10.2f", "^10.2f", "=+10.2f", ",.2f", "_.2f", "#.0f", ".0e", "#g", "n", "z.1f", "5", ".3", "r"):
    for v in (0.0, 1.5, -1234.5678, 1e20, 1e-7, 2.5, float("inf"), float("nan"), -0.04):
        try:
            print(repr(spec), v, repr(format(v, spec)))
        except ValueError as e:
            print(repr(spec), v, e)
for spec in ("", "s", "10", "<10", ">10", "^10", "^11", "*^10", ".2", "10.2", "-<5", "é>4", "d", "=5", "+", ",", "05"):
    try:
        print(repr(spec), repr(format("abc", spec)))
    except ValueError as e:
        print(repr(spec), e)
for v in (True, None, [1], (1, 2), {"a": 1}, b"x"):
    for spec in ("", ">8", "d"):
        try:
            print(repr(format(v, spec)), end=" ")
        except (ValueError, TypeError) as e:
            print(type(e).__name__, e, end=" ")
    print()
class P:
    x = 3
    def __format__(self, spec): return f"<{spec}>"
    def __getitem__(self, k): return (k, self)
    def __repr__(self): return "P()"
print("{0:abc} {0.x} {0[7][0]!r} {0[a b][0]}".format(P()), format(P()), f"{P():>{5}}", f"{P()!r:>5}")
for t, a in (("{}{1}", (1, 2)), ("{1}{}", (1, 2)), ("{}", ()), ("{a}", ()), ("{", (1,)), ("}", (1,)), ("{0", (1,)), ("{!x}", (1,)), ("{0.y}", (1,)), ("{0[a]}", ([1],)), ("{:d}", ("a",)), ("{:q}", (1,)), ("{!}", (1,)), ("{0!r", (1,)), ("{a.}", (1,)), ("{[}", (1,))):
    try:
        print(t.format(*a))
    except Exception as e:
        print(repr(t), type(e).__name__, e)
print("{:>{w}}|{:{a}{w}}".format(1, 2, w=4, a="<"), "{x:{y[0]}}".format(x=5, y=["03"]), "{:,}".format(1234567.891), "{:_.3f}".format(1234567.891))
print("{k}".format_map({"k": 1}), "{:%}".format(0.5), "{:c}".format(97), "{:.3}".format(3.14159), "{:10.3}|".format("abcdef"), "{:s}".format("x"))
