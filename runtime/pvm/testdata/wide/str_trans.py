def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
t(str.maketrans,'abc','xyz'); t(str.maketrans,'abc','xyz','d'); t(str.maketrans,{'a':'b',1:None,'c':5}); t(str.maketrans,'ab','x'); t(str.maketrans,'ab'); t(str.maketrans,{'ab':1}); t(str.maketrans,{1.5:1}); t(str.maketrans,1,2); t(str.maketrans,'a',2); t(str.maketrans,'a','b',3); t(str.maketrans); t(str.maketrans,'a','b','c','d'); t(str.maketrans,'aa','bc')
for tab in ({97:'X'},{97:None},{97:98},{97:'long'},{},{97:''},{0x1f600:'smile'},{97:0x110000},{97:-1},{97:1.5},{97:b'x'},[None]*98,'x'*200,{'a':'b'}):
    t('banana\U0001f600'.translate,tab)
class T:
    def __getitem__(self,c):
        if c==98: raise LookupError
        if c==110: raise IndexError
        return c+1
t('banana'.translate,T())
class T2:
    def __getitem__(self,c): raise ValueError('x')
t('banana'.translate,T2()); t('a'.translate); t('a'.translate,5); t('a'.translate,None)
t(bytes.maketrans,b'ab',b'xy'); t(bytes.maketrans,b'ab',b'x'); t(bytes.maketrans,'a','b'); t(b'abc'.translate,bytes.maketrans(b'ab',b'xy')); t(b'abc'.translate,None,b'b'); t(b'abc'.translate,b'x'); t(b'abc'.translate,bytes(range(256)),delete=b'a'); t(b'abc'.translate,None,'a'); t(bytearray(b'abc').translate,None,delete=b'c'); t(b'abc'.translate); t(b'abc'.translate,'x'*256); t(b'abc'.translate, None)
t('aé\ud800'.encode) ; t('é'.encode,'utf-8','strict'); t('a'.encode,encoding='utf8'); t('a'.encode,'UTF_8'); t('a'.encode,1); t('a'.encode,'utf-8',1); t(b'\xff'.decode); t(b'\xc3'.decode); t(b'\xe2\x82'.decode); t(b'a\xf0\x9f\x98'.decode); t(b'\xed\xa0\x80'.decode); t(b'\xc0\x80'.decode); t(b'\xf5aaa'.decode); t(b'ab\x80cd'.decode); t(b'\xe2\x28\xa1'.decode); t(b'\xf0\x28\x8c\xbc'.decode); t(b'\xf4\x90\x80\x80'.decode); t(str,b'abc'); t(str,b'abc','utf-8'); t(str,b'\xff','utf-8'); t(str,'a','utf-8'); t(str,5,'utf-8'); t(str,bytearray(b'x'),encoding='utf-8'); t(str,memoryview(b'zz'),'utf8'); t(str,object=5); t(str,1,2,3,4); t(str,encoding='utf-8'); t(str,b'a',errors='strict'); t(str)
try: b'ab\xffcd'.decode()
except UnicodeDecodeError as e: print(e.encoding,e.object,e.start,e.end,e.reason,e.args,str(e),repr(e))
try: 'ab\udc80cd'.encode()
except UnicodeEncodeError as e: print(e.encoding,ascii(e.object),e.start,e.end,e.reason,ascii(e.args),str(e))
t(UnicodeDecodeError); t(UnicodeDecodeError,'u',b'abc',1,2,'r'); t(UnicodeDecodeError,'u',b'abc',1,3,'r'); t(UnicodeDecodeError,'u','abc',1,2,'r'); t(UnicodeEncodeError,'u','aéc',1,2,'r'); t(UnicodeTranslateError,'abc',0,2,'r'); t(str,UnicodeDecodeError('u',b'abc',1,2,'r')); t(str,UnicodeEncodeError('u','a\u1234c',1,2,'r')); t(str,UnicodeEncodeError('u','a\U0001f600c',1,2,'r')); t(str,UnicodeTranslateError('abc',0,1,'r')); t(str,UnicodeTranslateError('abc',0,2,'r'))
t(chr,97); t(chr,-1); t(chr,0x110000); t(chr,'a'); t(chr,1.5); t(ord,'a'); t(ord,'ab'); t(ord,''); t(ord,b'a'); t(ord,b'ab'); t(ord,5); t(ord,bytearray(b'z')); t(ascii,'é\u1234\U0001f600\n\x00\''); t(repr,'\'"'); t(repr,"'"); t(repr,'"'); t(repr,'\\'); t(repr,'\x7f\x80\xa0\xad\u0378\u2028\ue000\U000e0001\uffff'); t(repr,'\t\n\r\x0b\x1b')
t(lambda:'abc'[5]); t(lambda:'abc'['a']); t(lambda:'abc'[1.0]); t(lambda:'abc'+1); t(lambda:1+'abc'); t(lambda:'a'*-1); t(lambda:'a'<1); t(lambda:'a' in 1); t(lambda: 1 in 'a'); t(lambda:'abc'[::0]); t(lambda:'abc'[None]); t(lambda:'abc'[::-1]); t(lambda:'a' 'b'); t(lambda: -'a'); t(lambda: 'a'-'b'); t(lambda:'a'**2); t(lambda: 'a'/2); t(lambda:setattr('a','x',1)); t(lambda: 'a'.foo); t(lambda:'a'()); 
def st(x): x[0]='b'
t(st,'abc'); t(st,b'abc'); t(st,(1,)); t(st,5); t(st,range(3)); t(st,{1}); t(st,None); t(st,len)
def dl(x): del x[0]
for x in ('abc',b'abc',(1,),5,range(3),{1},None,len): t(dl,x)
