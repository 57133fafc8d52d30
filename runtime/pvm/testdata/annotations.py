from __future__ import annotations
# Annotations kept as text: the module begins with the future statement.
import typing
x: int = 1
y: Undefined[Name, "quoted"] = 2
z: list[dict[str, int | None]]
def f(a: Missing, *b: tuple[int, ...], c: lambda q: q + 1 = 3, **d: not a or b) -> x.y[1:2, ::3]: return a
print(__annotations__, f.__annotations__, f(1))
class C:
    m: C = None
    n: (1, 2) = 5
    __p: -x ** 2
    def g(self: C, o: f"{x}") -> "already": ...
    async def h(self) -> await_: ...
print(C.__annotations__, C.g.__annotations__, C.h.__annotations__)
def local():
    v: undefined_here = 1
    w: also_undefined
    return v
print(local(), hasattr(C, "z"), C.n)
@lambda fn: fn.__annotations__
def deco(a: [i for i in range(3)], b: {1: 2, **z}, c: {1, 2}, d: a if b else c, e: x < y <= z, g: not_, h: (yield_), i: 1.5e10, j: -1j, k: b"x", l: ..., m: a.b(c, *d, e=f, **g)) -> None: ...
print(deco)
(q): int = 3
C.attr: str = "a"
print("q" in __annotations__, C.attr, "attr" in C.__annotations__)
