def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except BaseException as e:
        print(type(e).__name__, '|', e)
def g():
    try:
        x=yield 1; print('got',x); y=yield x; print('y',y); return 'ret'
    except ValueError as e: print('VE',e); yield 'handled'
    finally: print('fin')
a=g(); t(a.send,5); t(a.send,None); t(a.send,5); t(a.send,6); t(a.send,7); t(next,a); a=g(); next(a); t(a.throw,ValueError('x')); t(next,a); a=g(); t(a.throw,KeyError('k')); t(next,a); a=g(); next(a); t(a.throw,KeyError,'kk'); a=g(); next(a); t(a.throw,KeyError,KeyError('inst'),None); a=g(); next(a); t(a.close); t(a.close); t(next,a); a=g(); t(a.close); t(a.throw,5); t(a.throw,int); t(a.throw); t(a.send); t(a.throw,ValueError,'a','b'); a=g(); next(a); t(a.throw,GeneratorExit); a=g(); next(a); t(a.throw,StopIteration('s'))
def ig():
    try: yield 1
    except GeneratorExit: yield 2
a=ig(); next(a); t(a.close)
def rg():
    try: yield 1
    except GeneratorExit: return 5
a=rg(); next(a); t(a.close)
def eg():
    try: yield 1
    except GeneratorExit: raise RuntimeError('in close')
a=eg(); next(a); t(a.close)
def si(): yield 1; raise StopIteration('inner')
t(list,si())
def ret(): return 5; yield
try: next(ret())
except StopIteration as e: print(e.value,e.args)
def re_(): yield next(it)
it=re_(); t(next,it)
def sub():
    r=yield from inner(); print('r',r); r2=yield from [7,8]; print(r2); return 'outer'
def inner():
    try:
        while True:
            v=yield 'i'; print('inner got',v)
            if v=='stop': return 'inner done'
    except KeyError as e: print('inner KE'); return 'ke'
    finally: print('inner fin')
s=sub(); t(next,s); t(s.send,1); t(s.send,'stop'); t(s.send,None); t(s.send,3); s=sub(); next(s); t(s.throw,KeyError('z')); s=sub(); next(s); t(s.close); s=sub(); next(s); t(s.throw,ValueError('v'))
class It:
    def __init__(s): s.n=0
    def __iter__(s): return s
    def __next__(s): s.n+=1; return s.n
    def send(s,v): return ('sent',v)
    def throw(s,*a): return ('thrown',a[0].__class__.__name__ if not isinstance(a[0],type) else a[0].__name__)
    def close(s): print('It.close')
def di(): yield from It()
d=di(); t(next,d); t(d.send,5); t(d.throw,ValueError('q')); t(next,d); t(d.close)
def ni(): yield from 5
t(next,ni())
def noS(): yield from [1,2]
d=noS(); next(d); t(d.send,5); d=noS(); next(d); t(d.throw,ValueError('x'))
a=g(); print(a.gi_running,a.gi_suspended,a.gi_yieldfrom,a.__name__,a.__qualname__,type(a),repr(a)[:20]); next(a); print(a.gi_suspended); s=sub(); next(s); print(s.gi_yieldfrom.__name__); t(setattr,a,'__name__','zz'); print(a.__name__); t(setattr,a,'__name__',5); t(setattr,a,'foo',1); t(lambda:a.gi_code.co_name)
def deep(n):
    if n: yield from deep(n-1)
    yield n
print(list(deep(20)),sum(deep(50)))
ge=(x*y for x in range(3) for y in range(x) if y or x); print(list(ge),ge.__name__,ge.__qualname__); t(lambda:(x for x in 5)); t(lambda:list(1/x for x in [1,0])); print(sum(x for x in range(5)),max((len(s) for s in ['a','bbb']),default=0),*(i for i in 'ab'),dict((k,1) for k in 'xy'),list(x for x in (y for y in range(3))))
def lazy(): print('started'); yield
l=lazy(); print('before'); next(l)
def fib():
    a,b=0,1
    while True: yield a; a,b=b,a+b
from itertools import islice, takewhile
print(list(islice(fib(),10)),list(takewhile(lambda x:x<50,fib())))
def coro():
    total=0;n=0;avg=None
    while True: x=yield avg; total+=x; n+=1; avg=total/n
c=coro(); next(c); print(c.send(10),c.send(20),c.send(30))
def pipeline(src,*fs):
    for f in fs: src=f(src)
    return src
print(list(pipeline(range(10),lambda s:(x for x in s if x%2),lambda s:(x*x for x in s))))
def finals():
    for i in range(3):
        try:
            yield i
            if i==1: continue
        finally: print('f',i)
for x in finals(): print(x)
def nested():
    try:
        try: yield 1
        finally: print('inner'); yield 2
    finally: print('outer'); yield 3
print(list(nested())); n=nested(); next(n); t(n.throw,ValueError('t')); t(next,n); t(next,n)
def exc():
    try: 1/0
    except ZeroDivisionError: 
        yield 'in'
        try: raise
        except ZeroDivisionError as e: yield repr(e)
e=exc(); print(next(e))
try: raise KeyError('outer')
except KeyError: print(next(e))
for x in (a, s, d, n, e, l, c): x.close() if hasattr(x, 'close') else 0
