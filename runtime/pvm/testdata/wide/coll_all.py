def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
from collections import *
import collections
c=Counter('abracadabra'); print(c,c.most_common(2),c.most_common(),c.most_common(0),c.most_common(-1),list(c.elements()),c.total(),c['zz'],sorted(c),c+Counter('aab'),c-Counter('aabbbbb'),c&Counter('aab'),c|Counter('zzzz'),+Counter(a=1,b=-1,c=0),-Counter(a=1,b=-1),c==Counter('abracadabra'),c!=c,Counter(a=1)==Counter(a=1,b=0),Counter(a=1)<=Counter(a=2),Counter(a=1)<Counter(a=1),Counter(a=3)>Counter(a=1,b=0),Counter(a=3)>=Counter(b=1))
c.subtract('aaa'); print(c); c.update(a=5); c.update({'q':2}); c.update(['z']); print(c); del c['nope']; del c['q']; print(c,c.copy(),repr(Counter()),Counter(None),Counter(a=2,b=3),Counter({'x':1},y=2)); t(Counter,1); t(Counter,[1],[2]); t(Counter.fromkeys,'ab'); t(c.update,1,2); t(lambda:c+1); t(lambda:c<5); t(Counter,{'a':'x'}); t(lambda:Counter({'a':'x','b':1}).most_common()); t(lambda:Counter('a')|{'a':1}); d=Counter('ab'); d+=Counter('b'); d-=Counter('a'); d|=Counter('c'); d&=Counter('bc'); print(d); t(lambda:Counter([[]])); print(Counter(a=1.5,b=2).most_common(1),Counter('ab').keys()&{'a'},Counter(x=-1).total(),list(Counter(a=-1,b=2).elements()),repr(Counter({1:'a',2:'b'})),Counter('aab').popitem(),Counter(a=1).setdefault('b',3))
class CC(Counter): pass
print(CC('a')+CC('b'),type(CC('a').copy()),CC.__missing__(CC(),'x'))
D=deque
d=D([1,2,3],maxlen=3); d.append(4); d.appendleft(0); print(d,d.maxlen,D('abc'),D(maxlen=0),D([1],0)); d.rotate(1); print(d); d.rotate(-2); print(d); d.rotate(0); d.rotate(100); print(d); d.extend([7,8]); d.extendleft([9,10]); print(d,d.pop(),d.popleft(),d,len(d),d.count(9),9 in d,list(reversed(d)),d.index(9) if 9 in d else None,d.copy(),d==D([9]),D([1,2])<D([1,3]),D([1])+D([2]),D([1])*3,2*D([1]),D([1,2],maxlen=1)+D([3]),d!=[9],bool(D()),D([3,1,2])[1],D([3,1,2])[-1])
for a in [(),(1,),([1],2),([1],-1),([1],'a'),([1],None),([1],2,3),(None,)]: t(D,*a)
d=D([1,2,3,4,5]); t(lambda:d[5]); t(lambda:d['a']); t(lambda:d[1:2]); t(d.pop,1); t(D().pop); t(D().popleft); t(d.remove,9); t(d.index,9); t(d.index,3,1,4); t(d.index,3,3); t(d.insert,2,'x'); print(d); t(D([1],1).insert,0,2); t(d.rotate,'a'); t(d.rotate); t(d.rotate,1,2); t(hash,d); t(lambda:d+[1]); t(lambda:d<[1]); t(d.extend,5); t(setattr,d,'maxlen',3); t(D,iterable=[1],maxlen=2); t(D,[1],maxlen=True); d[0]=99; del d[1]; print(d); d+='ab'; d*=2; print(d); d.reverse(); print(d); d.clear(); print(d); d.extend(d); a=D([1]); a.extend(a); print(a)
def mut():
    d=D([1,2,3])
    for x in d: d.append(x)
t(mut)
def mut2():
    d=D([1,2,3])
    for x in d: d.popleft(); d.append(1)
