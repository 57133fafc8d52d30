def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
nan=float('nan'); inf=float('inf')
for x in (0.0,-0.0,1.0,-1.5,0.1,1e16,1e15,123456789.123,1e22,1e23,1e-5,1e-4,5e-324,1.7976931348623157e308,inf,-inf,nan,2.5,3.5,1/3,100.0,1e100):
    print(x,repr(x),str(x)); t(x.is_integer); t(x.as_integer_ratio); t(x.hex); t(int,x); t(round,x); t(round,x,2); t(round,x,-2); t(x.__trunc__); t(x.__floor__); t(x.__ceil__); print(bool(x),abs(x),-x,hash(x) if x==x else 'nan',x==x)
    for spec in ('','e','E','f','F','g','G','%','n','.0f','.0e','.1f','.3g','.10g','.20f','#.0f','#g','+','-',' ','010','<12','^12.2f','>+12.2e',',',',.2f','_','_.3f','=+20,.2f','020,.1f','x^20','.3','.0','z.1f','z','+z.1f','d','x','c','s','.','.2d','10.','1.1.1',',_','__','.3n','\u20ac>9'):
        try: print(spec,'|',format(x,spec))
        except (ValueError,TypeError) as e: print(spec,type(e).__name__,e)
t(float.fromhex,'0x1.8p3'); t(float.fromhex,'-0x.1p-3'); t(float.fromhex,'inf'); t(float.fromhex,'nan'); t(float.fromhex,'1.8'); t(float.fromhex,'0x'); t(float.fromhex,'0x1p99999'); t(float.fromhex,' 0X1P+2 '); t(float.fromhex,'zz'); t(float.fromhex,''); t(float.fromhex,1); t(float.fromhex,'0x1.fffffffffffff8p0'); t(float.fromhex,'1p-1080')
for s in ('1.5',' 1.5 ','1e5','1_0.5','1__0','_1','1_','.5','5.','.','e5','1e','1e+','inf','-Infinity','+nan','nan(1)','infinit','0x1','１.５',b'1.5',b'x','', ' ','1 2','1e400','-1e400','1e-400',None,[],'1.5j','--1','１e２','1\u20071'):
    t(float,s)
t(float,1,2); t(float,x=1); t(float,'1',base=3); t(lambda:1.5//0); t(lambda:1.5%0.0); t(lambda:1.5/0); t(divmod,1.5,0); t(lambda:0.0**-1); t(lambda:1e200**2); t(lambda:1.5<<1); t(lambda:1.5+'a'); t(lambda: 1.5<'a'); t(divmod,-7.5,2); t(divmod,7.5,-2); t(lambda:-7.5//2); t(lambda:-1e-20%3.0); t(lambda: inf//1); t(lambda:inf%2); t(lambda:5%inf); t(lambda:-5%inf); t(lambda:-5//inf)
t(round,2.5); t(round,0.5); t(round,1.15,1); t(round,2.675,2); t(round,1e300,-300); t(round,1.5,'a'); t(round,1e22,-22); t(round,5e-324,330); t(round,1.5,10**10); t(round,1.5,-10**10); t(round); t(round,'a'); t(round,1,2,3); t(round,number=2.5,ndigits=0); t(round,x=1)
t((1.5).__eq__,1); t((1.5).__eq__,'a'); t((1.5).__lt__,10**400); t((2.0).__eq__,2); t(lambda:float(10**400)) ; t(lambda:10**400/3); t(lambda: 10**400*1.0); t(lambda:2**1000<1e308); t(lambda:2**53+1==float(2**53)); t(lambda: 1.0 .__getformat__('x')) if 0 else None
t((1.5).conjugate); print((1.5).real,(1.5).imag); t((1.5).__getnewargs__); t(float.__add__,1,2); t(float.__add__,1.0,2); t(float.fromhex,x=1)
t(sum,[0.1]*10); t(sum,[1e16,1,-1e16]); t(sum,[0.1,1,2]); t(sum,[1,0.5],0.25); t(max,1,nan); t(max,nan,1); t(min,[0.0,-0.0]); t(sorted,[3,nan,1])
