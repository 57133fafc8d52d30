def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
def show(e,d=0):
    print(' '*d,type(e).__name__,e.args,str(e),repr(e),'cause',repr(e.__cause__),'ctx',repr(e.__context__),e.__suppress_context__,getattr(e,'__notes__',None),e.__traceback__ is not None)
def tr(f):
    try: f()
    except BaseException as e: show(e)
def a1():
    try: 1/0
    except ZeroDivisionError: raise KeyError('k')
def a2():
    try: 1/0
    except ZeroDivisionError as e: raise KeyError('k') from e
def a3():
    try: 1/0
    except ZeroDivisionError: raise KeyError('k') from None
def a4():
    try: 1/0
    finally: raise KeyError('fin')
def a5():
    try:
        try: 1/0
        except Exception: raise
        finally: print('f')
    except ZeroDivisionError as e: e.add_note('n1'); e.add_note('n2'); raise
def a6():
    e=ValueError('v'); e.__cause__=KeyError('c'); raise e
def a7(): raise ValueError from KeyError
def a9():
    try: raise ValueError('1')
    except ValueError as e:
        try: raise TypeError('2')
        except TypeError as f: raise e
for f in (a1,a2,a3,a4,a5,a6,a7,a9): tr(f)
t(lambda:ValueError('x').add_note(5)); t(lambda:setattr(ValueError(),'__cause__',5)); t(lambda:setattr(ValueError(),'__context__',5)); t(lambda:setattr(ValueError(),'__traceback__',5)); t(lambda:setattr(ValueError(),'args',5)); t(lambda:setattr(ValueError(),'args',[1,2])); t(lambda:delattr(ValueError(),'args')); t(lambda:ValueError('x').with_traceback(None)); t(lambda:ValueError('x').with_traceback(5)); t(lambda:delattr(ValueError(),'__cause__'))
for e in (ValueError(),ValueError('a'),ValueError('a','b'),KeyError('k'),KeyError(),KeyError('a','b'),KeyError(1),IndexError(None),OSError(2,'No'),OSError(2,'No','f'),OSError(2,'No','f',None,'g'),OSError('x'),OSError(),FileNotFoundError(1),OSError(13,'p'),OSError(17,'e'),OSError(99999,'u'),StopIteration(),StopIteration(5),StopIteration(1,2),SystemExit(),SystemExit(3),SystemExit('m'),SystemExit(1,2),AttributeError('a',name='n',obj=5),NameError('x',name='y'),ImportError('i',name='m',path='p'),ModuleNotFoundError('mm'),SyntaxError('s'),SyntaxError('s',('f',1,2,'text')),SyntaxError('s',('f',1,2,'text',1,5)),UnicodeDecodeError('u',b'ab',0,1,'r'),UnicodeEncodeError('u','ab',0,1,'r'),UnicodeTranslateError('ab',0,1,'r'),ExceptionGroup('g',[ValueError(1)]),BaseExceptionGroup('g',[ValueError(1)]),BaseExceptionGroup('g',[KeyboardInterrupt()]),KeyboardInterrupt('x'),GeneratorExit(),NotImplementedError('n'),RecursionError('r'),MemoryError(),AssertionError('a'),EOFError('e'),BufferError(),ArithmeticError(),LookupError('l'),Warning('w'),DeprecationWarning('d'),TimeoutError('t'),ConnectionResetError(1,'x'),IndentationError('i'),TabError('t'),Exception(ValueError('in')),BlockingIOError(1,'a',3)):
    print(type(e).__name__,e.args,'|',str(e),'|',repr(e),[(n,getattr(e,n,'-')) for n in ('errno','strerror','filename','filename2','value','code','name','obj','path','msg','lineno','offset','text','end_lineno','end_offset','print_file_and_line','encoding','object','start','end','reason','message','exceptions','characters_written') if hasattr(e,n)])
