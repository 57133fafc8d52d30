# Text beyond ASCII.
s = "naïve café ☕ 😀 ß ﬁ Ǆ"
print(s, len(s), s[2], s[-5:], s[::-1], s.upper(), s.lower(), s.title(), s.swapcase(), s.casefold(), s.capitalize())
print(repr(s), ascii(s), s.encode(), s.encode("utf-8").decode("utf-8") == s, len(s.encode()))
print([hex(ord(c)) for c in "a\u00e9\u0301\u20ac\U0001f600"], "\N{SNOWMAN}", "\x41\u0042\U00000043\103")
print("é" == "e\u0301", len("e\u0301"), "é" < "z", sorted(["é", "e", "z", "a", "Z", "ä", "😀", "\uffff"]))
for c in "aA1 ²½Ⅷ٣一ªǅ_é\u0301\u200b\xa0\u3000\t¼五Ω":
    print(hex(ord(c)), c.isalpha(), c.isdecimal(), c.isdigit(), c.isnumeric(), c.isalnum(), c.isspace(), c.isupper(), c.islower(), c.istitle(), c.isprintable(), c.isidentifier())
print("ΑΣ".lower(), "ΑΣΑ".lower(), "ΌΣΟΣ".lower(), "ß".upper(), "ŉ".upper(), "İ".lower(), len("İ".lower()), "ﬃ".title(), "ǆ".title(), "ǆ".capitalize())
print("STRASSE".casefold() == "straße".casefold(), "ǅ".swapcase(), "Ⅳ".lower(), "ⅳ".upper(), "\u1e9e".lower(), "µ".upper(), "ſ".upper())
print("日本語".find("本"), "日本語".split("本"), "日本語".replace("本", "x"), "日" * 3, "日本" + "語", "日本語"[1:], "語" in "日本語", "日本語".center(9, "·"))
print("a\u2003b\u00a0c".split(), "\u2003x\u3000".strip(), "x".strip("\u2003"), "１２３".isdigit(), int("１２３"), float("１.５"), "٣".isdecimal(), int("٣"))
print("é".encode("latin-1") if False else "é".encode("ascii", "replace") if False else "-", "abc".isascii(), "é".isascii())
print(repr("\u200b\xad\ue000\U000e0001\ud800"), repr("\xa0\u2028\u3000é"), ascii("é\U0001f600\x7f"), repr("'é\"'"))
print("%s %5s %-5s| %c %r %a" % ("é", "é", "é", 0x20ac, "é", "é"), "{:>4}|{:^5}|{:é<4}".format("é", "😀", "x"))
print("\ud83d\ude00" == "\U0001f600", len("\ud83d\ude00"), "a\ud800b"[1] == "\ud800", "\ud800" < "\ue000" < "\U00010000")
for f in (lambda: "\ud800".encode(), lambda: b"\xff".decode(), lambda: b"\xe2\x82".decode(), lambda: b"a\x80b".decode("utf-8"), lambda: b"\xed\xa0\x80".decode(), lambda: b"\xc0\x80".decode(), lambda: b"\xf4\x90\x80\x80".decode()):
    try:
        print(f())
    except UnicodeError as e:
        print(type(e).__name__, e, e.start, e.end, e.reason)
変数 = 1
ﬁeld = 2
print(変数, field, "ﬁ".isidentifier(), "x²".isidentifier(), "é1".isidentifier(), {"é": 1}["é"])
print(hash("é") == hash("é"), "é" in {"é"}, sorted("zébra"), max("aé日😀"), min("aé日😀"), "".join(sorted(set("aéa"))))
print("ab\u0345".upper(), "ὈΔΥΣΣΕΎΣ".lower(), "ᾳ".upper(), "ᾳ".title(), "ŉa".capitalize(), "Dž dž DŽ".title(), "they're bill's".title())
print("x".translate({120: "é日😀"}), "日本".translate({0x65e5: 0x1f600, 0x672c: None}), "é".translate(str.maketrans("é", "e")))
print("é日😀".encode().hex(), bytes.fromhex("c3a9").decode(), "😀".encode("utf-8"), str(b"\xe2\x82\xac", "utf8"), bytes("é", "utf-8"))
