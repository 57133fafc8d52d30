import decimal
import math
from decimal import *


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


CASES = [
    ("Decimal('x')", lambda: Decimal('x')),
    ('Decimal(1)/0', lambda: Decimal(1)/0),
    ('Decimal(0)/0', lambda: Decimal(0)/0),
    ('divmod(Decimal(1),0)', lambda: (divmod(Decimal(1),0))),
    ('divmod(Decimal(0),0)', lambda: (divmod(Decimal(0),0))),
    ("Decimal('snan')+1", lambda: Decimal('snan')+1),
    ("Decimal('nan')<1", lambda: Decimal('nan')<1),
    ("Decimal('nan')==1", lambda: Decimal('nan')==1),
    ("Decimal('nan')!=1", lambda: Decimal('nan')!=1),
    ("Decimal('snan')==1", lambda: Decimal('snan')==1),
    ("hash(Decimal('snan'))", lambda: hash(Decimal('snan'))),
    ('Decimal(1)<1.5', lambda: Decimal(1)<1.5),
    ("Decimal('0.1')==0.1", lambda: Decimal('0.1')==0.1),
    ('Decimal(0.5)==0.5', lambda: Decimal(0.5)==0.5),
    ('Decimal(1.1)', lambda: Decimal(1.1)),
    ('Decimal(-0.0)', lambda: Decimal(-0.0)),
    ("Decimal(float('inf'))", lambda: Decimal(float('inf'))),
    ('Decimal((0,(1,2),-1))', lambda: (Decimal((0,(1,2),-1)))),
    ("Decimal((0,(1,2),'F'))", lambda: (Decimal((0,(1,2),'F')))),
    ("Decimal((0,(1,),'n'))", lambda: (Decimal((0,(1,),'n')))),
    ('Decimal((2,(1,),0))', lambda: (Decimal((2,(1,),0)))),
    ('Decimal((0,(1,11),0))', lambda: (Decimal((0,(1,11),0)))),
    ('Decimal((0,1,0))', lambda: (Decimal((0,1,0)))),
    ('Decimal((0,(1,)))', lambda: (Decimal((0,(1,))))),
    ('Decimal([0,[1],0])', lambda: (Decimal([0,[1],0]))),
    ('Decimal(None)', lambda: Decimal(None)),
    ('Decimal()', lambda: Decimal()),
    ("Decimal(' 1_0 ')", lambda: Decimal(' 1_0 ')),
    ("Decimal('１２')", lambda: Decimal('１２')),
    ("Decimal('1.5e3')", lambda: Decimal('1.5e3')),
    ("Decimal('-.5')", lambda: Decimal('-.5')),
    ("Decimal('5.')", lambda: Decimal('5.')),
    ("Decimal('1 2')", lambda: Decimal('1 2')),
    ("Decimal('')", lambda: Decimal('')),
    ('Decimal(True)', lambda: Decimal(True)),
    ('Decimal(10**30)', lambda: Decimal(10**30)),
    ("Decimal('9E+999999')*10", lambda: Decimal('9E+999999')*10),
    ('Decimal(10)**1000000', lambda: Decimal(10)**1000000),
    ("Decimal('1e1000000000000000000')", lambda: Decimal('1e1000000000000000000')),
    ("int(Decimal('nan'))", lambda: int(Decimal('nan'))),
    ("int(Decimal('inf'))", lambda: int(Decimal('inf'))),
    ("int(Decimal('-7.9'))", lambda: int(Decimal('-7.9'))),
    ("round(Decimal('1.5'))", lambda: round(Decimal('1.5'))),
    ("round(Decimal('2.5'))", lambda: round(Decimal('2.5'))),
    ("round(Decimal('1.25'),1)", lambda: (round(Decimal('1.25'),1))),
    ("round(Decimal('1234'),-2)", lambda: (round(Decimal('1234'),-2))),
    ("round(Decimal('inf'))", lambda: round(Decimal('inf'))),
    ("round(Decimal('nan'),1)", lambda: (round(Decimal('nan'),1))),
    ("round(Decimal('1.5'),'a')", lambda: (round(Decimal('1.5'),'a'))),
    ("float(Decimal('snan'))", lambda: float(Decimal('snan'))),
    ("float(Decimal('1e400'))", lambda: float(Decimal('1e400'))),
    ("float(Decimal('0.1'))", lambda: float(Decimal('0.1'))),
    ("Decimal('1.5').as_integer_ratio()", lambda: Decimal('1.5').as_integer_ratio()),
    ("Decimal('-0.25').as_integer_ratio()", lambda: Decimal('-0.25').as_integer_ratio()),
    ("Decimal('nan').as_integer_ratio()", lambda: Decimal('nan').as_integer_ratio()),
    ("Decimal('inf').as_integer_ratio()", lambda: Decimal('inf').as_integer_ratio()),
    ("Decimal('123').quantize(Decimal('1e-30'))", lambda: Decimal('123').quantize(Decimal('1e-30'))),
    ("Decimal('1.5').quantize(Decimal('1'),'x')", lambda: (Decimal('1.5').quantize(Decimal('1'),'x'))),
    ("Decimal('1.5').quantize(Decimal('1'),rounding=None)", lambda: (Decimal('1.5').quantize(Decimal('1'),rounding=None))),
    ("Decimal('1.5').quantize('1')", lambda: Decimal('1.5').quantize('1')),
    ("Decimal('1.5').quantize(1)", lambda: Decimal('1.5').quantize(1)),
    ("Decimal('2.675').quantize(Decimal('0.01'), ROUND_HALF_UP)", lambda: (Decimal('2.675').quantize(Decimal('0.01'), ROUND_HALF_UP))),
    ("Decimal('2.665').quantize(Decimal('0.01'))", lambda: Decimal('2.665').quantize(Decimal('0.01'))),
    ("Decimal('2.661').quantize(Decimal('0.01'), rounding=ROUND_UP)", lambda: (Decimal('2.661').quantize(Decimal('0.01'), rounding=ROUND_UP))),
    ("Decimal('1.5').as_tuple()", lambda: Decimal('1.5').as_tuple()),
    ("Decimal('-inf').as_tuple()", lambda: Decimal('-inf').as_tuple()),
    ("Decimal('nan12').as_tuple()", lambda: Decimal('nan12').as_tuple()),
    ("Decimal('1.5').as_tuple().exponent", lambda: Decimal('1.5').as_tuple().exponent),
    ('Decimal.from_float(1)', lambda: Decimal.from_float(1)),
    ('Decimal.from_float(0.1)', lambda: Decimal.from_float(0.1)),
    ("Decimal.from_float('1')", lambda: Decimal.from_float('1')),
    ("Decimal('1').compare('2')", lambda: Decimal('1').compare('2')),
    ("Decimal('1').compare(2)", lambda: Decimal('1').compare(2)),
    ("Decimal('1').fma(2,3)", lambda: (Decimal('1').fma(2,3))),
    ('2**Decimal(3)', lambda: 2**Decimal(3)),
    ('Decimal(7)//2', lambda: Decimal(7)//2),
    ('-7//Decimal(2)', lambda: -7//Decimal(2)),
    ('Decimal(-7)%3', lambda: Decimal(-7)%3),
    ('Decimal(5).exp()', lambda: Decimal(5).exp()),
    ('Decimal(2).sqrt()', lambda: Decimal(2).sqrt()),
    ('Decimal(10).ln()', lambda: Decimal(10).ln()),
    ('Decimal(2).log10()', lambda: Decimal(2).log10()),
    ("Decimal('1').real", lambda: Decimal('1').real),
    ("Decimal('1').imag", lambda: Decimal('1').imag),
    ("Decimal('1').conjugate()", lambda: Decimal('1').conjugate()),
    ("math.floor(Decimal('1.5'))", lambda: math.floor(Decimal('1.5'))),
    ("math.ceil(Decimal('1.5'))", lambda: math.ceil(Decimal('1.5'))),
    ("math.trunc(Decimal('-1.5'))", lambda: math.trunc(Decimal('-1.5'))),
    ('math.sqrt(Decimal(2))', lambda: math.sqrt(Decimal(2))),
    ("Decimal('1e5').to_eng_string()", lambda: Decimal('1e5').to_eng_string()),
    ("Decimal('1').next_plus()", lambda: Decimal('1').next_plus()),
    ("Decimal('5').logical_and(1)", lambda: Decimal('5').logical_and(1)),
    ("Decimal('101').logical_and(Decimal('110'))", lambda: Decimal('101').logical_and(Decimal('110'))),
    ("Decimal('1').scaleb(5)", lambda: Decimal('1').scaleb(5)),
    ("Decimal('1').shift(2)", lambda: Decimal('1').shift(2)),
    ("Decimal('0').ln()", lambda: Decimal('0').ln()),
    ("Decimal('-1').ln()", lambda: Decimal('-1').ln()),
    ("Decimal('-1').sqrt()", lambda: Decimal('-1').sqrt()),
    ("Decimal(-8)**Decimal('0.5')", lambda: Decimal(-8)**Decimal('0.5')),
    ('Decimal(0)**0', lambda: Decimal(0)**0),
    ('Decimal(0)**-1', lambda: Decimal(0)**-1),
    ("bool(Decimal('nan'))", lambda: bool(Decimal('nan'))),
    ("bool(Decimal('0.0'))", lambda: bool(Decimal('0.0'))),
    ("Decimal('1')=='a'", lambda: Decimal('1')=='a'),
    ("Decimal('12').max(3)", lambda: Decimal('12').max(3)),
    ('max(Decimal(1),2.5)', lambda: (max(Decimal(1),2.5))),
    ("Decimal('3').same_quantum(4)", lambda: Decimal('3').same_quantum(4)),
    ("Decimal('300').adjusted()", lambda: Decimal('300').adjusted()),
    ("Decimal('inf').adjusted()", lambda: Decimal('inf').adjusted()),
    ("Decimal('3').number_class()", lambda: Decimal('3').number_class()),
    ("Decimal('3').radix()", lambda: Decimal('3').radix()),
    ("Decimal('3').canonical()", lambda: Decimal('3').canonical()),
    ("Decimal(b'5')", lambda: Decimal(b'5')),
    ("Decimal('Infinity')-Decimal('Infinity')", lambda: Decimal('Infinity')-Decimal('Infinity')),
    ("Decimal('inf')*0", lambda: Decimal('inf')*0),
    ('Decimal(3).__radd__(2)', lambda: Decimal(3).__radd__(2)),
    ('Decimal(3).__rpow__(2)', lambda: Decimal(3).__rpow__(2)),
    ("hash(Decimal('1.5')) == hash(1.5)", lambda: hash(Decimal('1.5')) == hash(1.5)),
    ('hash(Decimal(10**20)) == hash(10**20)', lambda: hash(Decimal(10**20)) == hash(10**20)),
    ("hash(Decimal('1e-5'))", lambda: hash(Decimal('1e-5'))),
    ("hash(Decimal('-inf'))", lambda: hash(Decimal('-inf'))),
    ("hash(Decimal('0.1'))", lambda: hash(Decimal('0.1'))),
    ("hash(Decimal('-1'))", lambda: hash(Decimal('-1'))),
    ("{Decimal(1): 'a'}[1]", lambda: {Decimal(1): 'a'}[1]),
    ("1 in {Decimal('1.0')}", lambda: 1 in {Decimal('1.0')}),
    ("sum([Decimal('0.1')] * 3)", lambda: sum([Decimal('0.1')] * 3)),
    ("sum([Decimal('0.1')] * 3) == Decimal('0.3')", lambda: sum([Decimal('0.1')] * 3) == Decimal('0.3')),
    ('sorted([Decimal(3), 1, 2.5])', lambda: (sorted([Decimal(3), 1, 2.5]))),
    ('Decimal(1) / 3', lambda: Decimal(1) / 3),
    ('Decimal(2) / 7 * 7', lambda: Decimal(2) / 7 * 7),
    ("Decimal('1.10') + Decimal('2.20')", lambda: Decimal('1.10') + Decimal('2.20')),
    ("Decimal('1.10') * Decimal('2.20')", lambda: Decimal('1.10') * Decimal('2.20')),
    ("+Decimal('1.23456789012345678901234567890123')", lambda: +Decimal('1.23456789012345678901234567890123')),
    ("-Decimal('0')", lambda: -Decimal('0')),
    ("abs(Decimal('-5.50'))", lambda: abs(Decimal('-5.50'))),
    ("str(Decimal('1E+3'))", lambda: str(Decimal('1E+3'))),
    ("str(Decimal('0.000001'))", lambda: str(Decimal('0.000001'))),
    ("str(Decimal('0.0000001'))", lambda: str(Decimal('0.0000001'))),
    ('f"{Decimal(\'3.14159\'):.2f}"', lambda: f"{Decimal('3.14159'):.2f}"),
    ("'%s' % Decimal('1.50')", lambda: '%s' % Decimal('1.50')),
    ("'%d' % Decimal('1.50')", lambda: '%d' % Decimal('1.50')),
    ("'%.1f' % Decimal('1.55')", lambda: '%.1f' % Decimal('1.55')),
    ("'{:>10}'.format(Decimal('1.5'))", lambda: '{:>10}'.format(Decimal('1.5'))),
    ("Decimal('1.000').normalize()", lambda: Decimal('1.000').normalize()),
    ("Decimal('1000').normalize()", lambda: Decimal('1000').normalize()),
    ("Decimal('3.7').to_integral_value()", lambda: Decimal('3.7').to_integral_value()),
    ("Decimal('3.5').to_integral_exact(rounding=ROUND_FLOOR)", lambda: Decimal('3.5').to_integral_exact(rounding=ROUND_FLOOR)),
    ("Decimal('3.2').to_integral(ROUND_CEILING)", lambda: Decimal('3.2').to_integral(ROUND_CEILING)),
    ("Decimal('7').remainder_near(4)", lambda: Decimal('7').remainder_near(4)),
    ("Decimal('-3').copy_abs()", lambda: Decimal('-3').copy_abs()),
    ("Decimal('3').copy_sign(Decimal('-1'))", lambda: Decimal('3').copy_sign(Decimal('-1'))),
    ("Decimal('5').is_normal(), Decimal('0').is_zero(), Decimal('nan').is_nan(), Decimal('-1').is_signed(), Decimal('1e-1000000').is_subnormal()", lambda: (Decimal('5').is_normal(), Decimal('0').is_zero(), Decimal('nan').is_nan(), Decimal('-1').is_signed(), Decimal('1e-1000000').is_subnormal())),
    ("Decimal('1').logb()", lambda: Decimal('1').logb()),
    ('isinstance(Decimal(1), Decimal)', lambda: (isinstance(Decimal(1), Decimal))),
    ("Decimal('1.5').__format__('x')", lambda: Decimal('1.5').__format__('x')),
    ('complex(Decimal(1)) if False else None', lambda: complex(Decimal(1)) if False else None),
    ('type(Decimal(1) + 1).__name__', lambda: type(Decimal(1) + 1).__name__),
]
for label, f in CASES:
    show(label, lambda: repr(f()))

for spec in ["", "f", ".2f", "10.3f", "e", ".3e", "g", ".3g", "%", ".1%", ",", "010", "+", "n", "x", "_", "*^20", ".2", "z", "#", "+,.2f", "=10", ".0f", "E", "G",
             " ", "<10", "08.2f", "0,.2f", "012,.2f", "z.0f", "#.0f", ".30f", ".0e", "s", "d"]:
    for text in ["1234567.891", "-0.00001234", "1E+5", "0", "-0", "NaN", "-Infinity", "1.5", "123E-10", "0.5", "999.995", "0E-5", "0E+5"]:
        show(f"{spec!r} {text}", lambda: repr(format(Decimal(text), spec)))
ctx = getcontext()
print(ctx.prec, ctx.rounding, ctx.Emin, ctx.Emax, ctx.capitals, ctx.clamp)
print(ctx.add(1, Decimal("2.5")), ctx.divide(1, 3), ctx.sqrt(2), ctx.power(2, 10), ctx.quantize(Decimal("1.256"), Decimal("0.01")), ctx.create_decimal("1.23456789012345678901234567890123456"),
      ctx.compare(1, 2), ctx.abs(-3), ctx.minus(3), ctx.plus(3), ctx.max(1, 2), ctx.remainder(7, 4), ctx.multiply(2, 3), ctx.subtract(2, 3), ctx.divmod(7, 2), ctx.exp(1), ctx.Etiny(), ctx.Etop())
print([k.__name__ for k, v in ctx.traps.items() if v])


class Money(Decimal):
    def __new__(cls, value="0"):
        return super().__new__(cls, value)

    def twice(self):
        return self * 2


m = Money("1.50")
print(repr(m), m.twice(), type(m + 1).__name__, isinstance(m, Decimal), m == Decimal("1.5"), Money.from_float(0.5))
for e in (DivisionByZero, Overflow, Underflow, InvalidOperation, DivisionUndefined if hasattr(decimal, "DivisionUndefined") else FloatOperation, FloatOperation):
    print(e.__name__, [b.__name__ for b in e.__mro__])
try:
    Decimal(1) / 0
except ZeroDivisionError as e:
    print("caught", type(e).__name__)
try:
    Decimal("abc")
except ArithmeticError as e:
    print("caught", type(e).__name__, e.args)
total = Decimal(0)
for i in range(1, 200):
    total += Decimal(1) / i
print(total)
x = Decimal(1)
for i in range(60):
    x *= Decimal("1.37")
print(x, x.ln(), x.log10(), x.sqrt(), x ** Decimal("0.3"), x.exp() if x < 10 else "big")
