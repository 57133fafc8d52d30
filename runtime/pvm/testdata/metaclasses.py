# Metaclasses, __prepare__, __set_name__, __class_getitem__, abstract instances.
class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, bases, kw)
        return {"prepared": True}
    def __new__(mcs, name, bases, ns, **kw):
        print("new", name, sorted(k for k in ns if not k.startswith("__")), kw)
        ns["added"] = len(ns)
        return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw):
        print("init", name)
        super().__init__(name, bases, ns)
    def __call__(cls, *a, **k):
        print("call", cls.__name__, a, k)
        obj = super().__call__(*a, **k)
        obj.called = True
        return obj
    def __repr__(cls): return f"<Meta {cls.__name__}>"
    def __len__(cls): return 7
    def __getitem__(cls, k): return (cls.__name__, k)
    def __iter__(cls): return iter("abc")
    def __contains__(cls, x): return x == 1
    def __getattr__(cls, n): return f"meta attr {n}" if n.startswith("dyn") else super().__getattribute__(n)
    @property
    def prop(cls): return "metaprop " + cls.__name__
    def method(cls): return "metamethod"
class A(metaclass=Meta, key="v"):
    x = 1
    def __init__(self, *a): self.a = a
class B(A): y = 2
a = A(1, 2)
print(a.called, a.a, A, B, len(A), A["k"], list(B), 1 in A, 2 in A, A.dyn1, A.prop, B.method(), A.prepared, type(A), type(type(A)), isinstance(A, Meta), B.__class__)
for f in (lambda: a.dyn1, lambda: a.prop, lambda: a.method, lambda: A.nope):
    try:
        print(f())
    except AttributeError as e:
        print(e)
class Singleton(type):
    _instances = {}
    def __call__(cls, *a):
        if cls not in cls._instances: cls._instances[cls] = super().__call__(*a)
        return cls._instances[cls]
class Config(metaclass=Singleton):
    def __init__(self, v=0): self.v = v
print(Config(1) is Config(2), Config().v)
class M1(type): pass
class M2(type): pass
class X1(metaclass=M1): pass
class X2(metaclass=M2): pass
try:
    class X3(X1, X2): pass
except TypeError as e:
    print(e)
class M3(M1, M2): pass
class X4(X1, X2, metaclass=M3): pass
print(type(X4).__name__)
class Named:
    def __set_name__(self, owner, name): self.owner, self.name = owner.__name__, name; print("set_name", owner.__name__, name)
    def __get__(self, o, t=None): return (self.name, o is not None)
class Uses:
    first = Named()
    second = third = Named()
print(Uses.first, Uses().second, Uses.third)
Uses.late = Named()
class G:
    def __class_getitem__(cls, item): return f"{cls.__name__}[{item}]"
print(G[int], G["x", 1])
def factory(name, bases, ns): return (name, bases, sorted(k for k in ns if k[0] != "_"))
class F(metaclass=factory):
    a = 1
    b = 2
print(F)
class Field:
    def __init__(self, kind): self.kind = kind
class ModelMeta(type):
    def __new__(mcs, name, bases, ns):
        fields = {}
        for b in bases: fields.update(getattr(b, "_fields", {}))
        fields.update({k: v for k, v in ns.items() if isinstance(v, Field)})
        ns["_fields"] = fields
        return type.__new__(mcs, name, bases, ns)
class Model(metaclass=ModelMeta):
    def __init__(self, **kw):
        for k, f in self._fields.items(): setattr(self, k, f.kind(kw.get(k, f.kind())))
class User(Model):
    name = Field(str); age = Field(int)
class Admin(User): level = Field(float)
u = Admin(name="bob", age="5")
print(list(Admin._fields), u.name, u.age, u.level)
class InstanceCheck(type):
    def __instancecheck__(cls, o): return o == 42
    def __subclasscheck__(cls, c): return c is str
class IC(metaclass=InstanceCheck): pass
print(isinstance(42, IC), isinstance(1, IC), issubclass(str, IC), issubclass(int, IC))
ns = {}
T = type("T", (object,), ns := {"f": lambda self: 1, "__slots__": ()})
print(T().f(), T.__name__, T.__dict__["f"].__name__, hasattr(T(), "__dict__"))
print(type.__call__(int, "5"), type(5), type(type), type.__name__, type.__mro__, object.__class__, type.__base__)
for f in (lambda: type(), lambda: type(1, 2), lambda: type("a", (), {}, 1), lambda: type(1, (), {}), lambda: type("a", [], {}), lambda: type("a", (), [])):
    try:
        print(f())
    except TypeError as e:
        print(e)
class WithKw(type):
    def __new__(mcs, n, b, ns, flag=False): c = super().__new__(mcs, n, b, ns); c.flag = flag; return c
    def __init__(cls, n, b, ns, flag=False): super().__init__(n, b, ns)
class WK(metaclass=WithKw, flag=True): pass
class WK2(WK): pass
print(WK.flag, WK2.flag)
