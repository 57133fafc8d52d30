def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
for name in ('count','index'):
    for args in [(), (1,), (1,2), (1,0,5), (1,0,5,6), (9,), (1,'a')]:
        t(getattr((1,2,1),name),*args)
        t(getattr(range(0,10,3),name),*args)
t(tuple,1); t(tuple,1,2); t(tuple,sequence=1); t(lambda:(1,)+[1]); t(lambda:(1,)*1.5); t(lambda:(1,)['a']); t(lambda:(1,)[3])
t(range); t(range,1.5); t(range,'a'); t(range,1,2,0); t(range,1,2,3,4); t(range,stop=1); t(range,True); t(lambda:range(5)[7]); t(lambda:range(5)['a']); t(lambda:range(5)[1:3]); t(lambda:range(10)[::-2]); t(lambda:range(10**30)[5:10**25]); t(lambda:range(10**30)[-1])
for r in (range(0),range(5),range(5,0),range(5,0,-2),range(-3,9,4),range(1,1000,7)):
    print(r,len(r),bool(r),r.start,r.stop,r.step,[*reversed(r[:4])],r[-1:],hash(r)==hash(range(r.start,r.stop,r.step)),r==range(0),4 in r,'a' in r,4.0 in r, 4.5 in r)
    t(r.index,4); t(r.count,4); t(r.index,4.0); t(r.index,'x')
print(range(0,3,2)==range(0,4,2), hash(range(0,3,2))==hash(range(0,4,2)), range(3,3)==range(8,2), range(1,2)==range(1,9,100))
t(lambda: range(3)<range(4)); t(lambda: setattr(range(3),'start',1)); t(lambda: range(3)+range(2)); t(lambda: range(3)*2)
for s in (slice(None),slice(1),slice(1,2),slice(1,2,3),slice('a',[],None)):
    print(s,s.start,s.stop,s.step,s==slice(None,1,None))
t(slice); t(slice,1,2,3,4); t(slice(1,2).indices,5); t(slice(None,None,-1).indices,5); t(slice(-100,100,7).indices,50); t(slice(None,None,0).indices,5); t(slice('a').indices,5); t(slice(1).indices,-1); t(slice(1).indices); t(slice(1).indices,'a'); t(hash,slice(1)); t(lambda: slice(1)<slice(2)); t(lambda: slice(1)<3); t(lambda:setattr(slice(1),'start',4)); t(lambda: {slice(1):2}); t(lambda:{}[slice(1)]); t(lambda: sorted([slice(2),slice(1)]))
