def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
import re
def show(m): return None if m is None else (m.group(),m.span(),m.groups(),m.groupdict(),m.lastindex,m.lastgroup)
def r(p,s,flags=0):
    for fn in ('search','match','fullmatch'):
        try: print(fn,repr(p),ascii(s),show(getattr(re,fn)(p,s,flags)))
        except re.error as e: print(fn,repr(p),'error',e,e.msg,e.pos,e.lineno,e.colno); return
        except Exception as e: print(fn,type(e).__name__,e); return
    try: print(re.findall(p,s,flags),[m.span() for m in re.finditer(p,s,flags)],re.split(p,s,flags=flags),re.sub(p,'<\\g<0>>',s,flags=flags),re.subn(p,'',s,1,flags))
    except Exception as e: print(type(e).__name__,e)
for p,s in [('','abc'),('a*','aab'),('a+?','aaa'),('a??b','ab'),('(a)|(b)','ab'),('(?P<x>a)(?P=x)','aab'),('(a)(?(1)b|c)','ab'),('(a)?(?(1)b|c)','c'),('(?P<n>a)?(?(n)b|c)','ab'),('(?:ab)+','ababx'),('a{2}','aaaa'),('a{2,}','aaaa'),('a{,2}','aaaa'),('a{1,2}?','aaaa'),('a{,}','aa'),('a{x}','a{x}'),('x*+','xxx'),('x*+x','xxx'),('x++','xx'),('x?+x','x'),('x{1,2}+x','xx'),('(?>a+)b','aab'),('(?>a|ab)c','abc'),('(?=a)','ba'),('(?!a).','ab'),('(?<=a)b','ab'),('(?<!a)b','ab bb'),('(?<=ab|cd)e','cde'),('(?<=a+)b','ab'),('^a$','a\n'),('\\Aa\\Z','a\n'),('^b','a\nb'),('.','\n'),('[abc]','xb'),('[^abc]','ab'),('[]a]',']'),('[^]a]','b]'),('[a-c-e]','-'),('[\\d-x]','-'),('[a\\]b]',']'),('[\\w.]+','a.b-c'),('[a-]','-'),('[--a]','.'),('\\d+','12٣'),('\\w+','é_1 x'),('\\s+','a \t\u2003b'),('\\b','a b'),('\\B','ab c'),('\\bfoo\\b','a foo'),('\\D\\W\\S','a! b'),('(a(b(c)))','abc'),('(a)*','aaa'),('(a|b)*c','abac'),('(?i:a)B','AB'),('(?i)ab','AB'),('(?s).','\n'),('(?m)^b','a\nb'),('(?x) a b # c\n c','abc'),('(?a)\\w','é'),('(?-i:a)','A'),('(?i:a(?-i:b))','Ab'),('(?#comment)a','a'),('\\x41\\u0042\\U00000043','ABC'),('\\101\\0','A\0'),('\\n\\t\\r\\f\\v\\a\\\\','\n\t\r\f\v\a\\'),('\\.\\*\\+','.*+'),('(.)\\1','aab'),('(.)(.)\\2\\1','abba'),('\\N{DIGIT ONE}','1'),('a|','ba'),('|a','a'),('(|a)+','aaa'),('(?:a|b|)c','c'),('(a?)*?$','aa'),('((a)|b)*','ab'),('(?P<a>.)(?P<b>.)','xy'),('x(?=(y))','xy'),('(?<=(x))y','xy'),('(?!(a))b','b'),('\\b\\w{3}\\b','the cat sat on'),('(\\w+) (\\w+)','hello world foo bar'),('[\\u0041-\\u0043]+','ABCD'),('é','É'),('[à-ý]','É'),('\\Z','ab'),('$','ab\n'),('(?:)','ab'),('a.c','a\nc'),('^','a\nb'),('(?:x|(y))z','xz'),('(a)(b)?','a'),('[[]','['),('[a&&b]','&'),('[\\b]','\b'),('{','{'),('a{1','a{1'),('}',']}'),('a{1,2}{2}','aaaa')]:
    r(p,s)
for f in (re.I,re.M,re.S,re.X,re.A,re.I|re.M,re.U):
    for p,s in [('a.B','A\nb'),('^b c','a\nb c'),('É','é'),('ß','ẞ'),('[k]','\u212a'),('ſ','S'),('σ','ς'),('\\w','é'),('i','İ'),('[^a]','A'),('(?i)ǆ','ǅ'),('# x\na','a')]: r(p,s,f)
for p in ['(',')','[','*','+','?','a**','a+*','(?','(?P','(?P<','(?P<a','(?P<a>','(?P<1>a)','(?P<a>x)(?P<a>y)','(?P=a)','(?P=a','(?P!','(?z)','(?<','(?<a','\\','a\\','\\1','(a)\\2','[a','[z-a]','[\\d-\\w]','[a-\\d]','a{2,1}','a{99999999999}','(?i','(?i-','(?-','(?i-i:a)','(?a-i:x)','(?au)x','(?L)x','x(?i)','(?(1)a|b)','(?(a)x)','(a)(?(1)a|b|c)','(?(0)a)','(?(','(?(1','(?#','\\x','\\x1','\\u12','\\U1','\\U00110000','\\N','\\N{','\\N{nope}','\\q','\\8','\\400','[\\q]','(?<=a*)b','(?<!a+)','(?<=(a)\\1)b','(?P<é>a)','(?P<a b>x)','(?>a','(?:','(?=','a|*','(*a)','^*','(?i)(?P<x>','\\g<1>','(?P>x)','(?&x)','(?R)','$*','\\b*','x{0,0}','(?:a*)*','((a))))','[]','[^]','a{1}{','?:','(?P<a>)(?P<b>)(?P<a>)','(?iu)a','(?ia)é','(?ii)a','(?mi-sx:a)','(?-:a)','(?s-:a)']:
    t(lambda:show(re.search(p,'a')))
    try: re.compile(p)
    except re.error as e: print(repr(p),e.msg,e.pos,e.pattern==p,e.lineno,e.colno)
    except Exception as e: print(repr(p),type(e),e)