t(OSError,1,2,3,4,5,6); t(StopIteration,x=1); t(AttributeError,x=1); t(NameError,'a',obj=1); t(ImportError,x=1); t(SyntaxError,'s',5); t(SyntaxError,'s',(1,)); t(SyntaxError,'s',('f',1,2)); t(ValueError,x=1); t(ExceptionGroup,'g',[]); t(ExceptionGroup,'g'); t(ExceptionGroup,1,[ValueError()]); t(ExceptionGroup,'g',5); t(ExceptionGroup,'g',[5]); t(ExceptionGroup,'g',[KeyboardInterrupt()]); t(ExceptionGroup,'g',[ValueError],1); t(BaseException.__new__,int); t(UnicodeDecodeError,1,2,3,4,5)
class E(Exception):
    def __init__(s,a,b=2): s.a=a
print(repr(E(1)),E(1).args,str(E(1))); t(E); 
class E2(Exception):
    def __str__(s): return 'custom'
    def __repr__(s): return 'R'
print(E2('x'),repr(E2('x')),E2('x').args)
class E3(Exception):
    def __new__(c,*a): o=super().__new__(c,'new'); return o
print(E3('q').args,repr(E3('q')))
class E4(KeyError): pass
print(str(E4('k')),repr(E4('k')))
class E5(ValueError,KeyError): pass
print(E5.__mro__,str(E5('a')))
def f():
    for x in range(3):
        try:
            if x==1: continue
            if x==2: break
            print('body',x)
        except: pass
        else: print('else',x)
        finally: print('fin',x)
f()
def r1():
    try: return 'try'
    finally: print('cleanup')
def r2():
    try: return 'try'
    finally: return 'fin'
def r3():
    try: 1/0
    except: return 'exc'
    else: return 'else'
    finally: print('f3')
def r4():
    while True:
        try: return 1
        finally: break
    return 2
def r5():
    x=1
    try: return x
    finally: x=2
def r6():
    try: raise ValueError
    finally: return 'swallow'
print(r1(),r2(),r3(),r4(),r5(),r6())
def un():
    try: 1/0
    except ZeroDivisionError as e: pass
    return e
t(un)
def multi():
    for ex in (ValueError,KeyError,TypeError,IndexError):
        try: raise ex('m')
        except (ValueError,KeyError) as e: print('vk',repr(e))
        except (TypeError) as e: print('t',repr(e))
        except LookupError as e: print('l',repr(e))
multi()
def star():
    for grp in (ExceptionGroup('g',[ValueError(1),TypeError(2),ExceptionGroup('n',[ValueError(3),KeyError(4)])]),ValueError('plain')):
        try:
            try: raise grp
            except* ValueError as e: print('VE',repr(e),getattr(e,'exceptions',None))
            except* TypeError as e: print('TE',repr(e)); raise RuntimeError('in te')
            else: print('no')
            finally: print('fin')
        except BaseException as e: print('left',repr(e),[repr(x) for x in getattr(e,'exceptions',[])])
star()
eg=ExceptionGroup('m',[ValueError(1),ExceptionGroup('n',[TypeError(2),ValueError(3)])]); print(eg.split(ValueError),eg.subgroup(TypeError),eg.subgroup(lambda e:isinstance(e,ValueError) and e.args[0]>1),eg.subgroup(KeyError),eg.split((ValueError,TypeError)),eg.derive([KeyError()]),eg.message,eg.exceptions,str(eg)); t(eg.split,5); t(eg.subgroup); t(eg.derive,[])
class MyG(ExceptionGroup):
    def derive(s,ex): return MyG(s.message,ex)
m=MyG('mg',[ValueError(1),TypeError(2)]); m.add_note('note'); a,b=m.split(ValueError); print(repr(a),repr(b),a.__notes__,type(a))
def an():
    assert 1==2,'msg'
t(an)
def an2(): assert (lambda:0)() , [1,2]
t(an2); t(lambda:exec) if 0 else 0
def nested():
    try:
        try: raise ValueError('a')
        finally:
            try: raise KeyError('b')
            except KeyError: print('inner handled')
    except ValueError as e: print(repr(e),repr(e.__context__))
nested()
import re
def ctxchain():
    try:
        try:
            try: raise A1
            except NameError: raise B1
        except NameError: raise C1
    except NameError as e:
        while e: print(e); e=e.__context__
ctxchain()
