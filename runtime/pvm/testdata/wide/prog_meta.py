from typing import Any, Callable, ClassVar, get_type_hints, Protocol, runtime_checkable
class Field:
    def __init__(self, typ, default=..., check=None): self.typ, self.default, self.check = typ, default, check
    def __set_name__(self, owner, name): self.name = name; self.key = '_f_' + name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        if self.key not in obj.__dict__:
            if self.default is ...: raise AttributeError(f'{owner.__name__}.{self.name} is not set')
            return self.default() if callable(self.default) else self.default
        return obj.__dict__[self.key]
    def __set__(self, obj, v):
        if not isinstance(v, self.typ): raise TypeError(f'{self.name} must be {self.typ.__name__}, not {type(v).__name__}')
        if self.check and not self.check(v): raise ValueError(f'{self.name}: bad value {v!r}')
        obj.__dict__[self.key] = v
    def __delete__(self, obj): del obj.__dict__[self.key]
class ModelMeta(type):
    registry: ClassVar[dict] = {}
    def __new__(m, name, bases, ns, table=None, **kw):
        cls = super().__new__(m, name, bases, ns, **kw)
        cls._fields = {k: v for b in reversed(cls.__mro__) for k, v in vars(b).items() if isinstance(v, Field)}; cls._table = table or name.lower() + 's'
        if bases: m.registry[cls._table] = cls
        return cls
    def __iter__(cls): return iter(cls._fields)
    def __getitem__(cls, k): return cls._fields[k]
class Model(metaclass=ModelMeta):
    def __init__(self, **kw):
        for k, v in kw.items():
            if k not in self._fields: raise TypeError(f'{type(self).__name__}() got an unexpected field {k!r}')
            setattr(self, k, v)
    def __repr__(self): return f"{type(self).__name__}({', '.join(f'{k}={getattr(self, k)!r}' for k in self._fields if hasattr(self, k))})"
    def sql(self): ks = [k for k in self._fields if hasattr(self, k)]; return f"INSERT INTO {self._table} ({', '.join(ks)}) VALUES ({', '.join(repr(getattr(self, k)) for k in ks)})"
class User(Model): name = Field(str, check=str.isalpha); age = Field(int, 18, lambda a: 0 <= a < 150); tags = Field(list, list)
class Admin(User, table='admins'): level = Field(int)
u = User(name='ann'); print(u, u.age, u.sql(), list(User), User['age'].typ, ModelMeta.registry, Admin(name='b', level=3).sql(), list(Admin), User.name.key)
for f in (lambda: setattr(u, 'age', 'x'), lambda: setattr(u, 'age', 200), lambda: User(nope=1), lambda: User(name='a1'), lambda: User().name, lambda: Admin().level, lambda: User['zz'], lambda: delattr(u, 'age')):
    try: f(); print('ok')
    except Exception as e: print(type(e).__name__, e)
u.age = 5; print(u); del u.age; print(u.age)
class Plugin:
    plugins: list = []
    def __init_subclass__(cls, /, name=None, **kw): super().__init_subclass__(**kw); cls.name = name or cls.__name__; Plugin.plugins.append(cls)
class A(Plugin, name='alpha'): pass
class B(A): pass
print([p.name for p in Plugin.plugins])
def overload_dispatch(*types):
    def deco(f): f.__types__ = types; return f
    return deco
class Multi(type):
    class NS(dict):
        def __setitem__(s, k, v):
            if hasattr(v, '__types__'): s.setdefault('_multi', {}).setdefault(k, []).append(v); v = s._mk(k)
            super().__setitem__(k, v)
        def _mk(s, k):
            table = s['_multi'][k]
            def call(self, *a):
                for f in table:
                    if len(a) == len(f.__types__) and all(map(isinstance, a, f.__types__)): return f(self, *a)
                raise TypeError(f'no match for {k}({", ".join(type(x).__name__ for x in a)})')
            return call
    @classmethod
    def __prepare__(m, *a): return m.NS()
    def __new__(m, n, b, ns): return super().__new__(m, n, b, dict(ns))
class Calc(metaclass=Multi):
    @overload_dispatch(int, int)
    def add(self, a, b): return a + b
    @overload_dispatch(str, str)
    def add(self, a, b): return a + '&' + b
    @overload_dispatch(list)
    def add(self, l): return sum(l)
print(Calc().add(1, 2), Calc().add('a', 'b'), Calc().add([1, 2, 3]))
try: Calc().add(1, 'x')
except TypeError as e: print(e)
@runtime_checkable
class HasArea(Protocol):
    side: int
    def area(self) -> float: ...
class Sq:
    side = 2
    def area(self): return 4.0
class No:
    def area(self): return 1
print(isinstance(Sq(), HasArea), isinstance(No(), HasArea), get_type_hints(HasArea), get_type_hints(HasArea.area))
try: issubclass(Sq, HasArea)
except TypeError as e: print(e)
class Event:
    def __init__(self): self.hs = []
    def __iadd__(self, h): self.hs.append(h); return self
    def __isub__(self, h): self.hs.remove(h); return self
    def __call__(self, *a): return [h(*a) for h in self.hs]
class Btn:
    def __init__(self): self.click = Event()
b = Btn(); f = lambda x: x * 2; b.click += f; b.click += str; print(b.click(5)); b.click -= f; print(b.click(5))
class Proxy:
    def __init__(self, t): object.__setattr__(self, '_t', t); object.__setattr__(self, '_log', [])
    def __getattribute__(self, n):
        if n in ('_t', '_log'): return object.__getattribute__(self, n)
        self._log.append(n); return getattr(self._t, n)
    def __setattr__(self, n, v): self._log.append('=' + n); setattr(self._t, n, v)
    def __len__(self): return len(self._t)
    def __getitem__(self, k): return self._t[k]
p = Proxy([3, 1]); p.sort(); p.append(9); print(p._log, len(p), p[0], p._t)
def memo(f, c={}):
    def w(*a):
        if a not in c.setdefault(f.__name__, {}): c[f.__name__][a] = f(*a)
        return c[f.__name__][a]
    w.cache = c; return w
@memo
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50), len(fib.cache['fib']))
class retry:
    def __init__(self, n, *ex): self.n, self.ex = n, ex
    def __call__(self, f):
        def w(*a, **k):
            for i in range(1, self.n + 1):
                try: return f(*a, **k)
                except self.ex as e:
                    print('try', i, e)
                    if i == self.n: raise RuntimeError('gave up') from e
        return w
n = 0
@retry(3, ValueError, KeyError)
def flaky(upto):
    global n
    n += 1
    if n < upto: raise ValueError(n)
    return 'done'
print(flaky(3))
try: n = -9; flaky(5)
except RuntimeError as e: print(e, repr(e.__cause__))
