def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
words=['','a','A','aB','ß','ŉ','ǆ','ǅ','ﬁ','İ','ı','Σ','ὈΔΥΣΣΕΎΣ','ς','ΑΣ','ΑΣ.','.Σ','ª','１','²','½','Ⅷ','๓','\u0345','\u1c80','ꭰ','Ꭰ','\U00010400','\U0001f600','a\u0301','한글','ʰ','\xa0','\u2003','\u200b','\x1f','\x85','_','a1','1a','日本','İstanbul',"they're bill's",'ǆenan','hello wORLD 2nd','\ud7ff','\ufffd','ﷺ','ẞ','ᾳ','ᾼ','ᾘ','ⓐ','Ⓐ','ǰ','ΐ']
ms='lower upper title capitalize swapcase casefold isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper split strip'.split()
for w in words:
    for m in ms: print(ascii(w),m,ascii(getattr(w,m)()))
    print(ascii(w),repr(w),len(w),w.encode(),[hex(ord(c)) for c in w],hash(w)==hash(''.join(list(w))),w[::-1]==''.join(reversed(w)))
print(sorted(words)); print(sorted(words,key=str.casefold)==sorted(words,key=lambda s:s.casefold()))
