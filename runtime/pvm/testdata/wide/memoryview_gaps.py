import struct, json, re, hashlib
class S(str): pass
b = bytearray(b'abcabc')
gap = memoryview(b'a1b2c3')[::2]
rel = memoryview(b'abc'); rel.release()
dim = memoryview(b'abc').cast('B', (3, 1))
ro = memoryview(b'abc')
fs = dict(
 join=lambda m: b''.join([m, b'x']), join2=lambda m: bytearray(b'-').join([b'q', m]), concat=lambda m: b'x' + m, concat2=lambda m: bytearray(b'x') + m,
 find=lambda m: b'xabc'.find(m), index=lambda m: b'xabc'.index(m), count=lambda m: b.count(m), contains=lambda m: m in b'xabc', replace=lambda m: b'xabc'.replace(m, b'1'), replace2=lambda m: b'xabc'.replace(b'x', m),
 split=lambda m: b'xabcy'.split(m), rsplit=lambda m: b'xabcy'.rsplit(m), partition=lambda m: b'xabcy'.partition(m), rpartition=lambda m: b'xabcy'.rpartition(m), strip=lambda m: b'xabc'.strip(m), startswith=lambda m: b'abcd'.startswith(m), endswith=lambda m: b'abc'.endswith((m,)),
 rfind=lambda m: b'abc'.rfind(m), prefix=lambda m: b'abcx'.removeprefix(m), suffix=lambda m: b'xabc'.removesuffix(m), translate=lambda m: b'abc'.translate(None, m), maketrans=lambda m: bytes.maketrans(m, b'xyz')[97:100],
 bytes=lambda m: bytes(m), bytearray=lambda m: bytearray(m), str=lambda m: str(m, 'utf8'), int=lambda m: int(m, 16), float=lambda m: float(m), fromhex=lambda m: bytes.fromhex(m), iadd=lambda m: b.__iadd__(m), extend=lambda m: (lambda q: (q.extend(m), q))(bytearray()),
 setslice=lambda m: (lambda q: (q.__setitem__(slice(0, 1), m), q))(bytearray(b'zz')), setext=lambda m: (lambda q: (q.__setitem__(slice(0, 6, 2), m), q))(bytearray(b'zzzzzz')), mvset=lambda m: (lambda q: (memoryview(q).__setitem__(slice(0, 3), m), q))(bytearray(b'zzzz')),
 unpack=lambda m: struct.unpack('3s', m), unpack_from=lambda m: struct.unpack_from('2s', m, 1), iter_unpack=lambda m: list(struct.iter_unpack('b', m)), pack=lambda m: struct.pack('3s', m), pack_into=lambda m: struct.pack_into('b', m, 0, 1), 
 json=lambda m: json.loads(m), re=lambda m: re.match(b'abc', m), re2=lambda m: re.sub(b'b', b'-', m),  sha=lambda m: hashlib.sha256(m).hexdigest()[:8], upd=lambda m: hashlib.md5().update(m), mod=lambda m: b'%b|%s' % (m, m), mod2=lambda m: b'%a' % m if 0 else b'%d' % m, cmp=lambda m: b'abc' == m, cmp2=lambda m: m == b'abc', lt=lambda m: b'abc' < m, frombytes=lambda m: int.from_bytes(m, 'big'), ctor=lambda m: memoryview(m).tobytes(), eqq=lambda m: bytearray(b'abc') == m, center=lambda m: b'a'.center(5, m), ord=lambda m: ord(m), dec=lambda m: bytes.decode(m), fmt=lambda m: format(m)[:8], cplx=lambda m: complex(m), unicode=lambda m: ''.join(m), dct=lambda m: {m: 1}, tup=lambda m: tuple(m), sum=lambda m: sum(m), sorted=lambda m: sorted(m), max=lambda m: max(m), isin=lambda m: 98 in m, rng=lambda m: range(m), idx=lambda m: [1,2][m], call=lambda m: m(), attr=lambda m: m.x, setattr=lambda m: setattr(m, 'x', 1), add=lambda m: m + m, mul=lambda m: m * 2, count2=lambda m: m.count(1), b64=lambda m: m.hex(':', 2))
for n, f in fs.items():
    for k, m in ('gap', gap), ('rel', rel), ('dim', dim), ('ro', ro):
        try: r = f(m)
        except Exception as e: print(n, k, type(e).__name__, e)
        else: print(n, k, str(r)[:60] if n != "fmt" else len(r))
