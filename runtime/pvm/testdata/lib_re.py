# re.
import re
print(re.match(r"a+", "aab"), re.match(r"b", "aab"), re.search(r"b", "aab").span(), re.fullmatch(r"\w+", "abc").group(), re.fullmatch(r"\d", "12"))
m = re.match(r"(?P<y>\d{4})-(?P<m>\d\d)(-(?P<d>\d\d))?", "2024-05 rest")
print(m.group(), m.group(1, 2), m.groups(), m.groups("x"), m.groupdict(), m["y"], m[2], m.start("m"), m.end(), m.span(2), m.span(3), m.lastindex, m.lastgroup, m.string, m.pos, m.endpos, m.re.pattern, m.expand(r"\2/\g<y>"), bool(m))
print(re.findall(r"\d+", "a1b22c333"), re.findall(r"(\w)(\d)", "a1b2"), re.findall(r"(a)|b", "ab"), re.findall("", "ab"), [x.span() for x in re.finditer(r"a*", "baac")])
print(re.sub(r"\d", "#", "a1b2"), re.sub(r"(\w)(\d)", r"\2\1", "a1b2"), re.sub(r"\d", lambda m: str(int(m[0]) * 2), "a1b2", count=1), re.subn("a", "b", "aaa"), re.sub("x*", "-", "abxd"), re.sub(r"(?P<n>a)", r"<\g<n>\g<0>>", "aba"), re.sub("a", r"\\n\n", "a"))
print(re.split(r"[,;]\s*", "a, b;c,d"), re.split(r"(,)", "a,b,c"), re.split(r",", "a,b,c", maxsplit=1), re.split(r"x*", "axbc"), re.split(r"\b", "hi there"), re.split("(a)|b", "1a2b3"))
for p, s in ((r"^\s*(\w+)\s*=\s*(.*?)\s*$", "  key = some value  "), (r"(a|ab)(c|bcd)(d*)", "abcd"), (r"(?:x|y)+?z", "xyxyz"), (r"a{2,3}", "aaaa"), (r"a{2,3}?", "aaaa"), (r"a{,2}b", "aab"), (r"[^a-c\d]+", "xyz1"), (r"[\]\-a]+", "-]a"), (r"(?i)HeLLo", "hello"), (r"(?s).+", "a\nb"), (r"(?m)^b$", "a\nb\nc"), (r"(?x) a  b # comment", "ab"),
             (r"(\w+) \1", "the the"), (r"(?P<q>['\"]).*?(?P=q)", "say 'hi' \"x\""), (r"foo(?=bar)", "foobar"), (r"foo(?!bar)", "foobaz"), (r"(?<=\$)\d+", "cost $42"), (r"(?<!\$)\b\d+", "cost $42 43"), (r"(a)?(?(1)b|c)", "ab"), (r"(a)?(?(1)b|c)", "c"), (r"\Aabc\Z", "abc"), (r"\bfoo\b", "a foo b"), (r"\Boo", "foo"), (r"(?i:A)b", "ab"), (r"(?>a+)b", "aaab"), (r"a++b", "aaab"), (r"a*+a", "aaa"),
             (r"[\w.+-]+@[\w-]+\.[\w.]+", "mail bob@x.co.uk now"), (r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", "v=-1.5e10"), (r"[à-ü]+", "naïve é"), (r"\w+", "日本語 abc"), (r"(?a)\w+", "é1"), (r"\x41\u0042\103", "ABC"), (r"[\t\n]", "a\tb"), (r".", "\n"), (r"$", "ab\n"), (r"(((a)))", "a"), (r"(a*)*", "aa"), (r"(a*)+b", "aab"), (r"(?:a|b)*c", "ababc"), ("", "")):
    m = re.search(p, s)
    print(repr(p), m and (m.group(), m.span(), m.groups()))
for p in ("(", ")", "[", "a**", "*", "(?P<1>a)", "(?P<a>x)(?P<a>y)", r"\1", "(?P=x)", "[z-a]", "a{3,2}", "(?<=a+)b", "(?z)", "\\", r"\g", "(?P<a", "(?(2)a)", "(?i", r"\u12", r"[\d-z]", "(?:a", "a|*"):
    try:
        print(repr(p), re.compile(p).groups)
    except re.error as e:
        print(repr(p), e, "|", e.msg, e.pos)
r = re.compile(r"(\d+)([a-z])?", re.I)
print(r.pattern, r.flags, r.groups, r.groupindex, r.match("12A").groups(), r.match("x12", 1).span(), r.search("a1b2", 2).span(), r.findall("1a2", 1), r.fullmatch("1a", 0, 1), r == re.compile(r"(\d+)([a-z])?", re.I), re.compile(r))
print(re.escape("a.b*c[d] é-_"), re.escape(b"a.b"), re.match(rb"\w+", b"abc def").group(), re.findall(rb"\d", b"a1b2"), re.sub(b"a", b"b", b"aa"), re.I | re.M, re.IGNORECASE == re.I, re.compile("a", re.S | re.X).flags)
for f in (lambda: re.match("a", b"a"), lambda: re.match(b"a", "a"), lambda: re.match("a", 5), lambda: re.compile(5), lambda: re.match("(a)", "a").group(2), lambda: re.match("a", "a").group("x"), lambda: re.sub("a", r"\2", "a"), lambda: re.sub("(a)", r"\g<nope>", "a"), lambda: re.sub("a", 5, "a")):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
tok = re.compile(r"\s*(?:(?P<num>\d+\.?\d*)|(?P<id>[A-Za-z_]\w*)|(?P<op>[-+*/()=]))")
def tokenize(s):
    pos = 0
    while pos < len(s):
        m = tok.match(s, pos)
        if not m: raise SyntaxError(f"bad at {pos}")
        yield m.lastgroup, m[m.lastgroup]
        pos = m.end()
print(list(tokenize("x1 = 3.5*(y + 42)")))
print([m.group(1) for m in re.finditer(r"<(\w+)>", "<a><b/><cd>")], re.sub(r"(?<=[a-z])([A-Z])", r"_\1", "camelCaseName").lower(), re.sub(r"_(\w)", lambda m: m[1].upper(), "snake_case_name"), " ".join(re.findall("[A-Z][^A-Z]*", "SplitCamelCase")), re.sub(r"\s+", " ", " a  b\t\nc ").strip())
print(re.match(r"(?P<a>.)(?P<b>.)", "xy").groupdict(), [g for g in re.match(r"(.)(.)?", "x").groups("-")], re.search(r"(?<year>x)", "x") if False else "", re.match("(?:(a)|(b))+", "ab").groups(), re.match("(a|(b))+", "ba").groups(), re.search("(?=(\\d{3}))", "12345").group(1), re.findall("(?=(\\d{3}))", "12345"))
sc = re.compile("[aeiou]")
print(sc.sub("", "education"), sc.split("education"), sc.search("xyz"), len(sc.findall("onomatopoeia")), re.fullmatch(r"(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}", "192.168.1.255") is not None, re.match("a.c", "a\nc", re.DOTALL).span(), re.match("é", "É", re.I).group(), re.search("ß", "STRASSE", re.I), re.match("[a-z]+", "ÀB", re.I))
