def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
def s(b,i,v): b[i]=v; return b
def d(b,i): del b[i]; return b
B=lambda: bytearray(b'hello world')
for i in (0,-1,5,20,-20,slice(1,3),slice(None,None,2),slice(3,1),slice(20,30),slice(None),'a',1.0,slice(None,None,-1),True):
    for v in (65,256,-1,b'Z',b'ZZZZZZ','s',[1,2],None,bytearray(b'q'),(300,),memoryview(b'mv'),range(3),5.5): t(s,B(),i,v)
    t(d,B(),i); t(lambda:B()[i]); t(lambda:bytes(B())[i])
b=B(); b.append(33); b.extend(b'ab'); b.extend([1,2]); b.insert(0,255); print(b, b.pop(), b.pop(0), b); b.remove(108); b.reverse(); print(b); c=b.copy(); c.clear(); print(c,len(b))
t(b.append,256); t(b.append,'a'); t(b.append,b'a'); t(b.extend,5); t(b.extend,'abc'); t(b.extend,[256]); t(b.extend,['a']); t(b.insert,0,'a'); t(b.insert,'a',1); t(b.pop,99); t(bytearray().pop); t(b.remove,250); t(b.remove,'a'); t(b.remove, 300)
t(bytearray,5); t(bytearray,-1); t(bytearray,'abc'); t(bytearray,'abc','utf-8'); t(bytearray,[1,2,300]); t(bytearray,[1,'a']); t(bytearray,None); t(bytearray,1.5); t(bytearray,b'a','utf-8'); t(bytearray,source=b'a'); t(bytearray,True); t(bytearray,range(3)); t(bytearray,2**100)
t(bytes,5); t(bytes,-1); t(bytes,'abc'); t(bytes,'abc','utf-8'); t(bytes,[1,2,300]); t(bytes,[1,'a']); t(bytes,None); t(bytes,1.5); t(bytes,b'a','utf-8'); t(bytes,source=b'a'); t(bytes,True); t(bytes,encoding='utf8'); t(bytes,5,encoding='utf8'); t(bytes,'a',5); t(bytes,1,2,3,4); t(bytes,{1:2}); t(bytes,[True])
class Y:
    def __bytes__(self): return b'yy'
class Z:
    def __bytes__(self): return 'z'
class I:
    def __index__(self): return 3
t(bytes,Y()); t(bytes,Z()); t(bytes,I()); t(bytearray,I()); t(bytearray,Y()); t(bytes,[I()])
t(bytes.fromhex,'0a 0B'); t(bytes.fromhex,'0'); t(bytes.fromhex,'0g'); t(bytes.fromhex,'é'); t(bytes.fromhex,' 00\n11\t'); t(bytes.fromhex,'0 0'); t(bytes.fromhex,5); t(bytes.fromhex,''); t(bytearray.fromhex,'ff'); t(b'\x01\x02\xff'.hex); t(b'\x01\x02\xff'.hex,':'); t(b'\x01\x02\xff\x10'.hex,':',2); t(b'\x01\x02\xff\x10'.hex,'-',-3); t(b'a'.hex,'ab'); t(b'a'.hex,''); t(b'a'.hex,'é'); t(b'a'.hex,1); t(b'a'.hex,sep=b':'); t(b'abc'.hex,':',bytes_per_sep=0); t(b'abcd'.hex, sep='_', bytes_per_sep=3)
t(lambda:b'a'+'a'); t(lambda:'a'+b'a'); t(lambda:b'a'+bytearray(b'b')); t(lambda:bytearray(b'a')+b'b'); t(lambda:b'a'+[1]); t(lambda:b'a'*2); t(lambda:b'a'==bytearray(b'a')); t(lambda:b'a'=='a'); t(lambda:b'a'<'a'); t(lambda:97 in b'a'); t(lambda:'a' in b'a'); t(lambda:300 in b'a'); t(lambda:b'' in b'a'); t(hash,bytearray()); t(lambda:hash(b'a')==hash(memoryview(b'a'))); t(lambda:b'a'%5); t(lambda: b'abc'[1]); t(lambda: list(b'abc')); t(b'a,b'.split,b','); t(b' a '.strip); t(b'abc'.find,98); t(b'abc'.find,256); t(b'abc'.index,b'z'); t(b'abc'.count,97); t(b'a'.join,[b'x',bytearray(b'y')]); t(b'a'.join,['x']); t(b','.join,[1]); t(bytearray(b',').join,[b'a',b'b']); t(b'abc'.replace,b'b',b'XX'); t(b'abc'.replace,'b','c'); t(b'AbC'.swapcase); t(b'abc def'.title); t(b'\xe9'.upper); t(b'ab'.center,6,b'*'); t(b'ab'.center,6,'*'); t(b'ab'.center,6,b'**'); t(b'-5'.zfill,5); t(b'abc'.isalpha); t(b''.isalpha); t(b'abc'.removeprefix,b'a'); t(b'abc'.partition,b'b'); t(b'abc'.startswith,(b'a',b'b')); t(b'abc'.startswith,'a'); t(b'abc'.startswith,('a',)); t(bytearray(b'abc').endswith,b'c')
x=bytearray(b'ab'); y=x; x+=b'c'; print(y); x*=2; print(y)
def ia(a,b): a+=b; return a
t(ia,bytearray(b'a'),'s'); t(ia,bytearray(b'a'),[1]); t(ia,bytearray(b'a'),5); t(ia,b'a',bytearray(b'b')); t(ia, bytearray(b'a'), memoryview(b'zz'))
print(bytes(bytearray(b"it's")),bytearray(b'"'),b'\'"',bytearray(b"\n\t\x00\\'"), str(bytearray(b'x')))
