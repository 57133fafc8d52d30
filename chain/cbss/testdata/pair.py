# e(P,Q) with whole numbers: the optimal ate pairing of BLS12-381, final exponent 3(p^12-1)/r.
import sys
p=0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab
r=0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001
X=0xd201000000010000
N=12
def mul(a,b):
    c=[0]*23
    for i,x in enumerate(a):
        if x:
            for j,y in enumerate(b): c[i+j]+=x*y
    for i in range(22,11,-1):  # w^12 = 2w^6 - 2
        c[i-6]+=2*c[i]; c[i-12]-=2*c[i]
    return [x%p for x in c[:12]]
one=[1]+[0]*11
def power(a,n):
    out=one
    while n:
        if n&1: out=mul(out,a)
        a=mul(a,a); n>>=1
    return out
def inv(a): # by linear algebra-free: a^(p^12-2) is slow; use extended Euclid over polynomials
    lm,hm=[1]+[0]*12,[0]*13
    low,high=a+[0],[2,0,0,0,0,0,-2%p,0,0,0,0,0,1]
    def deg(q):
        d=len(q)-1
        while d and q[d]==0: d-=1
        return d
    while deg(low):
        q=[0]*13; temp=list(high); dl=deg(low); il=pow(low[dl],-1,p)
        for i in range(deg(temp)-dl,-1,-1):
            k=temp[dl+i]*il%p; q[i]=k
            for c in range(dl+1): temp[c+i]=(temp[c+i]-k*low[c])%p
        nm=list(hm)
        for i in range(13):
            for j in range(13-i): nm[i+j]=(nm[i+j]-lm[i]*q[j])%p
        lm,low,hm,high=nm,temp,lm,low
    k=pow(low[0],-1,p)
    return [x*k%p for x in lm[:12]]
def fp2(c): x,y=c; v=[0]*12; v[0]=(x-y)%p; v[6]=y%p; return v
w=[0,1]+[0]*10
def untwist(q): # (x,y) of E'(Fp2) to E(Fp12): x/w^2, y/w^3
    iw=inv(w); return mul(fp2(q[0]),mul(iw,iw)), mul(fp2(q[1]),mul(iw,mul(iw,iw)))
sub=lambda a,b:[(x-y)%p for x,y in zip(a,b)]
def scal(a,k): return [x*k%p for x in a]
def line(a,b,P):
    if a[0]!=b[0]: m=mul(sub(b[1],a[1]),inv(sub(b[0],a[0])))
    else: m=mul(scal(mul(a[0],a[0]),3),inv(scal(a[1],2)))
    x3=sub(sub(mul(m,m),a[0]),b[0]); y3=sub(mul(m,sub(a[0],x3)),a[1])
    px=[P[0]]+[0]*11; py=[P[1]]+[0]*11
    return sub(sub(py,a[1]),mul(m,sub(px,a[0]))),(x3,y3)
def pairing(P,Q):
    q=untwist(Q); f=one; t=q
    for bit in bin(X)[3:]:
        l,t2=line(t,t,P); f=mul(mul(f,f),l); t=t2
        if bit=='1':
            l,t=line(t,q,P); f=mul(f,l)
    f=inv(f)  # X stands for -X
    return power(power(f,(p**12-1)//r),3)
def tower(f):
    out=b''
    for k in (0,2,4,1,3,5):
        y=f[k+6]; x=(f[k]+y)%p
        out+=x.to_bytes(48,'big')+y.to_bytes(48,'big')
    return out
def g1(raw): return int.from_bytes(raw[:48],'big'),int.from_bytes(raw[48:96],'big')
def g2(raw):
    c=[int.from_bytes(raw[i:i+48],'big') for i in (0,48,96,144)]  # x.c1 x.c0 y.c1 y.c0
    return (c[1],c[0]),(c[3],c[2])
