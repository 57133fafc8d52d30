# f-strings.
a, b, s, d = 1, 2.5, "text", {"k": [1, 2]}
print(f"{a} {b} {s} {d['k'][1]} {a + b} {a if a > 1 else 'no'} {[x * 2 for x in range(3)]} {(lambda x: x + 1)(5)} {s.upper()!r}")
print(f"{a:5}|{b:<8.3f}|{s:>{10}}|{s:^{a + 9}.{2}}|{a:0{4}d}|{b:{'e'}}|{s!r:>8}|{s!a:_<8}|{d!s}")
print(f"{{}} {{{a}}} {a}}} {{a", f"{'nested ' + f'{a}'}", f'{"q"}', f"{a}" "plain {a}" f"{b}", rf"\n{a}\{b}", F"{a}", fr"{s}\d")
x = 10
print(f"{x=} {x = } {x=:>5} {x=!r} {s=} {s=!s} {s = !s:>6} {a+b=} { x = :>4}", f"{d['k']=}", f"{x   =}", f"{ 1 + 1 = }")
print(f"{x!r:{'>'}{6}}", f"{3.14159:.{a + 1}f}", f"{1_000_000:,}", f"{255:#x} {255:#b} {-5:+d} {5:+d}", f"{0.25:.0%}", f"{'é':*^5}")
print(f"""multi
{a}
  {b
}""", f'''{
a + 1
}''', f"{  a  }", f"{a,}", f"{a, b}", f"{*[1, 2], 3}", f"{ {1: 2}[1] }", f"{ {3} }")
print(f"{'a' 'b'}", f"{'''x'''}", f"{s[0]}{s[-1]}{s[1:3]}", f"{a == 1} {a != 1} {a >= 1} {a <= 1}", f"{not a}", f"{a and b}", f"{(y := 5)} {y}")
def f(): yield 1
class C:
    def __format__(self, spec): return f"C[{spec}]"
    def __repr__(self): return "C()"
    def __str__(self): return "str C"
c = C()
print(f"{c} {c!r} {c!s} {c:x y} {c:{a}{b}} {c!r:>6} {c=} {c=:q}")
print(f"\x41\N{BULLET}\t{a}\u00e9", f"{a}\\{b}", f"{a:\x20>4}")
for fn in (lambda: f"{s:d}", lambda: f"{a:zz}", lambda: f"{undefined}", lambda: f"{b:x}", lambda: f"{[]:>5}", lambda: f"{a.x}", lambda: f"{1/0}"):
    try:
        print(fn())
    except Exception as e:
        print(type(e).__name__, e)
width, prec = 10, 3
print(f"{3.14159:{width}.{prec}}|{'abc':{width}}|{42:<{width}}|{42:^{width},}")
print("".join(f"{i:02d}{'!' if i % 2 else '?'}" for i in range(5)), [f"{k}={v}" for k, v in {"a": 1}.items()], f"{'{'}{'}'}")
print(f"{True} {None} {...} {1e100} {-0.0} {10**25}", f"{'%s' % a}", f"{'{}'.format(a)}", f"{b'x'} {b'x'!r}", len(f""), f"{''}|", f"{s:.2}", f"{s:10.2}|")
