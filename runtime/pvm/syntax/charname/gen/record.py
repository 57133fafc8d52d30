#!/usr/bin/env python3.11
"""Record expected answers for lookup_test.go into ../testdata/names.txt.

Each line is a code point in hexadecimal, or - for "no such name", and a name.
"""
import random
import unicodedata

random.seed(1)
out = []
for cp in range(0x110000):
    name = unicodedata.name(chr(cp), None)
    if name and random.random() < 0.01:
        out.append(f"{cp:X} {name}")
special = """NULL|LF|lf|line feed|New Line|VS1|VS256|NBSP|BOM|LATIN SMALL LETTER GHA|hangul syllable ga|HANGUL SYLLABLE GAG
greek small letter alpha|SPACE|no-break space|cjk unified ideograph-4e00|CJK UNIFIED IDEOGRAPH-4e00
CJK UNIFIED IDEOGRAPH-4E00|CJK UNIFIED IDEOGRAPH-30000|CJK UNIFIED IDEOGRAPH-9FFF|CJK UNIFIED IDEOGRAPH-2A6E0
CJK UNIFIED IDEOGRAPH-04E00|CJK UNIFIED IDEOGRAPH-|CJK UNIFIED IDEOGRAPH-+E00|HANGUL SYLLABLE A
HANGUL SYLLABLE HIH|LATIN SMALL LETTER A WITH MACRON AND GRAVE|BELL|ALERT|CJK COMPATIBILITY IDEOGRAPH-F900
TANGUT IDEOGRAPH-17000|NUSHU CHARACTER-1B170|HANGUL SYLLABLE gA|LATIN  SMALL LETTER A|LATIN SMALL LETTER|A"""
for name in special.replace("\n", "|").split("|"):
    try:
        out.append("%X %s" % (ord(eval('"\\N{%s}"' % name)), name))
    except SyntaxError:
        out.append("- " + name)
with open("../testdata/names.txt", "w", encoding="ascii") as f:
    f.write("\n".join(out) + "\n")
