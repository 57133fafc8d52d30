# Methods of str on ASCII text.
s = "Hello, World"
print(s.upper(), s.lower(), s.swapcase(), s.title(), s.capitalize(), s.casefold(), "ab c-d e'f".title())
print(s.find("o"), s.find("o", 5), s.find("x"), s.rfind("o"), s.index("W"), s.rindex("l"), s.count("l"), s.count(""), s.find(""), s.rfind(""))
print(s.find("o", 4, 5), s.find("o", -5), s.count("l", 3, -1), "aaaa".count("aa"), s.find("", 20), s.find("", 12))
print(s.startswith("Hell"), s.startswith(("x", "He")), s.endswith("ld"), s.endswith("ld", 0, 5), s.startswith("World", 7), s.startswith(""))
print(s.replace("l", "L"), s.replace("l", "L", 2), s.replace("", "-"), s.replace("", "-", 3), s.replace("xyz", ""), "aaa".replace("aa", "b"))
print("a,b,,c".split(","), "a,b,,c".split(",", 1), " a  b ".split(), " a  b c ".split(None, 1), "".split(), "".split(","), "abc".split("abc"))
print("a,b,,c".rsplit(",", 1), " a b c ".rsplit(None, 1), "a b\nc\td".split(), "a--b--c".rsplit("--"), "aXbXc".split("X", 0))
print("a\nb\r\nc\rd\n".splitlines(), "a\nb\n".splitlines(True), "".splitlines(), "a\vb\fc\x1cd\x1de\x1ef\x85g\u2028h".splitlines())
print("key=value=x".partition("="), "none".partition("="), "key=value=x".rpartition("="), "none".rpartition("="))
print("-".join(["a", "b", "c"]), "".join([]), ", ".join(str(i) for i in range(4)), "x".join("abc"))
print("  a b ".strip() + "|", "  a ".lstrip() + "|", "  a ".rstrip() + "|", "xxaxx".strip("x"), "abcba".strip("ab"), "abc".strip(""), "\t\n a\r\f".strip())
print("abc".center(9), "|", "abc".center(10, "*"), "abc".ljust(6, ".") + "|", "abc".rjust(6, "."), "abc".center(2), "42".zfill(5), "-42".zfill(5), "+7".zfill(4), "--1".zfill(6))
print("prefix-body".removeprefix("prefix-"), "body.suffix".removesuffix(".suffix"), "abc".removeprefix("x"), "abc".removesuffix(""))
print("a\tbc\td".expandtabs(), "a\tbc\td".expandtabs(4), "\t".expandtabs(0) + "|", "ab\n\tc".expandtabs(4))
for t in ("abc", "ABC", "Abc", "abc1", "123", "", " ", "a b", "A1", "_x", "1x", "\n", "if", "Title Case", "UPPER_1"):
    print(repr(t), t.isalpha(), t.isdigit(), t.isalnum(), t.isspace(), t.islower(), t.isupper(), t.istitle(), t.isidentifier(), t.isprintable(), t.isdecimal(), t.isnumeric(), t.isascii())
print("abc".translate({97: "X", 98: None, 99: 100}), "abc".translate(str.maketrans("ab", "xy")), "abc".translate(str.maketrans("a", "b", "c")), str.maketrans({"a": 1, 98: "z"}))
print("%s|%r|%d|%5.2f|%x|%%|%c|%-5s|%05d" % ("s", "r", 42, 3.14159, 255, "c", "ab", 42))
print(s[0], s[-1], s[2:5], s[::-1], s[::2], s[-3:], s[:100], s[5:2], s[10:0:-3], len(s), "lo" in s, "" in s, "x" not in s)
print("ab" * 3, 3 * "ab", "ab" * 0, "ab" * -1, "a" + "b" "c", "a" < "b", "a" < "B", "abc" < "abd", "ab" < "abc", "" < "a", "Z" < "a")
print(min("hello"), max("hello"), sorted("hello"), list("abc"), tuple("ab"), "abc".index("c"), [c for c in "xyz"], "".join(reversed("abc")))
for f in (lambda: "abc"[5], lambda: "abc".index("x"), lambda: "a" + 1, lambda: "a".join([1]), lambda: "a,b".split(""), lambda: "abc"["a"], lambda: "a" * "b",
          lambda: "abc".center(5, "xx"), lambda: "ab".find(1), lambda: "a".foo, lambda: "abc".replace("a"), lambda: "a" < 1, lambda: ord("ab"), lambda: chr(-1), lambda: chr(0x110000)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(str(), str(1), str(1.5), str(None), str([1, "a"]), str(b"x"), str(b"abc", "utf-8"), repr("it's"), repr('say "hi"'), repr("both ' and \""), repr("\n\t\\\x00\x7f"))
print(ord("a"), chr(97), ord("\u20ac"), chr(8364), hash("") == 0, "abc".__contains__("b"), "abc".__getitem__(1), "a".__eq__("a"), "a".__eq__(1), "a".__add__("b"))
x = "a"
x += "b"; x *= 3
print(x, "abc"[1:] + "abc"[:1], ("a" "b" 'c'), "line1\
line2", """multi
line""")
