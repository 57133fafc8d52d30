import math
from math import *


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


print(math.pi, math.e, math.tau, math.inf, math.nan)
for f in (ceil, floor, trunc):
    for x in (1.5, -1.5, 0.0, -0.0, 1e20, 5, True, 2**70, 0.9999999999999999):
        show(f"{f.__name__} {x}", lambda: f(x))
    for x in (inf, nan, "a", None):
        show(f"{f.__name__} {x}", lambda: f(x))


class Odd:
    def __ceil__(self):
        return "C"

    def __floor__(self):
        return "F"

    def __trunc__(self):
        return "T"


print(ceil(Odd()), floor(Odd()), trunc(Odd()))


class Real:
    def __float__(self):
        return 2.25


print(sqrt(Real()), floor(Real()))


class Index:
    def __index__(self):
        return 10


print(factorial(Index()), gcd(Index(), 4), sqrt(Index()), comb(Index(), 3))

for n in (0, 1, 5, 20, 21, 30):
    print("factorial", n, factorial(n))
show("factorial -1", lambda: factorial(-1))
show("factorial 2.0", lambda: factorial(2.0))
show("factorial a", lambda: factorial("a"))
for n, k in ((5, 2), (5, 0), (5, 5), (5, 6), (52, 5), (100, 50), (10**20, 2)):
    print("comb", n, k, comb(n, k), "perm", perm(n, k))
show("comb -1", lambda: comb(-1, 2))
show("comb k", lambda: comb(1, -2))
show("perm", lambda: (perm(5), perm(5, None)))
show("perm neg", lambda: perm(5, -1))
show("perm big", lambda: perm(3, 10**30))
for args in ((), (5,), (12, 18), (12, -18, 27), (0, 0), (0, 5), (2**70, 2**65)):
    print("gcd", args, gcd(*args), lcm(*args))
show("gcd f", lambda: gcd(1.5))
for n in (0, 1, 3, 4, 10**30, 2**200 - 1, 99):
    print("isqrt", n, isqrt(n))
show("isqrt neg", lambda: isqrt(-1))
show("isqrt float", lambda: isqrt(2.0))

for f in (sqrt, log, log2, log10, log1p, exp, expm1, exp2, gamma, lgamma, asin, acos, acosh, atanh, sin, cos, tan, sinh, cosh):
    for x in (-1, 0, 1, 1e308, -1e308, inf, -inf, nan, -2.0):
        try:
            r = f(x)
        except (ValueError, OverflowError) as e:
            print(f.__name__, x, type(e).__name__, e)
        else:
            if r != r or r in (0, inf, -inf, 1, -1):
                print(f.__name__, x, r)
print(sqrt(2), exp(1), log(10), sin(1), cos(1), tan(1), atan(1), asinh(1), cbrt(-8))
print(log(8, 2), log(2**1000), log2(2**1000), log10(10**100), log(100, 10), log(9, 3))
show("log base 1", lambda: log(5, 1))
show("log 0 base", lambda: log(5, 0))
show("log -big", lambda: log(-2**100))
show("log a", lambda: log("a"))
print(pow(2, 10), pow(2.0, -1), pow(0, 0), pow(-8, 3), pow(inf, 0), pow(1, inf), pow(-1, inf), pow(0.0, inf))
show("pow 0 -1", lambda: pow(0, -1))
show("pow neg", lambda: pow(-1, 0.5))
show("pow over", lambda: pow(10, 400))
print(fmod(7, 3), fmod(-7, 3), fmod(7, -3), fmod(1, inf))
show("fmod 0", lambda: fmod(1, 0))
show("fmod inf", lambda: fmod(inf, 1))
print(remainder(7, 3), remainder(8, 3), remainder(-7, 2), remainder(5, inf))
show("remainder 0", lambda: remainder(1, 0))
print(copysign(1, -0.0), copysign(nan, 1), fabs(-3), fabs(-0.0))
print(frexp(8), frexp(0.3), frexp(-0.0), frexp(inf), modf(3.25), modf(-3.25), modf(inf), modf(-0.0))
print(ldexp(0.5, 4), ldexp(1, -1074), ldexp(1, -1080), ldexp(inf, 5), ldexp(0.0, 10**10))
show("ldexp", lambda: ldexp(1, 5000))
show("ldexp big", lambda: ldexp(1, 10**40))
show("ldexp small", lambda: ldexp(1, -10**40))
show("ldexp f", lambda: ldexp(1, 2.0))
print(isclose(1, 1 + 1e-10), isclose(1, 1.1), isclose(1, 1.1, rel_tol=0.2), isclose(0, 1e-10, abs_tol=1e-9), isclose(inf, inf), isclose(nan, nan))
show("isclose", lambda: isclose(1, 2, rel_tol=-1))
print(isnan(nan), isinf(-inf), isfinite(1e308), isnan(5), isfinite(10**20))
show("isnan big", lambda: isnan(10**400))
print(hypot(), hypot(3), hypot(3, 4), hypot(1, 1, 1, 1), hypot(inf, nan), hypot(1e308, 1e308))
print(dist((1, 2), (4, 6)), dist([0], [5.5]), dist((), ()))
show("dist", lambda: dist((1,), (1, 2)))
print(fsum([0.1] * 10), fsum([]), fsum([1e308, -1e308, 1.0]), fsum([1e100, 1.0, -1e100]), fsum(iter([1, 2, 3])))
show("fsum inf", lambda: fsum([inf, -inf]))
show("fsum nan", lambda: fsum([nan, inf]))
show("fsum a", lambda: fsum(["a"]))
print(prod([1, 2, 3, 4]), prod([], start=5), prod([0.5, 4]), prod("a" for _ in range(0)), prod([[1]], start=2))
print(nextafter(1, 2), nextafter(0, -1), nextafter(1, 1), ulp(1), ulp(0), ulp(-5.5), ulp(inf))
print(degrees(pi), radians(180), degrees(0), degrees(1), radians(1))
print(atan2(0, -1), atan2(-0.0, -1), atan2(1, 0), atan2(0.0, 0.0), atan2(inf, -inf), atan2(1, 2))
print(erf(0), erf(1), erf(-inf), erfc(0), erfc(1), erfc(30), gamma(5))
show("atan2 args", lambda: atan2(1))
show("sqrt big", lambda: sqrt(10**400))
print(sum([0.1] * 10), 0.1 + 0.2, 1e16 + 1, 2**0.5, 7.5 // 2, -7.5 % 2, divmod(-7.5, 2), 1 / 3)
