def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
for cls in (bytes, bytearray):
    for name in [n for n in dir(cls) if not n.startswith('_')]:
        if name in ('fromhex', 'maketrans'): continue
        for args in [(), (None,), (1,), (b'c',), ('c',), (7, b'e'), ([b'a', 1],), (300,), (bytearray(b'B'),), (b'c', 1, 2)]:
            m = getattr(cls(b'aBc d'), name)
            if name == 'decode' and args and args[0] in ('c',): continue
            t(m, *args)
