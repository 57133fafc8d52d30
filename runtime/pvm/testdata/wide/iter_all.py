def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
from itertools import *
import itertools
L=lambda it,n=12: list(islice(it,n))
add=lambda a,b:a+b
for call in [lambda:accumulate([1,2,3]),lambda:accumulate([1,2,3],lambda a,b:a*b),lambda:accumulate([1,2],initial=10),lambda:accumulate([]),lambda:accumulate([],initial=5),lambda:accumulate('abc'),lambda:accumulate([1,'a']),lambda:accumulate(5),lambda:accumulate(),lambda:accumulate([1],None,initial=None),lambda:accumulate([1,2],func=max),lambda:accumulate(iterable=[1,5],initial=2),
 lambda:chain([1],'ab',(2,)),lambda:chain(),lambda:chain([1],5),lambda:chain.from_iterable(['ab',[1]]),lambda:chain.from_iterable([1]),lambda:chain.from_iterable(5),lambda:chain(x=1),
 lambda:combinations('abcd',2),lambda:combinations('ab',0),lambda:combinations('ab',3),lambda:combinations('ab',-1),lambda:combinations('ab'),lambda:combinations(5,1),lambda:combinations(iterable=[1,2],r=1),lambda:combinations('ab','x'),lambda:combinations_with_replacement('ab',2),lambda:combinations_with_replacement('',2),lambda:combinations_with_replacement('ab',0),lambda:combinations_with_replacement('ab',-1),
 lambda:permutations('abc'),lambda:permutations('abc',2),lambda:permutations('abc',4),lambda:permutations('',0),lambda:permutations('ab',None),lambda:permutations('ab',-1),lambda:permutations('ab','x'),lambda:permutations(r=1,iterable='ab'),
 lambda:product('ab',[1,2]),lambda:product(),lambda:product('ab',repeat=2),lambda:product('ab',repeat=0),lambda:product('ab',repeat=-1),lambda:product('ab',''),lambda:product('a',repeat='x'),lambda:product('a',foo=1),lambda:product(5),
 lambda:compress('abcd',[1,0,1]),lambda:compress([],[]),lambda:compress('abc'),lambda:compress(data='ab',selectors=[0,1]),lambda:compress('a',5),
 lambda:count(),lambda:count(5,-1),lambda:count(1.5,0.5),lambda:count('a'),lambda:count(step=3),lambda:count(start=2,step=2),lambda:count(2**64-2),lambda:count(1,2,3),lambda:count(0,0),lambda:count(1j),lambda:count(True),
 lambda:cycle('ab'),lambda:cycle([]),lambda:cycle(5),lambda:cycle(),
 lambda:dropwhile(lambda x:x<3,[1,2,3,1]),lambda:dropwhile(None,[0,1]),lambda:dropwhile(5,[1]),lambda:dropwhile(bool),lambda:takewhile(lambda x:x<3,[1,2,3,1]),lambda:takewhile(bool,[]),lambda:filterfalse(None,[0,1,'']),lambda:filterfalse(lambda x:x%2,range(5)),lambda:filterfalse(5),
 lambda:islice('abcdef',2),lambda:islice('abcdef',1,None),lambda:islice('abcdef',1,5,2),lambda:islice('abcdef',None),lambda:islice('abc',-1),lambda:islice('abc',0,-1),lambda:islice('abc',0,1,0),lambda:islice('abc','x'),lambda:islice('abc'),lambda:islice('abc',1,2,3,4),lambda:islice('abc',None,None,None),lambda:islice(5,1),lambda:islice('abc',1.5),lambda:islice('abc',True),lambda:islice('abc',0,5,-1),lambda:islice('abc',5,2),
 lambda:pairwise('abcd'),lambda:pairwise('a'),lambda:pairwise(''),lambda:pairwise(5),lambda:pairwise(),
 lambda:repeat('x',3),lambda:repeat('x',0),lambda:repeat('x',-1),lambda:repeat('x','y'),lambda:repeat(),lambda:repeat(object=1,times=2),lambda:repeat(5),lambda:repeat(1,2.0),
 lambda:starmap(pow,[(2,3),(3,2)]),lambda:starmap(pow,[5]),lambda:starmap(5,[(1,)]),lambda:starmap(max,['ab']),lambda:starmap(pow),
 lambda:zip_longest('abc','x'),lambda:zip_longest('abc','x',fillvalue='-'),lambda:zip_longest(),lambda:zip_longest('a',5),lambda:zip_longest('a',foo=1),lambda:zip_longest([],[]),
 lambda:groupby('aabbca'),lambda:groupby([]),lambda:groupby(5),lambda:groupby('aA',key=str.lower),lambda:groupby('a',5),lambda:groupby()]:
    try:
        it=call(); print(type(it).__name__,end=' '); 
        if type(it).__name__=='groupby': print([(k,list(g)) for k,g in it])
        else: print(L(it))
    except Exception as e: print(type(e).__name__,e)
