def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
from decimal import *
import decimal
D=Decimal
for s in ['1','1.50','-0','0','1E+5','1e-5','Infinity','-inf','NaN','-nan','sNaN','NaN123','sNaN5','','abc','1_000','_1','1__0','  1.5 ','1.','.5','.','1e','1e999999','1e9999999','１','1e+','--1','+5','0E+3','0.00','-0.0E-7','123456789012345678901234567890123','0x1','1 2','inf inity','iNf']:
    t(D,s)
for v in [5,True,-7,1.5,0.1,float('nan'),float('inf'),-0.0,(0,(1,2,3),-2),(1,(0,),0),(0,(),'F'),(0,(1,),'n'),(2,(1,),0),(0,(10,),0),(0,1,2),[0,[1],2],(0,(1,2)),None,b'1',1j,D('1.10')]: t(D,v)
t(D); t(D,1,2); t(D,value='5'); t(D,'1',None); t(D.from_float,0.1); t(D.from_float,5); t(D.from_float,'a'); t(D.from_float,float('inf'))
xs=[D(x) for x in ('-0','1','2.50','-7.25','1E+3','999999999999999999999999999999','-Infinity','NaN')]
ops=[('+',lambda a,b:a+b),('-',lambda a,b:a-b),('*',lambda a,b:a*b),('/',lambda a,b:a/b),('//',lambda a,b:a//b),('%',lambda a,b:a%b),('**',lambda a,b:a**b),('divmod',divmod),('<',lambda a,b:a<b),('==',lambda a,b:a==b),('>=',lambda a,b:a>=b)]
for n,f in ops:
    for a in xs:
        for b in xs:
            if n=='**' and (a.is_nan() or not b.is_finite() or abs(b)>100 or b!=b.to_integral_value()): continue
            try: print(n,a,b,f(a,b))
            except Exception as e: print(n,a,b,type(e).__name__,e)
un=[n for n in dir(D) if not n.startswith('_') and n not in ('from_float',)]
print(un)
for n in un:
    if n=='same_quantum': continue
    a=getattr(D,n)
    if not callable(a): continue
    for x in xs:
        for args in ((),(D(3),)) if 'to_' not in n else ((),):
            if n in('exp','ln','log10','sqrt','power','fma') and (x.is_nan() or abs(x)>10**20): continue
            try: r=getattr(x,n)(*args)
            except Exception as e: r=(type(e).__name__,str(e))
            print(n,x,args,r)
