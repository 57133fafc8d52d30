def t(f, *a, **k):
    try:
        r = f(*a, **k)
        print(type(r).__name__, repr(r))
    except Exception as e:
        print(type(e).__name__, '|', e)
for name in [n for n in dir(str) if not n.startswith('_')]:
    m = getattr('aBc d', name)
    t(m)
    t(m, None)
    t(m, 1)
    t(m, 'x', 'y', 'z', 'w')
    t(m, 'c')
    t(m, b'c')
    t(m, 'c', 'e')
    t(m, 7, 'e')
    t(m, ['a', 'b'])
    t(m, ['a', 1])
