import re
from re import compile as rc


def show(label, f):
    try:
        print(label, f())
    except re.error as e:
        print(label, "re.error", e, e.msg, e.pos, e.lineno, e.colno)
    except Exception as e:
        print(label, type(e).__name__, e)


# A tokenizer, the classic use of named groups and lastgroup.
token = re.compile(r"""
    (?P<number>  \d+(?:\.\d*)? )
  | (?P<name>    [^\W\d]\w* )
  | (?P<op>      [-+*/=()<>] )
  | (?P<newline> \n )
  | (?P<skip>    [ \t]+ )
  | (?P<bad>     . )
""", re.VERBOSE)
for m in token.finditer("größe = 3.5 * (x1 + 42)\n?"):
    if m.lastgroup != "skip":
        print(m.lastgroup, repr(m.group()), m.span(), m.lastindex)

# Functions as replacements, with state and with exceptions.
count = 0


def number(m):
    global count
    count += 1
    return f"{count}:{m[0].upper()}"


print(re.sub(r"\b[a-z]", number, "the quick brown fox"), count)
print(re.subn("x", lambda m: None, "axbxc"), re.sub("(a)(b)?", lambda m: str(m.groups("-")), "aab"))
show("raises", lambda: re.sub("b", lambda m: {}[m.group()], "abc"))
show("wrong type", lambda: re.sub("b", lambda m: 5, "abc"))
show("nested", lambda: re.sub(r"\w+", lambda m: re.sub("[aeiou]", lambda n: n.group().upper(), m.group()), "hello world"))


class Word(str):
    pass


w = Word("one two")
m = re.match(r"(\w+) (\w+)", w)
print(type(m.group()), type(m.string) is Word, m.string is w, m.re.pattern, m.expand(r"\2 \1 \g<0>"), m.regs)
print(type(re.sub("x", "y", w)), re.split(" ", w), re.findall("o", w))

# Patterns and matches as values.
p = rc(r"(?P<year>\d{4})-(?P<month>\d\d)")
print(p == rc(r"(?P<year>\d{4})-(?P<month>\d\d)"), p == rc("x"), hash(p) == hash(rc(p.pattern)), {p: 1}[rc(p.pattern)], p.groups, dict(p.groupindex), p.flags, bool(p))
m = p.search("on 2023-11-20")
print(m, m["year"], m[2], m.group("year", 2), m.groupdict(), bool(m), m.start("month"), m.end(1), m.pos, m.endpos)
for bad in (3, "day", -1, None, 1.5):
    show(bad, lambda: m[bad])
match p.fullmatch("2024-02"):
    case re.Match() as found:
        print("case", found.groups())
print([bool(rc(x).fullmatch("abc")) for x in ("abc", "ab", "a.c", "a.*?", "(?:ab|abc)", "")])
it = p.finditer("2001-01 2002-02")
print(next(it)[0], next(it)[0], next(it, "end"), next(it, "end"))
if (m := re.search(r"\d+", "abc 123")) is not None:
    print(m.group())

# Flags.
print(re.I, re.IGNORECASE | re.M, repr(re.I & re.M), re.I | 8, int(re.S), re.X.value, re.RegexFlag(10), re.I in (re.I, re.M), bool(re.NOFLAG), re.compile("a", re.I | re.S).flags)
print(isinstance(re.I, int), re.A.name, {re.I: "i"}[2], sorted([re.S, re.I, re.M]))

# bytes.
print(re.findall(rb"\w+", b"ab \xe9 cd"), re.sub(rb"(\d)", rb"<\1>", b"a1b2"), re.split(b",", bytearray(b"a,b")), re.search(b"b", memoryview(b"abc")).span())
show("mixed", lambda: re.search("a", b"a"))
show("mixed", lambda: re.search(b"a", "a"))

# Errors, with positions over several lines.
for bad in ("(", "a\n(b", "[z-a]", "*a", "a**", r"\q", "(?P<a>x)(?P<a>y)", "(?P=no)", "(?z)", "(?<=a+)b", r"(a)\2", "a{3,1}", "(?i:a", "[a", r"\x1", "x(?i)", "(?P<1>a)", "(?(2)a)", r"\N{NOPE}"):
    show(repr(bad), lambda: re.compile(bad))
for bad in ("\\", r"\g<", r"\g<x>", r"\9", r"\g<1", r"\q"):
    show(repr(bad), lambda: re.sub("a", bad, "a"))
try:
    re.compile("(")
except re.error as e:
    print(isinstance(e, Exception), e.args, e.pattern, type(e).__name__, type(e).__module__)
e = re.error("message", "a\nb", 2)
print(e, e.lineno, e.colno, e.pos, re.error("bare").pos)
print(re.escape("a.b*c\n-é"), re.escape(b"x+y"), re.compile("[a-c]+", re.I), re.compile(b"a", re.A))
print(re.split(r"(\W)", "a,b;c", maxsplit=1), re.split("", "ab"), re.split(r"x*", "axbc"), re.findall(r"(a)|b", "ab"), re.findall(r"(a)(b)?", "aba"))

# The shape of things people write.
log = '127.0.0.1 - - [10/Oct/2023:13:55:36] "GET /index.html HTTP/1.0" 200 2326'
print(re.match(r'(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (\S+)[^"]*" (\d{3}) (\d+)', log).groups())
print(re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", "1234567"), re.sub(r"(?<!^)(?=[A-Z])", "_", "camelCaseString").lower(), re.sub(r"\s+", " ", " a \t b\nc ").strip())
print([m.start() for m in re.finditer("(?=aba)", "ababa")], re.fullmatch(r"[\w.+-]+@[\w-]+\.[\w.]+", "a.b+c@d-e.co.uk") is not None)
print(re.findall(r"(?i)straße|ſ|k", "STRASSE Straße S K \u212a"), re.sub(r"(?i)É", "e", "éÉe"), re.findall(r"\d+", "12 ٣٤"), re.findall(r"(?a)\d+", "12 ٣٤"))
print(re.search(r"(?>a+)ab", "aaab"), re.search(r"a++b", "aaab").group(), re.search(r"(a)?b(?(1)c|d)", "bd").group())
