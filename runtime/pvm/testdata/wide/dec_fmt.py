def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
from decimal import *
D=Decimal
for x in [D('1234.5678'),D('-0.005'),D('1E+10'),D('NaN'),D('Infinity'),D('0'),D('-0'),D('123456789.987654321'),D('1.5E-10'),D('99.995')]:
    for s in ['','f','.2f','.0f','e','.3e','E','g','.3g','G','%','.1%','+','-',' ','10','<10','>10','^10','010','+010.2f',',','.2','.20f',',.2f','_','n','x','d','#f','z.2f','*^15','=+12','0=12','.0e','s','10.3','é<8','+,.3f','012,.1f']:
        try: print(x,repr(s),format(x,s))
        except Exception as e: print(x,repr(s),type(e).__name__,e)
    print(str(x),repr(x),x.to_eng_string(),x.as_tuple(),f'{x}',f'{x!r:>20}','%s'%x)
    t(lambda:'%d'%x); t(lambda:'%f'%x); t(int,x); t(float,x); t(lambda:x.as_integer_ratio()); t(hash,x) if x==x else 0; t(round,x); t(round,x,2); t(round,x,-2); t(lambda:x.__floor__()); t(lambda:x.__ceil__()); t(lambda:x.__trunc__()); t(bool,x); t(abs,x); t(lambda:-x); t(lambda:+x); t(lambda:x.real); t(lambda:x.imag); t(x.conjugate); t(x.normalize); t(x.to_integral_value); t(x.adjusted); t(x.number_class); t(x.is_signed)
for q in ('1','0.01','1E+1','0.1','1E-10','100','NaN','Infinity'):
    for x in ('2.675','2.665','-1.005','12345.6789','0','Infinity','NaN','1E+30'):
        t(D(x).quantize,D(q))
        for rnd in (ROUND_UP,ROUND_DOWN,ROUND_CEILING,ROUND_FLOOR,ROUND_HALF_UP,ROUND_HALF_DOWN,ROUND_HALF_EVEN,ROUND_05UP): 
            try: print(x,q,rnd,D(x).quantize(D(q),rounding=rnd))
            except Exception as e: print(type(e).__name__,e)
t(D('1.5').quantize,D('1'),rounding='x'); t(D('1.5').quantize,'1'); t(D('1.5').quantize,1); t(D('1').quantize); t(D('2.5').to_integral_value,ROUND_UP); t(D('2.5').to_integral_exact,rounding=ROUND_FLOOR); t(D('1.23').__round__,1); t(round,D('2.5')); t(round,D('3.5')); t(round,D('1.25'),1); t(round,D('1E+3'),-4); t(round,D('5'),'a'); t(round,D('NaN')); t(round,D('inf'),2)
t(lambda:D(1)+1); t(lambda:1+D(1)); t(lambda:D(1)+1.5); t(lambda:1.5+D(1)); t(lambda:D(1)<1.5); t(lambda:D('1.5')==1.5); t(lambda:D('0.1')==0.1); t(lambda:D(1)+'1'); t(lambda:D(1)==1); t(lambda:D(1)<'a'); t(lambda:D(2)**D('0.5')); t(lambda:D(2)**-1); t(lambda:2**D(3)); t(lambda:pow(D(2),10,7)); t(lambda:pow(D(2),10,D(7))); t(lambda:D(10)//D(3)); t(lambda:-D(10)//3); t(lambda:-D(10)%3); t(lambda:divmod(D(-10),3)); t(lambda:D(1)/D(3)); t(lambda:D(1)/0); t(lambda:D(0)/0); t(lambda:D(1)//0); t(lambda:D(1)%0); t(lambda:D('inf')-D('inf')); t(lambda:D('sNaN')+1); t(lambda:D('NaN')<1); t(lambda:D('NaN')==D('NaN')); t(lambda:sorted([D(3),D('1.5'),2])); t(lambda:max(D(1),2.5)); t(lambda:sum([D('0.1')]*10)); t(lambda:sum([D(1),1.5])); t(lambda:hash(D('1.0'))==hash(1)); t(lambda:hash(D('0.5'))==hash(0.5)); t(lambda:hash(D('sNaN'))); t(lambda:{D(1):1}[1]); t(lambda:D(2).sqrt()); t(lambda:D(-1).sqrt()); t(lambda:D(1).exp()); t(lambda:D(10).ln()); t(lambda:D(0).ln()); t(lambda:D(-1).ln()); t(lambda:D(1000).log10()); t(lambda:D(2).log10()); t(lambda:D('1E+1000000')*10); t(lambda:D('9'*40)+1); t(lambda:D('1e-999999')/10**30); t(lambda:D(3).fma(4,5)); t(lambda:D(7).compare(D(8))); t(lambda:D('1.0').compare_total(D(1))); t(lambda:D('1.00').same_quantum(D('0.01'))); t(lambda:D(5).scaleb(3)); t(lambda:D(5).shift(2)); t(lambda:D('123').rotate(1)); t(lambda:D('101').logical_and(D('110'))); t(lambda:D('3').next_plus()); t(lambda:D('3').next_toward(4)); t(lambda:D(17).remainder_near(5)); t(lambda:D('1.1').canonical()); t(lambda:D(3).copy_sign(D(-1))); t(lambda:D(3).copy_abs()); t(lambda:D(3).copy_negate()); t(lambda:D(3).max(4)); t(lambda:D(3).min(D('NaN'))); t(lambda:D(-5).max_mag(3)); t(lambda:D(1).radix()); t(lambda:D('Infinity').logb()); t(lambda:D(250).logb()); t(lambda:complex(D(2))); t(lambda:D('1')<=1j); t(lambda:D(1)==1j)
class DD(Decimal): pass
print(repr(DD('1.5')),type(DD(1)+1),DD(2)*2,type(abs(DD(1))),isinstance(DD(1),Decimal),type(DD('5').quantize(D(1)))); print(sorted(x for x in ('Clamped','DecimalException','DivisionByZero','Inexact','InvalidOperation','Overflow','Rounded','Subnormal','Underflow','FloatOperation','MAX_PREC','HAVE_THREADS') if hasattr(__import__ if 0 else Decimal,'x')==False)); print(DivisionByZero.__mro__,InvalidOperation.__mro__,getcontext().prec,getcontext().rounding,Overflow.__mro__[1])
