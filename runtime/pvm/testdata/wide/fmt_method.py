def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
t('{}{}'.format,1,2); t('{0}{}'.format,1); t('{}{0}'.format,1); t('{}'.format); t('{1}'.format,1); t('{a}'.format); t('{a}'.format,a=1); t('{a.b}'.format,a=1); t('{a[0]}'.format,a=[7]); t('{a[x]}'.format,a={'x':2}); t('{a[-1]}'.format,a=[1]); t('{a[1.5]}'.format,a={'1.5':3}); t('{0[0][1]}'.format,[[1,2]]); t('{0.real.imag}'.format,5); t('{'.format); t('}'.format); t('{{}}'.format); t('{{{}}}'.format,4); t('{!r}'.format,'a'); t('{!s}'.format,'a'); t('{!a}'.format,'é'); t('{!x}'.format,'a'); t('{!}'.format,1); t('{!rr}'.format,1); t('{!r:>5}'.format,'a'); t('{:{}}'.format,1,5); t('{:{w}.{p}f}'.format,3.14159,w=9,p=2); t('{:{}{}}'.format,1,'>',5); t('{:{:{}}}'.format,1,2,3); t('{0:{1}}{2}'.format,1,'<3',2); t('{:'.format,1); t('{a'.format,a=1); t('{0[}'.format,[1]); t('{0[]}'.format,[1]); t('{0[a}'.format,[1]); t('{0.}'.format,1); t('{0..a}'.format,1); t('{.real}'.format,5); t('{[0]}'.format,'xy'); t('{a b}'.format,**{'a b':3}); t('{ 0}'.format,1); t('{0 }'.format,1); t('{-1}'.format,1); t('{00}'.format,7); t('{99999999999999999999}'.format,7); t('{0[99999999999999999999999]}'.format,[7]); t('{!r:}'.format,3); t('{:d}'.format,'a'); t('{:s}'.format,3); t('{:}'.format,[]); t('{:5}'.format,[]); t('{:>5}'.format,None); t('{0}{1}{0}'.format,'a','b'); t('a{}b{}c'.format,1,2); t('{0!r:{1}}'.format,'x',6); t('{x[a][0].real}'.format,x={'a':[5]}); t('{}}'.format,1); t('{{}'.format,1); t('}{'.format,1); t('{:}}'.format,1); t('{:{{}}}'.format,1)
t('{a}'.format_map,{'a':1}); t('{a}'.format_map,{}); t('{}'.format_map,{}); t('{0}'.format_map,{}); t('{0}'.format_map,[1]); t('{a}'.format_map); t('{a}'.format_map,5); t('x'.format_map,5)
class D(dict):
    def __missing__(self,k): return '<'+k+'>'
t('{a} {b!r} {c.upper}'.format_map,D(a=1))
class F:
    def __format__(self,s): return f'F({s})'
    def __str__(self): return 'S'
    def __repr__(self): return 'R'
t('{0} {0:abc} {0!s} {0!r} {0!s:>3} {0:{1}}'.format,F(),'zz'); t(format,F()); t(format,F(),'q')
class G:
    def __format__(self,s): return 5
t('{}'.format,G()); t(format,G()); t(lambda:f'{G()}')
class H: pass
t(format,H(),'5'); t('{:5}'.format,H()); t(format,1,2); t(format); t(format,1,'d','e'); t(object().__format__,'x'); t(object.__format__,1,'');t(H().__format__,1)
class P:
    x=5
    def __getitem__(self,k): return ('item',k)
    def __getattr__(self,n): return ('attr',n)
t('{0.foo} {0[foo]} {0[1]} {0.x} {0[a b]} {0[a.b]}'.format,P())
t(lambda:str.format(5)); t(str.format); t(str.format,'{}{x}',1,x=2); t('{self}'.format,self=3); t('{:\u2603^10}'.format,'a'); t('{:10}|{:<10}|{:>10}|{:^10}'.format,1,1,1,1); t('{:10}|{:10}'.format,'a',True); t('{:%}'.format,0.5); t('{:+.3e}'.format,12345.678); t('{:,}'.format,1234567.891); t('{:_}'.format,1234567); t('{:#b} {:#o} {:#x}'.format,5,64,255); t('{:c}'.format,8364); t('{:c}'.format,0x110000); t('{:c}'.format,-1); t('{:5c}|'.format,65); t('{:x}'.format,3.5); t('{:.3}'.format,'abcdef'); t('{:.3}'.format,3.14159); t('{:.3}'.format,3)
