def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
d={i:i for i in range(5)}
for k in list(d):
    if k%2: del d[k]
print(d)
def a():
    for k in d: d[k+100]=1
t(a)
def b():
    l=[1,2,3,4]
    for x in l:
        l.remove(x)
    return l
print(b())
def c():
    l=[1,2,3]; out=[]
    for x in l:
        out.append(x)
        if len(l)<8: l.append(x*10)
    return out
print(c())
def e():
    l=[1,2,3,4,5]; it=iter(l); next(it); del l[:]; return list(it)
print(e())
def f():
    l=[3,1,2]; it=iter(l); next(it); l.sort(); return list(it)
print(f())
def h():
    d={1:1}
    for k in d.items(): d[1]=2
    return d
print(h())
it=iter([1,2]); l=[]; 
for x in it: l.append((x,next(it,None)))
print(l); r=range(3); i=iter(r); print(next(i),list(i),list(i)); z=zip([1,2,3],i); print(list(z))
l=[1,2,3]; l[:]=l[1:]+l[:1]; print(l); l[1:1]=[9,9]; print(l); l[::2]=[0]*len(l[::2]); print(l); del l[::2]; print(l); l+=l; print(l); l[len(l):]=[7]; print(l); l[:0]=(5,); print(l); l*=0; print(l)
m=[[0]*2]*2; m[0][0]=1; print(m); m=[[0]*2 for _ in range(2)]; m[0][0]=1; print(m)
a=[1]; b=a; b.append(2); c=a[:]; c.append(3); print(a,b,c,a==b,a is b); t1=([1],2); t1[0].append(5); print(t1)
def tup():
    x=([1],); 
    try: x[0]+=[2]
    except TypeError as e: print(e)
    return x
print(tup()); s='abc'; u=s; s+='d'; print(s,u); x=y=0; x+=1; print(x,y); d1={'a':[1]}; d2=d1.copy(); d2['a'].append(2); d2['b']=1; print(d1,d2); import json; d3=json.loads(json.dumps(d1)); d3['a'].append(9); print(d1,d3)
def sw(l): l[0],l[1]=l[1],l[0]; return l
print(sw([1,2])); i=0; a=[0,0,0]; i=a[i]=2; print(i,a); a[a[2]]=5 if 0 else 7; print(a); x=[1,2,3]; x[0],x[x[0]]=2,9; print(x); q={}; q[len(q)]=len(q); q[len(q)]=len(q); print(q)
def evalorder():
    log=[]
    def L(v): log.append(v); return v
    {L('k1'):L('v1'),L('k2'):L('v2')}; [L(1),L(2)][L(0)]; L(3)+L(4)*L(5); (L(6) if L(0) else L(7)); L(8)<L(9)<L(1)<L(99); f=lambda *a,**k:0; f(L('a'),*[L('b')],k=L('c'),**{'d':L('d')}); x={}; x[L('ix')]=L('val'); L('o'); a,b=L('p'),L('q'); x[L('r')],x[L('s')]=L('t'),L('u'); x[L('r')]+=L('w'); return log
print(evalorder())
