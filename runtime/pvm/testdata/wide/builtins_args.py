def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import itertools
fs=[abs,all,any,ascii,bin,callable,chr,divmod,enumerate,filter,format,getattr,hasattr,hash,hex,isinstance,issubclass,iter,len,map,max,min,next,oct,ord,pow,range,repr,reversed,round,setattr,delattr,slice,sorted,sum,zip,vars,dir,id,bool,int,float,str,bytes,bytearray,list,tuple,dict,set,frozenset,memoryview,complex,type,object,property,staticmethod,classmethod,super,print]
argss=[(),(None,),(5,),('a',),({1:2},),(1,2),([1],[2]),(None,[1,2]),(int,int),(1,'int'),(1,2,3,4,5)]
for f in fs:
    for a in argss:
        if f in (id,) or (f in (dir,) and not a) or (f is vars and not a) or (f in (vars,dir,repr,ascii,format,str,print) and a[:1] in ((int,),) ) or (f is hash and a==(int,)) or (f is hash and a==(None,)) : continue
        if f in (print,): 
            try: f(*a)
            except Exception as e: print(type(e),e)
            continue
        if f in (enumerate,filter,map,reversed,zip,iter,property,staticmethod,classmethod,super,object,memoryview):
            try: r=f(*a); print(f.__name__,type(r).__name__)
            except Exception as e: print(f.__name__,type(e).__name__,e)
            continue
        if f is dir and a[0] in (int,): continue
        if f is dir: continue
        print(f.__name__,end=' '); t(f,*a)
    if f not in (dict,print):
        try: r=f(zork=1); print(type(r))
        except Exception as e: print(type(e).__name__,e)