a,b=tee([1,2,3]); print(next(a),next(a),list(b),list(a)); t(tee,[1],0); t(tee,[1],-1); t(tee,5); t(tee,[1],'x'); a,b,c=tee('ab',3); print(list(a),next(b),list(c),list(b)); d,=tee(a,1); print(list(d)); print([list(x) for x in tee(iter('xyz'))]); t(tee)
print(repr(count(3)),repr(count(3,2)),repr(count(1.5)),repr(repeat(1)),repr(repeat('a',3)),next(count()),repr(count(0,1)),repr(count(5,-1))); r=repeat(1,5); next(r); print(r,r.__length_hint__()); t(repeat(1).__length_hint__)
c=count(10); next(c); print(c)
g=groupby('aab'); k1,g1=next(g); k2,g2=next(g); print(list(g1),list(g2)); g=groupby('aabb'); k,v=next(g); print(next(v)); k,w=next(g); print(list(v),list(w))
s=islice(count(),3,10,3); print(list(s)); it=iter(range(10)); print(list(islice(it,3)),next(it)); print(list(islice(it,0)),next(it)); print(list(zip(*[iter(range(7))]*2)),list(zip_longest(*[iter(range(7))]*3)))
def boom():
    yield 1
    raise ValueError('boom')
for f in (lambda:list(chain(boom(),[2])),lambda:list(zip_longest(boom(),[1,2,3])),lambda:list(accumulate(boom())),lambda:list(islice(boom(),5)),lambda:list(takewhile(bool,boom())),lambda:list(product(boom())),lambda:list(cycle(boom())),lambda:list(starmap(pow,boom())),lambda:list(pairwise(boom())),lambda:[list(g) for k,g in groupby(boom())],lambda:list(tee(boom())[0]),lambda:list(compress(boom(),[1,1])),lambda:list(map(str,boom()))): t(f)
print(list(map(lambda *a:a,count(),'abc')),dict(zip('abc',count(1))),list(chain.from_iterable(repeat(i,i) for i in range(4))),sum(islice(cycle([1,2]),5)),list(starmap(lambda a,b=2:a*b,[(1,),(2,3)])),[list(x) for x in combinations(range(4),3)],len(list(permutations(range(5)))),list(product([0,1],repeat=3))[5],max(accumulate([1,-2,5])),''.join(chain('ab',['cd'])))
class Bd:
    def __iter__(s): raise KeyError('iter')
for f in (chain,cycle,pairwise,lambda x:accumulate(x),lambda x:islice(x,1),lambda x:list(product(x)),lambda x:compress(x,[]),lambda x:tee(x)): t(f,Bd()) if f is not chain else 0
print(type(chain.from_iterable([])),chain.__name__,itertools.__name__,count.__module__,sorted(n for n in dir(itertools) if not n.startswith('_')))
