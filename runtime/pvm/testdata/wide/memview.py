def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
m=memoryview(b'abcdef'); w=memoryview(bytearray(b'abcdef'))
for name in [n for n in dir(m) if not n.startswith('_')]:
    a=getattr(m,name); print(name, 'method' if callable(a) else a)
t(lambda:m[0]); t(lambda:m[-1]); t(lambda:m[9]); t(lambda:m['a']); t(lambda:bytes(m[1:3])); t(lambda:m[::2].tolist()); t(lambda:m[::-1].tobytes()); t(lambda:m[1:4].strides); t(lambda:m[::2].contiguous); t(lambda:m[::2].nbytes); t(lambda: m[0:0].tobytes())
def s(x,i,v): x[i]=v; return x.tobytes()
t(s,m,0,1); t(s,w,0,65); t(s,w,0,256); t(s,w,0,b'a'); t(s,w,slice(0,2),b'XY'); t(s,w,slice(0,2),b'XYZ'); t(s,w,9,1); t(s,w,slice(None,None,2),b'123')
t(lambda: m==b'abcdef'); t(lambda:m==w); t(lambda:m<w); t(lambda:hash(m)==hash(b'abcdef')); t(hash,w); t(lambda:len(m)); t(lambda: 97 in m); t(lambda:list(m)[:2]); t(lambda:m.hex()); t(lambda:m.hex(':')); t(lambda:m.hex(':',2)); t(memoryview,'a'); t(memoryview,5); t(memoryview); t(memoryview,object=b'a'); t(m.cast,'B'); t(lambda:m.cast('H').tolist()); t(lambda:m.cast('I')); t(lambda:memoryview(b'abcdefgh').cast('I').tolist()); t(lambda:memoryview(b'abcdefgh').cast('Q')[0]); t(lambda:memoryview(b'abcdefgh').cast('b').format); t(lambda:memoryview(b'abcd').cast('c').tolist()); t(lambda:m.cast('z')); t(lambda:memoryview(b'abcdefgh').cast('f').tolist()); t(lambda: memoryview(b'\0\0\0\0\0\0\xf0?').cast('d').tolist()); t(lambda: memoryview(b'\1\0').cast('?').tolist())
m2=m.toreadonly(); t(lambda:m2.readonly); w2=w.toreadonly(); t(s,w2,0,1)
with memoryview(b'x') as q: print(q[0])
t(lambda:q[0]); t(lambda:q.tobytes()); t(lambda:repr(q)); q.release()
ba=bytearray(b'abc'); v=memoryview(ba); ba[0]=90; print(v.tobytes()); v.release(); ba.append(1); print(ba)
t(lambda:m.tobytes('C')); t(lambda:m.tobytes(order='F')); t(lambda:m.tobytes('X')); t(lambda:m+b'a'); t(lambda: b'a'+m); t(lambda: b''.join([m,w])); t(lambda:m*2); t(lambda: bytes(m)); t(lambda:bytearray(m)); t(lambda:str(m,'utf-8')); t(lambda: int(memoryview(b'12'))); t(lambda: int.from_bytes(m,'big')); t(lambda: m.obj); t(lambda: setattr(m,'x',1)); t(lambda: m.index); t(lambda: reversed(m).__next__()); t(lambda: b'abc'.find(memoryview(b'c'))); t(lambda: sorted(m)); t(lambda: max(m)); t(lambda: m.format+str(m.ndim)+str(m.itemsize)+str(m.suboffsets)+str(m.c_contiguous)+str(m.f_contiguous))
def dl(x): del x[0]
t(dl,w); t(dl,m)
