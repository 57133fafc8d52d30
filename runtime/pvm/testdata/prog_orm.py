# A small ORM with descriptors, metaclass, query builder and validation.
class ValidationError(Exception):
    def __init__(self, field, msg): super().__init__(f"{field}: {msg}"); self.field = field
class Field:
    kind = object
    counter = 0
    def __init__(self, *, default=None, null=False, check=None):
        self.default, self.null, self.check = default, null, check
        Field.counter += 1
        self.order = Field.counter
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, o, t=None): return self if o is None else o._data.get(self.name, self.default() if callable(self.default) else self.default)
    def __set__(self, o, v):
        if v is None:
            if not self.null: raise ValidationError(self.name, "may not be null")
        else:
            if not isinstance(v, self.kind) or isinstance(v, bool) and self.kind is not bool: raise ValidationError(self.name, f"expected {self.kind.__name__}, got {type(v).__name__}")
            if self.check and not self.check(v): raise ValidationError(self.name, f"invalid value {v!r}")
        o._data[self.name] = v
    def __eq__(self, v): return Cond(self.name, "==", v, lambda x: x == v)
    def __lt__(self, v): return Cond(self.name, "<", v, lambda x: x is not None and x < v)
    def __gt__(self, v): return Cond(self.name, ">", v, lambda x: x is not None and x > v)
    def __hash__(self): return id(self)
    def isin(self, vs): return Cond(self.name, "in", vs, lambda x: x in vs)
class Int(Field): kind = int
class Str(Field): kind = str
class Bool(Field): kind = bool
class Cond:
    def __init__(self, name, op, val, fn): self.text, self.fn = f"{name} {op} {val!r}", lambda row: fn(getattr(row, name))
    def _join(self, o, word, f):
        c = object.__new__(Cond)
        c.text, c.fn = f"({self.text} {word} {o.text})", lambda r: f(self.fn(r), o.fn(r))
        return c
    def __and__(self, o): return self._join(o, "and", lambda a, b: a and b)
    def __or__(self, o): return self._join(o, "or", lambda a, b: a or b)
    def __invert__(self):
        c = object.__new__(Cond)
        c.text, c.fn = f"not {self.text}", lambda r: not self.fn(r)
        return c
    def __repr__(self): return self.text
class Meta(type):
    def __new__(mcs, name, bases, ns, **kw):
        cls = super().__new__(mcs, name, bases, ns)
        cls._fields = sorted((f for k in reversed(cls.__mro__) for f in vars(k).values() if isinstance(f, Field)), key=lambda f: f.order)
        cls._table, cls._rows = kw.get("table", name.lower() + "s"), []
        return cls
    def __init__(cls, name, bases, ns, **kw): super().__init__(name, bases, ns)
    @property
    def objects(cls): return Query(cls)
    def __len__(cls): return len(cls._rows)
class Query:
    def __init__(self, model, conds=(), key=None, rev=False, n=None): self.model, self.conds, self.key, self.rev, self.n = model, conds, key, rev, n
    def filter(self, *c, **kw): return Query(self.model, (*self.conds, *c, *(getattr(self.model, k) == v for k, v in kw.items())), self.key, self.rev, self.n)
    def order(self, k): return Query(self.model, self.conds, k.lstrip("-"), k.startswith("-"), self.n)
    def limit(self, n): return Query(self.model, self.conds, self.key, self.rev, n)
    def __iter__(self):
        rows = [r for r in self.model._rows if all(c.fn(r) for c in self.conds)]
        if self.key: rows.sort(key=lambda r: getattr(r, self.key), reverse=self.rev)
        return iter(rows[:self.n])
    def __len__(self): return sum(1 for _ in self)
    def first(self): return next(iter(self), None)
    def values(self, *names): return [tuple(getattr(r, n) for n in names) for r in self]
    def __str__(self): return f"SELECT * FROM {self.model._table}" + (" WHERE " + " AND ".join(map(str, self.conds)) if self.conds else "") + (f" ORDER BY {self.key}{' DESC' * self.rev}" if self.key else "") + (f" LIMIT {self.n}" if self.n else "")
class Model(metaclass=Meta):
    id = Int(default=0)
    def __init__(self, **kw):
        self._data = {}
        for k in kw:
            if k not in [f.name for f in self._fields]: raise TypeError(f"{type(self).__name__} has no field {k!r}")
        for f in self._fields:
            if f.name in kw: setattr(self, f.name, kw[f.name])
    def save(self):
        for f in self._fields:
            if getattr(self, f.name) is None and not f.null: raise ValidationError(f.name, "required")
        self.id = len(type(self)._rows) + 1
        type(self)._rows.append(self)
        return self
    def __repr__(self): return f"{type(self).__name__}({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in self._fields)})"
class User(Model, table="people"):
    name = Str(check=lambda s: len(s) > 1)
    age = Int(null=True, check=lambda n: n >= 0)
    active = Bool(default=True)
class Admin(User):
    level = Int(default=1)
for n, a in (("ann", 30), ("bob", 25), ("cyd", None), ("dee", 41)): User(name=n, age=a, active=n != "bob").save()
Admin(name="root", level=9).save()
print(User._table, Admin._table, [f.name for f in Admin._fields], len(User), len(Admin), Admin.objects.first())
print(list(User.objects.filter(User.age > 26).order("-age")), User.objects.filter(active=False).values("name", "age"), len(User.objects.filter((User.age < 30) | (User.name == "dee"))))
q = User.objects.filter(~(User.name.isin(["ann"])) & (User.age > 0), active=True).order("name").limit(2)
print(q, list(q))
for f in (lambda: User(name="x"), lambda: User(name=5), lambda: User(age=-1), lambda: User(nope=1), lambda: User().save(), lambda: setattr(User(name="zed"), "age", "old"), lambda: User(name=None), lambda: User(age=True)):
    try:
        print(f())
    except (ValidationError, TypeError) as e:
        print(type(e).__name__, e)
u = User.objects.filter(name="ann").first()
u.age += 1
print(u, User.objects.filter(age=31).first() is u, User.objects.filter(name="zzz").first())
