def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
for a in (True,False):
    for b in (True,False,1,0.5): print(a&b if not isinstance(b,float) else '',a|b if not isinstance(b,float) else '',a^b if not isinstance(b,float) else '',a+b,a-b,a*b,a<b,a==b)
t(bool,[]); t(bool,1,2); t(bool,x=1); t(bool); t(repr,True); t(str,False); t(format,True,'d'); t(format,True,''); t(format,True,'5'); t(format,True,'s'); t(format,None,''); t(format,None,'5'); t(int,True); t(lambda:True+True); t(lambda:-True); t(lambda:~True); t(lambda:None+1); t(lambda:None<None); t(lambda:None()); t(lambda:None[0]); t(lambda:None.x); t(lambda:setattr(None,'x',1)); t(type(None)); t(type(None),1); t(lambda: len(None)); t(lambda:iter(None)); t(lambda:[*None]); t(lambda: 1 in None); t(lambda: next(None)); t(lambda: abs(None)); t(lambda: None > 0); t(lambda:hash(True)==hash(1)); t(lambda: {True:'a',1:'b',1.0:'c'}); t(lambda: type(True&1)); t(lambda: bool.__mro__); t(lambda: type('X',(bool,),{})); t(lambda: type('X',(type(None),),{})); t(lambda: type('X',(range,),{})); t(lambda: type('X',(slice,),{})); t(lambda: type('X',(type(lambda:0),),{})); t(lambda: type('X',(type(...),),{})); t(lambda: type('X',(memoryview,),{}))
class B0:
    def __bool__(self): return 1
class B1:
    def __len__(self): return -1
class B2:
    def __len__(self): return 'a'
class B3:
    __bool__=None
class B4:
    def __len__(self): return 2**70
for c in (B0,B1,B2,B3,B4): t(bool,c()); t(lambda: not c()); t(lambda: 1 if c() else 2); t(len,c()) if hasattr(c,'__len__') else 0
t(lambda: Ellipsis); t(lambda: ...); t(lambda: NotImplemented); t(lambda: type(NotImplemented)()); t(lambda: repr(type(...)))
