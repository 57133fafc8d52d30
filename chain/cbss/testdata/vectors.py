import subprocess,json,hmac,hashlib
from pair import *
def vec(*a): return subprocess.check_output(['./vec',*[x if isinstance(x,str) else x.hex() for x in a]]).decode().split()
def keccak(m):
    RC=[];l=1
    def rot(a,n): n%=64; return ((a>>(64-n))|(a<<n))&(2**64-1) if n else a
    R=1; A=[[0]*5 for _ in range(5)]
    m=bytearray(m); pad=136-len(m)%136; m+=bytes(pad); m[-pad]^=1; m[-1]^=0x80
    def f(A):
        R=1
        for _ in range(24):
            C=[A[x][0]^A[x][1]^A[x][2]^A[x][3]^A[x][4] for x in range(5)]
            D=[C[(x+4)%5]^rot(C[(x+1)%5],1) for x in range(5)]
            A=[[A[x][y]^D[x] for y in range(5)] for x in range(5)]
            x,y=1,0; cur=A[1][0]
            for t in range(24):
                x,y=y,(2*x+3*y)%5; cur,A[x][y]=A[x][y],rot(cur,(t+1)*(t+2)//2)
            for y in range(5):
                T=[A[x][y] for x in range(5)]
                for x in range(5): A[x][y]=T[x]^((~T[(x+1)%5])&T[(x+2)%5])
            for j in range(7):
                R=((R<<1)^((R>>7)*0x71))%256
                if R&2: A[0][0]^=1<<((1<<j)-1)
        return A
    for o in range(0,len(m),136):
        for i in range(17): A[i%5][i//5]^=int.from_bytes(m[o+8*i:o+8*i+8],'little')
        A=f(A)
    return b''.join(A[i%5][i//5].to_bytes(8,'little') for i in range(4))
assert keccak(b'').hex()=='c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
be=lambda n,k=8:n.to_bytes(k,'big'); le=lambda n:n.to_bytes(8,'little'); sc=lambda n:n.to_bytes(32,'big')
h=hashlib.sha256
n=lambda s:int.from_bytes(hashlib.sha512(s).digest(),'big')%r
out={}
account=bytes(range(1,21)); key_hash=keccak(account+b'API_KEY'); version,epoch,chain=3,7,100
coeff=[n(b'coefficient %d'%i) for i in range(4)]
com=[vec('g2',sc(c))[0] for c in coeff]
mpk=bytes.fromhex(com[0])
aad=be(chain)+account+key_hash+le(version)+le(epoch)+mpk
assert len(aad)==172
I,Iraw=vec('hash',aad)
rr=n(b'r'); U,Uraw=vec('g2',sc(rr))
sigma,sraw=vec('g1',I,sc(coeff[0]))
gt=tower(pairing(g1(bytes.fromhex(sraw)),g2(bytes.fromhex(Uraw))))
prk=hmac.new(b'cbss/ibe/v1',gt,h).digest()
K=hmac.new(prk,b'cbss/ibe/v1'+aad+b'\1',h).digest()
dek=h(b'data key').digest(); nonce=h(b'nonce').digest()[:12]
sealed=subprocess.check_output(['node','-e',"const c=require('crypto'),[k,n,a,d]=process.argv.slice(1).map(x=>Buffer.from(x,'hex'));const s=c.createCipheriv('aes-256-gcm',k,n);s.setAAD(a);process.stdout.write(Buffer.concat([s.update(d),s.final(),s.getAuthTag()]).toString('hex'))",K.hex(),nonce.hex(),aad.hex(),dek.hex()]).decode()
out.update(chain=chain,account=account.hex(),name='API_KEY',key_hash=key_hash.hex(),version=version,epoch=epoch,coefficients=[sc(c).hex() for c in coeff],
 commitments=com,aad=aad.hex(),identity=I,r=sc(rr).hex(),ephemeral=U,sigma=sigma,pairing=gt.hex(),key=K.hex(),data_key=dek.hex(),nonce=nonce.hex(),sealed=sealed)
shares=[sum(c*pow(i,k,r) for k,c in enumerate(coeff))%r for i in range(1,16)]
out['shares']=[sc(s).hex() for s in shares]
out['public_shares']=[vec('g2',sc(s))[0] for s in shares]
out['partials']=[vec('g1',I,sc(s))[0] for s in shares]
# a receipt of place 2
ctx=keccak(b'context'); rho,k=n(b'rho'),n(b'k'); S=out['public_shares'][1]
T=vec('g2m',S,sc(rho))[0]; A=vec('g2m',S,sc(k))[0]; sp=vec('g1',out['partials'][1],sc(rho))[0]
fx=bytes.fromhex
c=n(b'cbss/receipt-proof/v1'+fx(S)+fx(T)+fx(A)+fx(sp)+ctx); z=(k+c*rho)%r
out['blind']=dict(place=2,context=ctx.hex(),rho=sc(rho).hex(),k=sc(k).hex(),sigma=sp,share=T,challenge=sc(c).hex(),response=sc(z).hex())
# messages
actor,runner=bytes([0xa0]*20),bytes([0xb0]*20); job,rn,rkey,proxy=[bytes([x]*32) for x in (1,2,3,4)]
body=be(chain)+account+key_hash+be(version)+actor+runner+b'\0'+job+rn+be(900)+be(8)+rkey+proxy
rh=keccak(b'cbss/release-request/v1'+body)
out['request']=dict(body=body.hex(),hash=rh.hex(),release=keccak(account+key_hash+le(version)+actor+runner+job+rn).hex())
pt=fx(out['partials'][1])
out['answer']=keccak(b'cbss/partial-sign-response/v1'+rh+proxy+be(8)+be(901)+pt).hex()
out['receipt']=keccak(b'cbss/release-receipt/v1'+rh+proxy+be(8)+be(901)+fx(sp)+fx(T)+sc(c)+sc(z)).hex()
scope=b'\0'+account
ids=[bytes([x]*32) for x in range(1,6)]
out['rotation']=keccak(b'cbss/rotate-committee/v1'+be(chain)+be(len(scope),4)+scope+be(9)+b'\5'+b''.join(ids)+b'\4'+b''.join(map(fx,com))+mpk).hex()
out['deal']=keccak(b'cbss/dkg-deal/v1'+be(chain)+be(len(scope),4)+scope+be(9)+proxy+b'\2'+b'\4'+b''.join(map(fx,com))+sc(shares[1])).hex()
json.dump(out,open('vectors.json','w'),indent=1)
