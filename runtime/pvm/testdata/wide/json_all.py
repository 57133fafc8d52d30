def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import json
D=lambda *a,**k:json.dumps(*a,**{'separators':(', ',': '),'ensure_ascii':True,'sort_keys':False,**k})
for v in [None,True,False,0,-1,1.5,1e100,-0.0,1e-7,123456789012345678901234567890,'','a"b\\c\n\t\r\b\f\x00\x1f\x7f/é\u2028\U0001f600',[],[1,[2]],{},{'b':1,'a':[None]},(1,2),{'x':{}},{1:2,None:3,True:4,1.5:5},[{}],'\ud7ff']:
    t(D,v); t(D,v,indent=2); t(D,v,ensure_ascii=False); t(D,v,indent='\t',separators=(',',':')); t(D,v,indent=0); t(D,v,sort_keys=True) if not(isinstance(v,dict) and None in v) else 0
for v in [float('nan'),float('inf'),-float('inf')]: t(D,v); t(D,v,allow_nan=False); t(D,[v],allow_nan=False,indent=1)
for v in [{1,2},object,b'a',1j,{(1,2):3},{b'a':1},[range(3)]]: 
    t(D,v)if v is not object else 0; t(D,v,skipkeys=True)if v is not object else 0; t(D,v,default=lambda o:'D')if v is not object else 0
t(D,{(1,):1,'a':2},skipkeys=True); t(D,{'a':{1,2}},default=sorted); t(D,{'a':object},default=lambda o:5/0); t(D,{1,},default=lambda o:o)
t(D,{'b':1,'a':2},sort_keys=True); t(D,{1:1,'a':2},sort_keys=True); t(D,[1],indent=True); t(D,{'a':[1,{'b':2}],'c':[]},indent=4); t(D,{'a':1},indent=-1); t(D,[1,2],separators=(';','=')); t(D,[1],separators='ab'); t(D,[1],separators=','); t(D,[1],bogus=1); t(D,indent=1); t(json.dumps)
l=[]; l.append(l)
t(D,l); d={}; d['x']=d; t(D,d); l.clear(); d.clear()
for s in ['null','true','false','0','-0','-0.0','1.5','1e5','1E+2','-1.5e-3','""','"a\\u00e9\\n\\/\\b"','"\\ud83d\\ude00"','"\\ud800"','[]','[1,2]','{}','{"a":1}','{"a":{"b":[1,null]}}',' [ 1 , 2 ] ','\n{"a" : 1}\t','NaN','Infinity','-Infinity','123456789012345678901234567890','1.7976931348623157e400','{"a":1,"a":2}','"\u2028"','[[[[]]]]','1E400','-1E400','"\\u0000"']:
    t(json.loads,s); t(json.loads,s.encode()) if '\u2028' not in s else 0
for s in ['','  ','nul','True','None','01','1.','.5','+1','-','1e','"','"a','"a\n"','"\\x"','"\\u12"','"\\u12g4"','[','[1','[1,','[1,]','[,]','[1 2]','{','{"a"','{"a":','{"a":1','{"a":1,','{"a":1,}','{a:1}','{1:2}',"{'a':1}",'[1]x','1 2','//','{"a" 1}','{"a":1 "b"}','nan','-Inf','"\t"','\ufeff1','[1,\n2,\n x]','{"a":\n\n?}','0x10','1_000','tru','\x00','[}','{]','"\\','"\\u','"\\ud83d\\u12','[1,2,,3]','{,}','{"a":1,,}','{"a":,}']:
    t(json.loads,s)
    try: json.loads(s)
    except json.JSONDecodeError as e: print(e.msg,e.pos,e.lineno,e.colno,e.doc==s)
t(json.loads,5); t(json.loads,None); t(json.loads,b'\xff'); t(json.loads,bytearray(b'[1]')); t(json.loads,'1',bogus=1); t(json.loads)
t(json.loads,'{"a":1.5,"b":2}',parse_float=str); t(json.loads,'{"a":1.5,"b":2}',parse_int=lambda s:'i'+s); t(json.loads,'[NaN,-Infinity]',parse_constant=lambda s:'c'+s); t(json.loads,'{"a":{"b":1}}',object_hook=lambda d:sorted(d)); t(json.loads,'{"a":1,"a":2}',object_pairs_hook=list); t(json.loads,'{"a":1}',object_hook=lambda d:1,object_pairs_hook=lambda p:2); t(json.loads,'[1.1]',parse_float=__import__) if 0 else 0
from decimal import Decimal
t(json.loads,'1.10',parse_float=Decimal); t(json.loads,'"a\nb"',strict=False); t(json.loads,'{"a":1}',cls=json.JSONDecoder)
class E(json.JSONEncoder):
    def default(s,o):
        if isinstance(o,set): return sorted(o)
        return super().default(o)
t(json.dumps,[object],cls=E); e=json.JSONEncoder(indent=1,sort_keys=True,separators=(',',':')); print(e.encode({'b':1,'a':[]})); d=json.JSONDecoder(); print(d.decode(' [1] '),d.raw_decode('[1] tail'),d.raw_decode('{"a":1}x')); t(d.raw_decode,' 1'); t(d.raw_decode,'x'); t(d.decode,'1 x'); t(json.JSONDecoder(object_hook=lambda d:tuple(d)).decode,'{"k":1}'); t(d.raw_decode,'xx[1]',2); t(d.raw_decode,'[1]',-1)
print(json.JSONDecodeError.__mro__[1].__name__,issubclass(json.JSONDecodeError,ValueError),json.JSONDecodeError('m','abc\nde',5))
class F:
    def __init__(s): s.b=[]
    def write(s,x): s.b.append(x)
    def read(s): return '[1, 2]'
f=F(); json.dump({'a':[1]},f,separators=(', ',': ')); print(''.join(f.b)); t(json.load,F())
class I(int): 
    def __repr__(s): return 'I!'
class FF(float):
    def __repr__(s): return 'F!'
class S(str): pass
class L(list): pass
class DD(dict): pass
print(D([I(5),FF(1.5),S('a'),L([1]),DD(a=1)]),D({I(3):1,FF(2.5):2,S('k'):3}))
from collections import OrderedDict, namedtuple, defaultdict
print(D(OrderedDict(z=1,a=2)),D(namedtuple('P','x y')(1,2)),D(defaultdict(int,a=1)),json.loads('{"z":1,"a":2}',object_pairs_hook=OrderedDict),json.loads(json.dumps({'k':[1,2.5,None,True,'é']})))
