def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import dataclasses,enum,collections
@dataclasses.dataclass
class P: x:int; y:int=0
class C:
    __match_args__=('a','b')
    def __init__(s,a,b): s.a=a; s.b=b
class Color(enum.Enum): R=1; G=2
class Sub(P): pass
def m(v):
    match v:
        case None: return 'none'
        case True: return 'true'
        case 0: return 'zero'
        case -1: return 'm1'
        case 1.5: return '1.5'
        case 2+3j: return 'cx'
        case 'a'|'b' as s: return 'ab:'+s
        case b'x': return 'bx'
        case Color.R: return 'red'
        case int(n) if n>100: return f'big {n}'
        case int()|float(): return 'num'
        case str(s): return 'str '+s
        case []: return 'empty'
        case [x]: return f'one {x}'
        case [1,*rest]: return f'1+{rest}'
        case [x,[y,*_],*_,z]: return f'nest {x}{y}{z}'
        case (x,y): return f'pair {x} {y}'
        case {'type':'circle','r':r}: return f'circle {r}'
        case {'type':'rect',**rest}: return f'rect {rest}'
        case {}: return 'dict'
        case P(x=0,y=0): return 'origin'
        case P(x,0): return f'xaxis {x}'
        case P(): return 'P'
        case C(1,b=bb): return f'C1 {bb}'
        case C(a,b): return f'C {a} {b}'
        case _: return 'other'
for v in [None,True,False,0,0.0,-1,1.5,2+3j,'a','zz',b'x',b'y',Color.R,Color.G,101,5,[],[7],(7,),[1,2,3],[2,[3,4],5,6],[2,3],(2,3),range(2),{'type':'circle','r':3},{'type':'rect','w':1,'h':2},{},{'q':1},P(0,0),P(5),P(1,2),Sub(0,0),C(1,2),C(3,4),set(),object,collections.deque([1,2]),collections.OrderedDict(type='circle',r=1),bytearray(b'ab'),'',collections.defaultdict(int),{1,2},iter([]),collections.Counter('a'),memoryview(b'ab'),collections.UserList([1,2])]:
    print(repr(v)[:40] if 'iterator' not in repr(v) and 'memory' not in repr(v) else type(v).__name__,m(v))
def e1(v):
    match v:
        case int(x,y): pass
t(e1,5)
def e2(v):
    match v:
        case P(1,2,3): pass
t(e2,P(1))
def e3(v):
    match v:
        case C(1,a=2): pass
t(e3,C(1,2))
class BadMA: __match_args__=[1]
def e4(v):
    match v:
        case BadMA(1): pass
t(e4,BadMA())
class BadMA2: __match_args__=(1,)
def e5(v):
    match v:
        case BadMA2(1): pass
t(e5,BadMA2())
class NoMA: pass
def e6(v):
    match v:
        case NoMA(1): pass
t(e6,NoMA())
def e7(v):
    x=5
    match v:
        case x.y: pass
t(e7,1)
def e8(v):
    z=5
    match v:
        case z(): pass
t(e8,1)
def seq(v):
    match v:
        case [*_]: return 'any'
print(seq([]),seq('ab'),seq(b'a'),seq({1:2}),seq((1,)),seq(range(0)))
def binds(v):
    match v:
        case [a,b] if a==b: r='eq'
        case [a,b]: r='ne'
        case a: r='a'
    return r,a
print(binds([1,1]),binds([1,2]),binds(5))
def nob(v):
    match v:
        case [x,1]: pass
        case _: pass
    return x
t(nob,[9,1]); t(nob,[9,2]); t(nob,5)
def mp(v):
    match v:
        case {'a':int(x),'b':{'c':[y,*_]}}: return x,y
        case {1:_,None:z}: return z
        case {'k':v2,**rest} if not rest: return 'only',v2
        case {'k':_,**rest}: return rest
print(mp({'a':1,'b':{'c':[2,3]},'z':0}),mp({1:2,None:3}),mp({'k':1}),mp({'k':1,'j':2}))
class Get(dict):
    def get(s,k,d=None): print('get',k); return super().get(k,d)
    def __missing__(s,k): return 'MISSING'
match Get(a=1):
    case {'a':x,'zz':_}: print('no')
    case {'a':x}: print('yes',x)
class Dyn:
    def __getattr__(s,n):
        if n=='x': return 1
        raise AttributeError(n)
match Dyn():
    case Dyn(y=1): print('y')
    case Dyn(x=1): print('x')
class Prop:
    @property
    def p(s): raise ValueError('prop')
def pp():
    match Prop():
        case Prop(p=1): pass
t(pp)
match 1,2:
    case 1,x: print(x)
match [1,2,3,4,5]:
    case [a,_,*mid,z]: print(a,mid,z)
match {'x':[{'y':(1,2)}]}:
    case {'x':[{'y':(p,q)}]}: print(p,q)
match=5; case=6; _=7; type=8; print(match+case+_)
match (match):
    case 5: print('soft')
match -match:
    case -5: print('neg')
x=[1,2]
match x:
    case [1,(2|3) as two]: print(two)
match 'abc':
    case str() as s if s.startswith('a'): print(s)
def cmds(c):
    match c.split():
        case ['go',('north'|'south'|'east'|'west') as d]: return 'go '+d
        case ['get',obj]|['pick','up',obj]: return 'get '+obj
        case ['drop',*objs]: return f'drop {objs}'
        case [*words,'please']: return cmds(' '.join(words))+'!'
        case []: return 'nothing'
        case _: return 'what?'
for c in ('go north','go up','get lamp','pick up key','drop a b','go west please','','x y z'): print(cmds(c))
