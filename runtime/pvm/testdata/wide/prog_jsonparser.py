import json
class ParseError(Exception):
    def __init__(self, msg, pos): super().__init__(f'{msg} at {pos}'); self.pos = pos
def parse(s):
    i = 0
    def ws():
        nonlocal i
        while i < len(s) and s[i] in ' \t\r\n': i += 1
    def expect(c):
        nonlocal i
        if s[i:i + 1] != c: raise ParseError(f'expected {c!r}', i)
        i += 1
    def value():
        nonlocal i
        ws()
        if i >= len(s): raise ParseError('unexpected end', i)
        match s[i]:
            case '{':
                i += 1; d = {}; ws()
                if s[i:i + 1] == '}': i += 1; return d
                while True:
                    ws(); k = string(); ws(); expect(':'); d[k] = value(); ws()
                    if s[i:i + 1] == ',': i += 1; continue
                    expect('}'); return d
            case '[':
                i += 1; l = []; ws()
                if s[i:i + 1] == ']': i += 1; return l
                while True:
                    l.append(value()); ws()
                    if s[i:i + 1] == ',': i += 1; continue
                    expect(']'); return l
            case '"': return string()
            case c if c == '-' or c.isdigit(): return number()
        for w, v in (('true', True), ('false', False), ('null', None)):
            if s.startswith(w, i): i += len(w); return v
        raise ParseError(f'unexpected {s[i]!r}', i)
    def number():
        nonlocal i
        j = i; i += s[i] == '-'
        while i < len(s) and (s[i].isdigit() or s[i] in '.eE+-'): i += 1
        t = s[j:i]
        try: return int(t) if t.lstrip('-').isdigit() else float(t)
        except ValueError: raise ParseError(f'bad number {t!r}', j) from None
    def string():
        nonlocal i
        expect('"'); out = []
        while True:
            if i >= len(s): raise ParseError('unterminated string', i)
            c = s[i]; i += 1
            if c == '"': return ''.join(out)
            if c == '\\':
                e = s[i]; i += 1
                if e == 'u':
                    cp = int(s[i:i + 4], 16); i += 4
                    if 0xd800 <= cp < 0xdc00 and s[i:i + 2] == '\\u': cp = 0x10000 + ((cp - 0xd800) << 10) + int(s[i + 2:i + 6], 16) - 0xdc00; i += 6
                    out.append(chr(cp))
                else: out.append({'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}.get(e, e))
            else: out.append(c)
    v = value(); ws()
    if i != len(s): raise ParseError('extra data', i)
    return v
for s in ['{"a":[1,2.5,-3e2,true,null],"b":{"c":"x\\n\\u00e9\\ud83d\\ude00\\""}}', '[]', ' { } ', '"\\/"', '[1,]', '{"a"}', '[1 2]', '"abc', 'nul', '01', '--1', '{"a":1}x', '', '[[[[1]]]]', '-0', '1E5']:
    try: v = parse(s); print(v, end=' ')
    except Exception as e: v = e; print(type(e).__name__, e, end=' ')
    try: w = json.loads(s); print(w == v)
    except ValueError as e: print('|', e)
