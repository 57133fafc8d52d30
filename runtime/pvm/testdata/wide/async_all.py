def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import collections.abc
class Aw:
    def __init__(s,v): s.v=v
    def __await__(s): r=yield s.v; return (s.v,r)
def run(c,*sends):
    out=[]; v=None
    try:
        while True: out.append(c.send(v)); v=len(out)
    except StopIteration as e: return out,e.value
async def f(x): return x
async def g():
    a=await f(1); b=await Aw('w'); c=await Aw('z'); return a,b,c
print(run(g())); print(type(g).__name__,f.__code__.co_flags&0x80)
c=f(1); print(type(c),c.__name__,c.cr_running,c.cr_await,repr(c)[:25]); c.close(); t(c.send,None)
c=f(1); t(c.send,5); t(c.send,None); t(c.send,None)
async def bad(): await 5
t(run,bad())
class BA:
    def __await__(s): return 5
async def bad2(): await BA()
t(run,bad2())
class BA2:
    def __await__(s): return [1]
async def bad3(): await BA2()
t(run,bad3())
async def bad4(): await [1]
t(run,bad4())
def tc(c):
    for x in c: pass
c=f(1); t(tc,c); c.close(); c=f(1); t(list,c); c.close(); c=f(1); t(next,c); t(iter,c); c.close()
class ACM:
    def __init__(s,n,sup=False): s.n=n; s.sup=sup
    async def __aenter__(s): print('aenter',s.n); await Aw(s.n); return s.n
    async def __aexit__(s,*a): print('aexit',s.n,a[0]); return s.sup
async def w():
    async with ACM('a') as x, ACM('b',True): print(x); raise ValueError('v')
    return 'after'
print(run(w()))
async def w2():
    async with 5: pass
t(run,w2())
class NoExit:
    async def __aenter__(s): pass
async def w3():
    async with NoExit(): pass
t(run,w3())
async def w4():
    with ACM(1): pass
t(run,w4())
class AI:
    def __init__(s,n): s.n=n
    def __aiter__(s): return s
    async def __anext__(s):
        if s.n==0: raise StopAsyncIteration
        s.n-=1; await Aw('n%d'%s.n); return s.n
async def l():
    out=[]
    async for x in AI(3):
        if x==1: continue
        out.append(x)
    else: out.append('else')
    return out,[y async for y in AI(2)],{z async for z in AI(1)},{k:k async for k in AI(2) if k},[await f(q) for q in range(2)],[p async for p in ag(2)]
async def ag(n):
    try:
        for i in range(n): r=yield i; print('ag got',r)
    finally: print('ag fin')
print(run(l()))
async def l2():
    async for x in [1]: pass
t(run,l2())
class BadAI:
    def __aiter__(s): return 5
async def l3():
    async for x in BadAI(): pass
t(run,l3())
class BadAN:
    def __aiter__(s): return s
    def __anext__(s): return 5
async def l4():
    async for x in BadAN(): pass
t(run,l4())
async def agen():
    a=ag(3); print(await a.__anext__(),await a.asend('s'),await anext(a)); 
    try: await a.__anext__()
    except StopAsyncIteration as e: print('SAI',e.args)
    print(await anext(a,'dflt')); b=ag(2); await anext(b); await b.aclose(); b=ag(2); await anext(b)
    try: await b.athrow(ValueError('thrown'))
    except ValueError as e: print('caught',e)
    try: await b.asend(None)
    except StopAsyncIteration: print('done')
    c=ag(1); print(type(c),c.__name__,c.ag_running); t(lambda:c.asend(5)); await c.aclose(); d=aiter(AI(1)); print(await anext(d)); t(aiter,5); t(anext,5)
    try: await anext(d)
    except StopAsyncIteration: print('end')
print(run(agen()))
async def rs(): raise StopIteration('x')
t(run,rs())
async def ras():
    yield 1
    raise StopAsyncIteration
async def t2():
    async for x in ras(): print(x)
t(run,t2())
async def fin():
    try: await Aw(1)
    finally: await Aw(2)
c=fin(); c.send(None); t(c.throw,ValueError('q')); t(c.send,None); c=fin(); c.send(None); t(c.close)
async def ge(): 
    g=(x async for x in AI(2)); print(type(g).__name__); return [x async for x in g]
print(run(ge())); print(isinstance(c,collections.abc.Coroutine),isinstance(Aw(1),collections.abc.Awaitable),isinstance(ag(1),collections.abc.AsyncGenerator))
async def lam(): return await (lambda:f(3))()
print(run(lam()))
class Sched:
    def __init__(s): s.q=[]
    def spawn(s,c): s.q.append((c,None))
    def run(s):
        while s.q:
            c,v=s.q.pop(0)
            try: y=c.send(v); print('y',y); s.q.append((c,y))
            except StopIteration as e: print('done',e.value)
            except Exception as e: print('err',repr(e))
async def worker(n,k):
    for i in range(k): await Aw(f'{n}{i}')
    if n=='b': raise RuntimeError('boom')
    return n
s=Sched(); s.spawn(worker('a',2)); s.spawn(worker('b',1)); s.spawn(worker('c',3)); s.run()