t(mut2); print(repr(D([D([1])])),D('ab',5),str(D(['a'])),sorted(D([3,1])),D(range(5),3),list(D([1,2]).__iter__()),D([1])==D([1.0]),D([1,2,3]).__reversed__().__class__.__name__)
dd=defaultdict(list); dd['a'].append(1); print(dd,dd['b'],dd.get('c'),dd,'c' in dd,dd.default_factory,defaultdict(int,a=1)|{'b':2},type(defaultdict(int)|{}),{'z':1}|defaultdict(int),dd.copy(),defaultdict(None),defaultdict(lambda:5)['q'],defaultdict(int).setdefault('x',9)); t(defaultdict,5); t(defaultdict,int,5); t(lambda:defaultdict()['x']); t(lambda:defaultdict(None)[1]); t(lambda:defaultdict(lambda x:1)['k']); dd.default_factory=dict; print(dd['n'],dd); t(setattr,dd,'default_factory',5); t(dd.__missing__,'w'); t(lambda:defaultdict(int)[[]]); print(repr(defaultdict(int)),defaultdict(list,{1:[2]})==({1:[2]}),defaultdict.fromkeys('ab',1),dict(defaultdict(int,a=1)))
O=OrderedDict; o=O(a=1,b=2,c=3); o.move_to_end('a'); print(o); o.move_to_end('c',last=False); print(o,o.popitem(),o.popitem(last=False),o,O([('a',1)])=={'a':1},O(a=1,b=2)==O(b=2,a=1),O(a=1,b=2)=={'b':2,'a':1},list(reversed(O(a=1,b=2))),O(a=1)|{'b':2},{'b':2}|O(a=1),repr(O()),O.fromkeys('ab',0),O(a=1).copy(),list(reversed(O(a=1,b=2).items()))); t(o.move_to_end,'zz'); t(O().popitem); t(O().pop,'x'); t(O().pop,'x',1); t(O,5); t(lambda:O(a=1)<O(a=1)); o=O(a=1); o['b']=2; o['a']=3; del o['b']; o['b']=4; o.update(z=0); o.setdefault('y',9); print(o,o.keys(),o.values(),o.items())
CM=ChainMap; m=CM({'a':1},{'a':2,'b':3}); print(m,m['a'],m['b'],m.get('z'),'b' in m,len(m),list(m),dict(m),m.maps,m.parents,m.new_child(),m.new_child({'x':1},y=2),CM(),bool(CM()),m.keys(),list(m.items()),m|{'q':1},{'q':1}|m,m==dict(m),m.copy()); m['b']=9; print(m.maps); del m['a']; print(m['a']); t(lambda:m['zz']); t(lambda:m.__delitem__('a')); t(m.pop,'b'); t(m.pop,'zz'); t(m.popitem); t(CM({}).popitem); m.clear(); print(m); t(m.update,q=1); print(m, CM.fromkeys('ab',1))
P=namedtuple('P','x y',defaults=[5]); p=P(1); print(p,p.x,p[1],p._fields,p._field_defaults,p._asdict(),p._replace(x=9),P._make([1,2]),p==(1,5),hash(p)==hash((1,5)),P.__doc__,P.x.__doc__,p+(1,),x:=p[:1],isinstance(p,tuple),len(p),P.__match_args__,repr(P),str(P(y=1,x=2)),p._replace(),sorted([P(2,1),P(1,2)]),P.__new__.__defaults__,P.__slots__); a,b=p; print(a,b)
t(P); t(P,1,2,3); t(P,z=1); t(P,1,x=1); t(p._replace,z=1); t(P._make,[1]); t(P._make,[1,2,3]); t(setattr,p,'x',1); t(setattr,p,'q',1); t(lambda:p.q); t(namedtuple,'P','x x'); t(namedtuple,'P','_x'); t(namedtuple,'P','class'); t(namedtuple,'P','1x'); t(namedtuple,'1P','x'); t(namedtuple,'class','x'); t(namedtuple,'P',5); t(namedtuple,'P','a b',defaults=[1,2,3]); t(namedtuple,'P','a',rename=True,bogus=1); t(namedtuple,'P',['a',1]); R=namedtuple('R','x class _y x',rename=True); print(R._fields,R(1,2,3,4)); print(namedtuple('Q','a, b,c')._fields,namedtuple('E','')(),namedtuple('M','a',module='mm').__module__,namedtuple('T',('a','b'))(*'xy'))
class P2(P):
    __slots__=()
    @property
    def s(s): return s.x+s.y
    def __repr__(s): return 'P2!'
print(P2(1,2).s,P2(1,2),P2(1,2)._replace(x=5),type(P2(1,2)._replace(x=1)))
class U(UserDict):
    def __setitem__(s,k,v): super().__setitem__(k,str(v))
u=U(a=1); u['b']=2; u.update(c=3); print(u,u.data,u|{'d':4},'a' in u,len(u),u.copy(),u=={'a':'1','b':'2','c':'3'},type(u|{}),u.get('z','d'),list(u),u.pop('a')); t(lambda:u['zz']); print(U.fromkeys('ab',1),UserDict({'a':1},b=2))
class UL(UserList): pass
l=UL([3,1,2]); l.sort(); l.append(9); print(l,l[0],l[1:],type(l[1:]),l+[1],[1]+l,l*2,l.data,l==[1,2,3,9],l.index(2),l.count(9),l.copy(),l<[5],2 in l,list(reversed(l)),l.pop(),repr(l)); l+=[5]; l.insert(0,7); l.extend(UL([8])); del l[0]; l[0]=77; print(l,max(l),sum(l)); t(l.remove,123); t(lambda:l[99])
s=UserString('hello'); print(s,repr(s),s.upper(),type(s.upper()),s+'x','x'+s,s*2,s[1],s[1:3],len(s),'ell' in s,s=='hello',s.data,s.find('l'),s.replace('l','L'),s.split('l'),hash(s)==hash('hello'),s<'z',s.center(9,'*'),'%s'%s,UserString('%d')%5,int(UserString('5')),s.join(['a','b']),s.encode(),s.isalpha(),s.format(),UserString('{}').format(3),s.count('l'),f'{s:>7}' if 0 else '',sorted(s),s.title(),s.partition('l'))
print(sorted(collections.__all__))
