from functools import cached_property
class A:
    @cached_property
    def v(s):
        "doc"
        return 1
    v.__doc__='new'
    v.tag=5
print(A.v.__doc__,A.v.tag,A().v,A.v.attrname,A.v.func.__name__)
class CP(cached_property):
    def __init__(s,f,x=1): super().__init__(f); s.x=x
class B:
    w=CP(lambda s:'w',9)
print(B().w,B.w.x,B.w.attrname)
p=A.v; p.func=lambda s:'other'; print(A().v)
