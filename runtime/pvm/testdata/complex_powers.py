# Powers of complex numbers beyond small integers go by way of polar coordinates; errors and signs are CPython's.
def attempt(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


values = [0.0, -0.0, 1.0, -1.0, 0.5, -8.0, 1e200, float("inf"), float("-inf"), float("nan")]
for x in values:
    for y in values:
        print(x, y, attempt(lambda: x ** y), attempt(lambda: complex(x, y) ** 2), attempt(lambda: complex(x, y) ** -3))
for x in (0.0, 1.0, -8.0, float("inf")):
    for z in (0.0, 0.5, -1.0, 1e200, float("inf")):
        for w in (0.0, 0.5, -1.0, 1e300):
            print(x, z, w, attempt(lambda: complex(x, 0.0) ** complex(z, w)), attempt(lambda: complex(x, -x) ** complex(z, w)))
print((-8) ** (1 / 3), (-1) ** 0.5, 2 ** (1 + 2j), 1j ** 1j, (1 + 2j) ** 0.5, (1 + 2j) ** 101, (0.5 + 0.25j) ** -101, True ** 1j)


class Real:
    def __float__(self):
        return 2.5


class Both(Real):
    def __complex__(self):
        print("asked")
        return 1j


class Other:
    def __complex__(self):
        return 3j


for args in [(1, Other()), (Other(), 2), (Other(), Other()), (Both(), Both()), (object(), Other()), (Other(), object()), (1j, 1j), ("1", 2), (1, "2")]:
    print(attempt(lambda: complex(*args)))
print(attempt(lambda: complex(real=1, imag=2, extra=3)), attempt(lambda: pow(base=1, exp=2, mod=3, extra=4)), attempt(lambda: complex(1, imag=2, extra=3)))
