def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
def p(f,a): return f%a
vals=[1,-1,3.7,'s',b'b',None,[1],(1,),2**70,True,'é']
for v in vals:
    for f in ('%d','%i','%u','%s','%r','%a','%c','%x','%X','%o','%e','%E','%f','%F','%g','%G','%5d|','%-5d|','%05d','%+d','% d','%#x','%#o','%.3d','%.2f','%8.3f|','%-8.2e|','%5s|','%-5s|','%.1s','%5.1s|','%ld','%hd','%Ld','%5%','%q','%','%5','%.','%.*d','%*d'):
        t(p,f,(v,))
t(p,'%s',(1,2)); t(p,'%s %s',(1,)); t(p,'%s',()); t(p,'a',1); t(p,'a',()); t(p,'a',{}); t(p,'a',[1]); t(p,'%s',[1]); t(p,'%(a)s',{'a':1}); t(p,'%(a)s',{}); t(p,'%(a)s',1); t(p,'%(a)s',(1,)); t(p,'%(a',{'a':1}); t(p,'%(a)',{'a':1}); t(p,'%(a(b))s',{'a(b)':1}); t(p,'%()s',{'':1}); t(p,'%(a)s %s',{'a':1}); t(p,'%*d',(5,3)); t(p,'%-*d|',(5,3)); t(p,'%*d|',(-5,3)); t(p,'%.*f',(2,3.14159)); t(p,'%*.*f',(8,2,3.14159)); t(p,'%*d',('a',3)); t(p,'%.*f',('a',3)); t(p,'%%',()); t(p,'%% %s',1); t(p,'%c','ab'); t(p,'%c',''); t(p,'%c',65); t(p,'%c',1.5); t(p,'%c',-1); t(p,'%c',0x110000); t(p,'%c',b'a'); t(p,'%d','1'); t(p,'%x',1.5); t(p,'%f','a'); t(p,'%d',1e300); t(p,'%d',float('nan')); t(p,'%d',float('inf')); t(p,'%s %s %s',('a','b')); t(p,'%s',{'a':1}); t(p,'%s %s',{'a':1}); t(p,'%d%%',5); t(p,'%#X',255); t(p,'%#.3g',1.0); t(p,'%010.3f',-3.14159); t(p,'%+.1e',12345); t(p,'%x',-255); t(p,'%#o',-8); t(p,'%#x',0); t(p,'%.0f',0.5); t(p,'%.0f',1.5); t(p,'%.50f',0.1); t(p,'%g',1e-5); t(p,'%g',100000); t(p,'%g',1000000); t(p,'%5c|','x'); t(p,'%-5c|','x'); t(p,'%a','é\n'); t(p,'%.3r','abcdef'); t(p,'%99999999999d',1); t(p,'%.99999999999d',1); t(p,'%s%',1); t(p,'%z',1); t(p,'%é',1); t(p,'%l',1); t(p,'% +d',5); t(p,'%+ d',5); t(p,'%0-5d|',5); t(p,'%-05d|',5); t(p,'%+05d',5); t(p,'%#5x|',10); t(p,'%#05x|',10)
class I:
    def __index__(self): return 7
    def __int__(self): return 8
    def __float__(self): return 9.5
    def __str__(self): return 'I!'
for f in '%d %x %f %s %c %e %i %o %g'.split(): t(p,f,I())
class M:
    def __getitem__(self,k): return k.upper()
t(p,'%(ab)s-%(c)r',M()); t(p,'plain',M()); t(p,'%s',M()) if 0 else 0
for f in (b'%d',b'%s',b'%b',b'%a',b'%r',b'%c',b'%x',b'%5s|',b'%-5d|',b'%f',b'%(k)s',b'%%',b'%q',b'%*d'):
    for v in (5,b'x','s',bytearray(b'q'),{b'k':b'v'},{'k':1},(1,2),3.5,[1],memoryview(b'mv'),300):
        t(p,f,v); t(p,bytearray(f),v)
class B:
    def __bytes__(self): return b'BB'
t(p,b'%s %b',(B(),B())); t(p,b'%s',I()); t(lambda:'%s'.__mod__(3)); t(lambda:'%s'.__rmod__('a')); t(lambda: 5%'a'); t(lambda: None%'a')
