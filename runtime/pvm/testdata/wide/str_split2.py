def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
S=['','a','a b','  a  b ','a,b,,c',',a,','aXXbXXc','a\tb\nc\r\nd\x0be\x0cf\x1cg\x1dh\x1ei\x85j\u2028k\u2029l\u3000m','\n','\r','\r\n','\n\r','a\n','\na','a\n\nb','  ',',',',,']
for s in S:
    for sep in (None,' ',',','X','XX','ab','\n'):
        for n in (-1,0,1,2,5): print(s.split(sep,n),s.rsplit(sep,n))
        if sep: print(s.partition(sep),s.rpartition(sep))
    print(s.splitlines(),s.splitlines(True),s.splitlines(keepends=True)); b=s.encode(); print(b.split(),b.splitlines(),b.splitlines(True),b.rsplit(None,1))
t('a'.split,''); t('a'.rsplit,''); t('a'.partition,''); t('a'.rpartition,''); t('a'.split,sep=None,maxsplit=1); t('a b c'.split,maxsplit=1); t('a'.split,1); t('a'.split,'a','b'); t('a'.split,'a',1.5); t('a'.split,' ',2**100); t('a'.splitlines,'x'); t('a'.splitlines,1,2); t('a b'.split,' ',True); t(b'a'.split,''); t(b'a'.split,b''); t(b'a'.split,97); t('a'.partition,1)
for c in (None,'','a',' a','ab','cba'):
    for s in ('','aba','  aba ','xaxa','aaa'): print(repr(s.strip(c)),repr(s.lstrip(c)),repr(s.rstrip(c)))
for a in ('','a','b','ab','aba'):
    for s in ('aba','ab','','b'): print(s.removeprefix(a),s.removesuffix(a),s.startswith(a),s.endswith(a),s.find(a),s.rfind(a),s.count(a),s.replace(a,'-'),s.replace(a,'-',1),s.startswith((a,'zz')),s.find(a,1),s.count(a,1,2),s.rfind(a,-1),a in s, s.find(a,5), s.count(a,5))
t('aba'.index,'z'); t('aba'.rindex,'z'); t('a'.replace,'a'); t('a'.replace,'a','b','c'); t('a'.replace,'a','b',count=1); t('a'.replace,1,2); t('aaa'.replace,'a','b',2**40) ; t('a'.startswith,1); t('a'.startswith,['a']); t('a'.startswith,('a',1)); t('b'.startswith,('a',1)); t('a'.startswith,()); t('a'.startswith,'a','x'); t('a'.find,'a',None,None); t('a'.find,'a',1.0); t('abc'.find,'',3); t('abc'.find,'',4); t('abc'.rfind,'',4); t('abc'.count,'',1,2)
t('a'.join,1); t('a'.join,[1]); t('a'.join,['x',b'y']); t('-'.join,'abc'); t('-'.join,{'a':1,'b':2}); t(''.join,[]); t(','.join,(str(i) for i in range(3))); t('a'.join,[None]); t('x'.join,iter(['a','b']))
for w in (0,1,3,6,-5):
    for s in ('','ab','+5','-5','é'): print(repr(s.center(w)),repr(s.center(w,'*')),repr(s.ljust(w,'.')),repr(s.rjust(w)),repr(s.zfill(w)))
t('a'.center,5,'ab'); t('a'.center,5,''); t('a'.center,'5'); t('a'.center,5,b'x'); t('a'.ljust,5,1); t('a'.zfill,'x'); t('a'.zfill); t('a'.center,5.0)
for n in (0,1,4,8,-1): print(repr('a\tbc\td\n\te\r\tf'.expandtabs(n)),b'a\tb\n\tc'.expandtabs(n))
t('a\t'.expandtabs,'x'); t('a\tb'.expandtabs,tabsize=3); t('é\tb'.expandtabs,4)
