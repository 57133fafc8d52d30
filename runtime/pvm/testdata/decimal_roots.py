"""Powers of decimals near those that are exact: roots with as many digits as the context shows, one more or less, of powers of two and five, and of any."""
from decimal import Decimal as D


class Numbers:
    def __init__(self):
        self.state = 7

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return self.state >> 33

    def between(self, low, high):
        n = 0
        for _ in range(5):
            n = n << 31 | self.next()
        return low + n % (high - low + 1)

    def one(self, items):
        return items[self.next() % len(items)]


numbers = Numbers()
for _ in range(240):
    degree = numbers.one([1, 2, 2, 3, 4, 5, 8])
    size = numbers.between(25, 32)
    kind = numbers.between(0, 3)
    if kind == 0:
        root = numbers.between(10 ** (size - 1), 10 ** size)
    elif kind == 1:
        root = 2 ** numbers.between(1, 56)
    elif kind == 2:
        root = 5 ** numbers.between(1, 56)
    else:
        root = numbers.between(2, 99)
    digits, exponent = root ** degree, numbers.between(-6, 6)
    x = D((0, tuple(map(int, str(digits))), exponent))
    y = D(numbers.one([1, -1, 3, -3, 2])) / degree if degree != 3 else D(numbers.one([1, -1]))
    print(degree, kind, x ** y)
long = D(5e-324)
print(long ** 3, long ** 4000, long ** D("0.5"), long ** D("-0.25"), len(str(long)), long.to_eng_string()[-5:], long.as_tuple().digits[:6])
