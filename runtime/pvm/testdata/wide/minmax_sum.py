def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
t(max); t(max,1); t(max,[]); t(max,[],default=5); t(max,1,2,default=3); t(max,[1,2],key=None); t(max,'abc',key=ord); t(max,[1],[2]); t(max,'a',1); t(max,[1,'a']); t(max,[1,2],foo=1); t(max,default=1); t(max,key=len); t(max,['a','bbb','cc'],key=len); t(min,['a','b'],key=len); t(max,['a','b'],key=len); t(max,{},default=None); t(max,iter([]),default='d'); t(max,[3,1],key=5); t(max,{3:1,2:5}); t(max,{3:1,2:5},key=lambda k:-k); t(min,1,2,3,key=lambda x:-x); t(min,(),default=()); t(max,*[1,5,2]); t(max,[1,2],default=7); t(max, None)
t(sum); t(sum,[]); t(sum,[1,2],10); t(sum,[[1],[2]],[]); t(sum,['a'],''); t(sum,['a']); t(sum,[b'a'],b''); t(sum,[b'a'],bytearray()); t(sum,[1,2],start=5); t(sum,5); t(sum,[1],2,3); t(sum,iterable=[1]); t(sum,[(1,),(2,)],()); t(sum,[1,2.5,3]); t(sum,[True,True]); t(sum,[1,None]); t(sum,(x for x in range(10))); t(sum,[10**30,1.5]); t(sum,[2**62,2**62]); t(sum,[1,'a']); t(sum, {1:2,3:4}); t(sum,[0.1]*3,0.0); t(sum,[1j,2]) ; t(sum,[],start='a')
t(sorted,[3,1,2]); t(sorted); t(sorted,[1],key=1); t(sorted,[1],lambda x:x); t(sorted,[3,1],reverse=True); t(sorted,'hello',key=str.upper,reverse=1); t(sorted,[1,'a']); t(sorted,[None,1]); t(sorted,5); t(sorted,iterable=[1]); t(sorted,[2,1],foo=1); t(sorted,{'b':1,'a':2}); t(sorted,[(1,'b'),(1,'a'),(0,'z')]); t(sorted,[[2],[1,5],[1]]); t(sorted,[1,2.5,True,0]); t(sorted,[1,2],reverse=None) ; t(sorted,['b','A','a','B'],key=lambda s:(s.lower(),s)); t(sorted,[{},{}]); t(sorted,[1j,2j]); t(sorted,[(1,{}),(1,{})]); t(sorted, [3,2,1], key=None, reverse=False)
t(all,[]); t(any,[]); t(all,[1,0]); t(any,[0,'']); t(all,5); t(any,iter([0,1])); t(all,{0:1}); t(all,[[]]); 
class BB:
    def __bool__(self): raise ValueError('b')
t(all,[1,BB()]); t(any,[BB()]); t(all,[0,BB()]); t(list,filter(None,[0,1,BB()])); t(filter,None); t(list,filter(lambda x:x%2,range(5))); t(list,filter(5,[1])); t(list,filter(None,[])); t(filter,None,5)
t(list,map(str,[1,2])); t(map,str); t(map,5,[1]).__class__; t(list,map(5,[1])); t(list,map(lambda a,b:a+b,[1,2],[3])); t(list,map(lambda *a:a,'ab',[1,2,3])); t(map); t(list,map(None,[1])); t(map,str,5); t(list,map(int,['1','x'])); t(list,map(pow,[2,3],[3,2],[5,7]))
t(list,zip()); t(list,zip([1,2],'ab',[3.0,4.0,5])); t(list,zip([1,2],[1],strict=True)); t(list,zip([1],[1,2],strict=True)); t(list,zip([1],[1],[1,2],strict=True)); t(list,zip([1,2],[1,2],[1],strict=True)); t(list,zip(strict=True)); t(list,zip([1],strict=True)); t(zip,[1],5); t(zip,5,[1]); t(zip,[1],foo=1); t(list,zip([1],[2],strict=False)); t(list,zip({1:2},{3})); t(list,zip([],[1],strict=True)); t(list,zip([1,2],[],strict=True))
t(list,enumerate('ab')); t(list,enumerate('ab',5)); t(list,enumerate('ab',start=-1)); t(enumerate); t(enumerate,5); t(enumerate,'a','b'); t(enumerate,'a',1.5); t(list,enumerate(iterable='ab',start=2)); t(enumerate,'a',1,2); t(list,enumerate('ab',2**70)); t(enumerate,'a',foo=1); t(enumerate, start=1)
t(list,reversed([1,2])); t(list,reversed('ab')); t(reversed,5); t(reversed,{1,2}); t(reversed,iter([])); t(list,reversed({1:2,3:4})); t(list,reversed(range(3))); t(list,reversed((1,2))); t(list,reversed(b'ab')); t(reversed); t(reversed,[],1); t(reversed, (x for x in []))
class Sq:
    def __len__(self): return 3
    def __getitem__(self,i):
        if i>=3: raise IndexError
        return i*i
t(list,Sq()); t(list,reversed(Sq())); t(lambda:4 in Sq()); t(lambda:5 in Sq()); t(lambda:[*Sq()]); t(max,Sq()); t(sorted,Sq(),reverse=True); t(iter(Sq()).__next__); t(dict,zip(Sq(),'abc')); t(''.join,map(str,Sq())); t(lambda: (lambda a,b,c:(c,b,a))(*Sq())); t(sum, Sq()); t(tuple,enumerate(Sq()))
class NR:
    __reversed__=None
    def __len__(self): return 0
    def __getitem__(self,i): raise IndexError
t(reversed,NR())
class NI:
    __iter__=None
    def __getitem__(self,i): return 1
t(iter,NI()); t(list,NI()); t(lambda:1 in NI()); 
class NC:
    __contains__=None
    def __iter__(self): return iter([1])
t(lambda:1 in NC())
class BI:
    def __iter__(self): return 5
t(iter,BI()); t(list,BI()); t(lambda:[*BI()])
class BN:
    def __iter__(self): return self
t(iter,BN()); 
t(iter,[],None); t(iter,5); t(iter,lambda:1,1); t(list,iter(iter([1,2,3]).__next__,3)); t(next,iter([])); t(next,iter([]),5); t(next,[]); t(next,[],1); t(next); t(next,iter([]),1,2); t(list,iter(lambda c=[0]:c.__setitem__(0,c[0]+1) or c[0],4)); t(iter); t(iter,1,2)
