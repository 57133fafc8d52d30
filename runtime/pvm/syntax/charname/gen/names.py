#!/usr/bin/env python3.11
"""Record the character names that CPython 3.11 (Unicode 14.0) knows into ../names.bin.

Aliases cannot be listed through unicodedata, so the candidates come from Perl's
copy of the same database; only those that unicodedata.lookup confirms are kept.

Layout of names.bin, little endian:
  u32 words, u32 names, u32 length of the word texts, u32 length of the codes
  words + 1 times u32: where each word begins in the word texts; words are sorted
  the word texts
  names + 1 times u32: where each name's code begins; names are sorted by code
  names times u32: the code point of each name
  the codes: per name the numbers of its words, as minimal big-endian base-128
"""
import re
import struct
import sys
import unicodedata

assert sys.version_info[:2] == (3, 11) and unicodedata.unidata_version == "14.0.0"

ALGORITHMIC = ("CJK UNIFIED IDEOGRAPH-", "HANGUL SYLLABLE ")
names = {}
for cp in range(0x110000):
    name = unicodedata.name(chr(cp), None)
    if name and not name.startswith(ALGORITHMIC):
        names[name] = cp
text = open("/usr/share/perl/5.36/unicore/Name.pl", encoding="ascii").read()
for cp, name in re.findall(r"^([0-9A-F]{4,6})\n([A-Z0-9 -]+)$", text, re.M):
    if name in names or name.startswith(ALGORITHMIC):
        continue
    try:
        if unicodedata.lookup(name) == chr(int(cp, 16)):
            names[name] = int(cp, 16)
    except KeyError:
        pass

words = sorted({w for n in names for w in n.split(" ")})
index = {w: i for i, w in enumerate(words)}


def code(name):
    out = b""
    for w in name.split(" "):
        i = index[w]
        out += bytes([0x80 | i >> 7, i & 0x7F]) if i < 1 << 14 else bytes([0x80 | i >> 14, 0x80 | i >> 7 & 0x7F, i & 0x7F])
    return out


entries = sorted((code(n), cp) for n, cp in names.items())
texts = "".join(words).encode()
codes = b"".join(c for c, _ in entries)


def starts(parts):
    at, out = 0, []
    for p in parts:
        out.append(at)
        at += len(p)
    return out + [at]


with open("../names.bin", "wb") as f:
    f.write(struct.pack("<4I", len(words), len(entries), len(texts), len(codes)))
    f.write(struct.pack(f"<{len(words) + 1}I", *starts(words)))
    f.write(texts)
    f.write(struct.pack(f"<{len(entries) + 1}I", *starts(c for c, _ in entries)))
    f.write(struct.pack(f"<{len(entries)}I", *(cp for _, cp in entries)))
    f.write(codes)
print(len(words), "words,", len(names), "names")
