def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import itertools
vals=[42,-42,0,3.14159,-2.5,1e10,'str',True,None,2**70,1.0]
specs=['','5','<5','>5','^5','=5','*^9','05','+','-',' ','#x','#o','#b','#X','c','d','n','e','.2','.2f','.0','%','.1%','s','10s','.2s','<10.2s','=10s','x','X',',','_',',d','_d','_b','_x',',x',',.2f','010,','010_','0=10','+08.2f','+010,.1f','*<+10d','08x','#010x','.3d','zd','z.0f','<<5','>>5','^^5','==5','r','!','  ','0','00','00010','1'*5,'.','.f','5.','q','dd','ss','5s5','{}','\x00>5','é^7','.999','0<5','0>5','-<5','+-5','< 5','#','#s','#d','#.0f','#.3g',',s',',c','_c','+c','+s',' s','.2c','0s','05s','=s']
for v in vals:
    for s in specs:
        try: r=format(v,s)
        except Exception as e: r=f'{type(e).__name__}: {e}'
        print(repr(v)[:8],repr(s),r if len(r)<120 else len(r))
