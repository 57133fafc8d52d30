def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import struct
from struct import *
for f in 'xcbB?hHiIlLqQnNefdspP':
    for p in '@=<>!':
        try: print(p+f,calcsize(p+f),calcsize(p+'c'+f),calcsize(p+'3'+f))
        except error as e: print(p+f,e)
vals={'c':[b'a',b'ab','a',1],'b':[0,127,-128,128,-129,1.5,'a',True],'B':[0,255,256,-1],'?':[0,1,[],'x',None],'h':[32767,-32768,32768],'H':[65535,65536,-1],'i':[2**31-1,-2**31,2**31],'I':[2**32-1,2**32,-1],'l':[1],'L':[2**32-1],'q':[2**63-1,-2**63,2**63],'Q':[2**64-1,2**64,-1],'n':[5],'N':[5,-1],'e':[1.5,65504.0,65520.0,1e-8,float('inf'),float('nan'),'a',1],'f':[1.5,3.4e38,1e39,float('inf'),'a',2],'d':[1.5,1e308,'a',10**400],'s':[b'abc',b'',bytearray(b'x'),'a',1],'P':[5,-1]}
for f,vs in vals.items():
    for v in vs:
        for p in ('','<','>'):
            if (f in 'nNP' and p): continue
            t(pack,p+f,v); 
t(pack,'5s',b'abc'); t(pack,'2s',b'abc'); t(pack,'0s',b'abc'); t(pack,'5p',b'abc'); t(pack,'2p',b'abc'); t(pack,'p',b'abc'); t(pack,'0p',b''); t(pack,'300p',b'x'*290).__class__; t(unpack,'5p',b'\x03abcd'); t(unpack,'3p',b'\x09ab'); t(pack,'3i',1,2,3); t(pack,'3i',1,2); t(pack,'i',1,2); t(pack,'ci',b'a',1); t(pack,'<ci',b'a',1); t(pack,'cxxxh',b'a',1); t(pack,'3x'); t(pack,''); t(pack,'c0i',b'a'); t(pack,'bhilq0c',1,2,3,4,5); t(pack,' < i h ',1,2); t(pack,'2h 3b',1,2,3,4,5); t(pack,b'>h',1); t(pack,'z',1); t(pack,'<n',1); t(pack,'3',1); t(pack,5,1); t(pack,'<<i',1); t(pack,'i<',1); t(pack); t(pack,'99999999999999999999i'); t(pack,'é',1)
t(unpack,'<hh',b'\1\0\2\0'); t(unpack,'<hh',b'\1\0\2'); t(unpack,'<h',b'\1\0\2\0'); t(unpack,'>I',bytearray(b'\0\0\1\0')); t(unpack,'>I',memoryview(b'\0\0\1\0')); t(unpack,'i','abcd'); t(unpack,'?b',b'\2\xff'); t(unpack,'<e',b'\x00\x3e'); t(unpack,'<f',b'\0\0\xc0\x3f'); t(unpack,'>d',b'\x3f\xf8'+b'\0'*6); t(unpack,'3s2x1s',b'abcdef'); t(unpack,'',b''); t(unpack,'x',b'a'); t(unpack,'<q',b'\xff'*8); t(unpack,'<Q',b'\xff'*8); t(unpack,'cc',b'ab')
t(unpack_from,'<h',b'\0\1\0\2',1); t(unpack_from,'<h',b'\0\1',1); t(unpack_from,'<h',b'\0\1\2',-2); t(unpack_from,'<h',b'\0\1',-3); t(unpack_from,'<h',b'\0\1',offset=0); t(unpack_from,'<h',buffer=b'\0\1'); t(unpack_from,'<i',b''); t(unpack_from,'<h',b'ab',9)
b=bytearray(6); pack_into('<h',b,2,513); print(b); t(pack_into,'<h',b,5,1); t(pack_into,'<h',b,-2,7); print(b); t(pack_into,'<h',b,-1,7); t(pack_into,'<h',b'ab',0,1); t(pack_into,'<h',b,0); t(pack_into,'<h',b); t(pack_into,'<h',b,0,99999); t(pack_into,'<2h',b,0,1); t(pack_into,'h',memoryview(b),0,258); print(b); t(pack_into,'<h',b,'a',1); t(pack_into,'<i',b,9,1)
print(list(iter_unpack('<h',b'\1\0\2\0'))); t(iter_unpack,'<h',b'\1'); t(iter_unpack,'',b''); t(iter_unpack,'<h',b''); it=iter_unpack('>hB',b'\0\1\2\0\3\4'); print(next(it),it.__length_hint__(),list(it)); 
s=Struct('<hb'); print(s.size,s.format,s.pack(1,2),s.unpack(b'\1\0\2'),s.unpack_from(b'x\1\0\2',1),list(s.iter_unpack(b'\1\0\2\3\0\4')),repr(s)[:14]); bb=bytearray(4); s.pack_into(bb,1,5,6); print(bb); t(s.pack,1); t(s.pack,'a',1); t(s.unpack,b'a'); t(Struct,'z'); t(Struct,5); t(Struct); t(Struct,b'h').__class__; t(setattr,s,'size',1); print(error.__name__,error.__module__,issubclass(error,Exception)); t(calcsize,'3'); t(calcsize,'q'*3); t(calcsize,'bq'); t(calcsize,'<bq'); t(calcsize,'bq0q'); t(calcsize,'i0b'); t(calcsize,1); t(calcsize,'100000000000000000000b'); t(calcsize,'P'); t(calcsize,'!P')
class I:
    def __index__(s): return 65
class F:
    def __float__(s): return 2.5
t(pack,'b',I()); t(pack,'d',F()); t(pack,'d',I()); t(pack,'i',F()); t(pack,'c',I()); t(pack,'?',F())
