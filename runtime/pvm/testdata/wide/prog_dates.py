from typing import NamedTuple
from functools import total_ordering
@total_ordering
class Date(NamedTuple):
    y: int; m: int; d: int
    @staticmethod
    def leap(y): return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
    @classmethod
    def dim(cls, y, m): return 29 if m == 2 and cls.leap(y) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[m - 1]
    @classmethod
    def parse(cls, s):
        try: y, m, d = map(int, s.split('-'))
        except ValueError: raise ValueError(f'not a date: {s!r}') from None
        if not 1 <= m <= 12 or not 1 <= d <= cls.dim(y, m): raise ValueError(f'out of range: {s}')
        return cls(y, m, d)
    def ordinal(self): a = (14 - self.m) // 12; y = self.y + 4800 - a; m = self.m + 12 * a - 3; return self.d + (153 * m + 2) // 5 + 365 * y + y // 4 - y // 100 + y // 400 - 32045
    @classmethod
    def of(cls, n): a = n + 32044; b = (4 * a + 3) // 146097; c = a - 146097 * b // 4; d = (4 * c + 3) // 1461; e = c - 1461 * d // 4; m = (5 * e + 2) // 153; return cls(100 * b + d - 4800 + m // 10, m + 3 - 12 * (m // 10), e - (153 * m + 2) // 5 + 1)
    def __add__(self, n): return Date.of(self.ordinal() + n)
    def __sub__(self, o): return self.ordinal() - o.ordinal() if isinstance(o, Date) else self + -o
    def weekday(self): return 'Mon Tue Wed Thu Fri Sat Sun'.split()[self.ordinal() % 7]
    def __str__(self): return f'{self.y:04}-{self.m:02}-{self.d:02}'
    def __format__(self, s): return str(self) if not s else s.replace('%Y', str(self.y)).replace('%m', f'{self.m:02}').replace('%d', f'{self.d:02}').replace('%a', self.weekday())
d = Date.parse('2024-02-28'); print(d + 1, d + 2, d - 60, d.weekday(), Date(2024, 12, 25) - d, f'{d:%a %d.%m.%Y} {d}', repr(d), d < Date(2025, 1, 1), max(d, d + 1), all(Date.of(n).ordinal() == n for n in range(2400000, 2400000 + 800, 7)))
for s in ('2023-02-29', '2023-13-01', 'x', '2000-02-29', '1900-02-29'):
    try: print(Date.parse(s).weekday())
    except ValueError as e: print(e)
def easter(y): a, b, c = y % 19, y // 100, y % 100; d, e = divmod(b, 4); g = (8 * b + 13) // 25; h = (19 * a + b - d - g + 15) % 30; i, k = divmod(c, 4); l = (32 + 2 * e + 2 * i - h - k) % 7; m = (a + 11 * h + 19 * l) // 433; n = (h + l - 7 * m + 90) // 25; return Date(y, n, (h + l - 7 * m + 33 * n + 19) % 32)
print([str(easter(y)) for y in range(2020, 2027)])
def cal(y, m):
    first = Date(y, m, 1).ordinal() % 7; cells = ['  '] * first + [f'{k:2}' for k in range(1, Date.dim(y, m) + 1)]
    return '\n'.join(' '.join(cells[i:i + 7]) for i in range(0, len(cells), 7))
print(cal(2024, 2))
