# abc.
from abc import ABC, ABCMeta, abstractmethod
import abc
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...
    @classmethod
    @abstractmethod
    def make(cls): ...
    @staticmethod
    @abstractmethod
    def unit(): ...
    def describe(self): return f"{self.name}: {self.area()}"
for c in (Shape, type("Half", (Shape,), {"area": lambda self: 1})):
    try:
        c()
    except TypeError as e:
        print(e)
class Square(Shape):
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
    name = "square"
    @classmethod
    def make(cls): return cls(1)
    @staticmethod
    def unit(): return "m"
print(Square(3).describe(), Square.make().area(), isinstance(Square(1), Shape), issubclass(Square, Shape), sorted(Shape.__abstractmethods__), Square.__abstractmethods__)
@Shape.register
class Foreign: pass
print(issubclass(Foreign, Shape), isinstance(Foreign(), Shape), Shape in Foreign.__mro__)
class Sized(ABC):
    @classmethod
    def __subclasshook__(cls, C):
        if cls is Sized: return any("__len__" in B.__dict__ for B in C.__mro__) or NotImplemented
        return NotImplemented
print(issubclass(list, Sized), isinstance({}, Sized), issubclass(int, Sized), isinstance(5, Sized))
class M(metaclass=ABCMeta):
    @abc.abstractmethod
    def f(self): return "base f"
class N(M):
    def f(self): return super().f() + " extended"
print(N().f(), type(M).__name__, M.f.__isabstractmethod__)
class Plus(Shape): pass
Plus.__abstractmethods__ = frozenset()
print(type(Plus()).__name__)
class One(ABC):
    @abstractmethod
    def only(self): pass
try:
    One()
except TypeError as e:
    print(e)
