def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import math
for n in (0,1,-1,5,-7,255,256,-256,2**31,-2**63,2**64,10**20,-10**30,True):
    print(n,n.bit_length(),n.bit_count(),n.conjugate(),n.as_integer_ratio(),n.real,n.imag,n.numerator,n.denominator,~n,-n,+n,abs(n),hash(n),float(n))
    print(bin(n),oct(n),hex(n),str(n),repr(n),f'{n:b} {n:x} {n:X} {n:o} {n:,} {n:_} {n:_x} {n:e} {n:.2f} {n:g} {n:%} {n:+d} {n: d} {n:08d} {n:<8d}| {n:^8d}| {n:=+12d} {n:#x} {n:#b} {n:#010o}')
    for size in (0,1,2,8,16):
        for sg in (True,False): t(n.to_bytes,size,'big',signed=sg); t(n.to_bytes,size,'little',signed=sg)
t((5).to_bytes); t((300).to_bytes); t((5).to_bytes,2); t((5).to_bytes,2,'middle'); t((5).to_bytes,-1,'big'); t((5).to_bytes,'a','big'); t((5).to_bytes,length=3,byteorder='little'); t((5).to_bytes,1,2); t((5).to_bytes,1,'big',True); t((5).to_bytes,1,'big',signed=2)
t(int.from_bytes); t(int.from_bytes,b'\x01\x02'); t(int.from_bytes,b'\x81\x02','big',signed=True); t(int.from_bytes,[1,2,3],'little'); t(int.from_bytes,'ab','big'); t(int.from_bytes,b'','big'); t(int.from_bytes,[256],'big'); t(int.from_bytes,5,'big'); t(int.from_bytes,b'a','x'); t(int.from_bytes,bytes=b'a'); t(bool.from_bytes,b'\x02','big')
for s in ('12',' 12 ','1_000','_1','1_','1__0','0x10','0b11','0o7','-5','+5','- 5','','  ','abc','１２','٣','1e3','1.5','\t7\n','0_0','00','007','z','Z',None,b'12',b'0x1',bytearray(b'7'),[],1.9,-1.9,'inf',1e30, '१२३','1\x00','²'):
    t(int,s)
    for b in (0,2,8,10,16,36):
        if not isinstance(s,float) and s is not None: t(int,s,b)
t(int,'1',1); t(int,'1',37); t(int,'1',-1); t(int,'1','a'); t(int,base=10); t(int,'1',base=8); t(int,x=1); t(int,1,10); t(int,float('nan')); t(int,float('inf')); t(int,'1',10,3); t(int,'1',2.0); t(int)
t(round,15,-1); t(round,25,-1); t(round,-15,-1); t(round,123,-5); t(round,5,3); t(round,5,None); t(round,5,1.0); t(pow,2,10,1000); t(pow,2,-1,7); t(pow,2,-1,4); t(pow,2,5,0); t(pow,2,-1); t(pow,0,-1); t(pow,2,1.5,3); t(divmod,7,-2); t(divmod,-7,2); t(divmod,1,0); t(lambda:1//0); t(lambda:1%0); t(lambda:1/0); t(lambda:1<<-1); t(lambda:1>>-1); t(lambda:1<<1.0); t(lambda:1&1.0); t(lambda: 1+'a'); t(lambda:1+None); t(lambda:1<'a'); t(lambda:-'a'); t(lambda:~1.5); t(lambda:'a'*1.5); t(lambda:(-8)**(1/3)) if 0 else None; t(lambda: 5 @ 3); t(lambda: [] @ 2)
t((1).__add__,1.5); t((1).__add__,'a'); t((1).__radd__,2); t((5).__divmod__,2); t((5).__rdivmod__,12); t((5).__pow__,2,3); t((5).__rpow__,2); t((5).__lshift__,2); t((5).__round__,-1); t((5).__trunc__); t((5).__floor__); t((5).__ceil__); t((5).__index__); t((5).__format__,'x'); t((5).__format__,5); t((5).__bool__); t((5).__int__); t((5).__float__); t((5).__neg__); t((5).__lt__,6); t((5).__lt__,6.0); t((5).__getnewargs__); t((5).__sizeof__) if 0 else None
