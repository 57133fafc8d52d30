class E(Exception):
    pass
def f(i):
    if i % 3 == 0:
        raise E(i)
    if i % 3 == 1:
        raise KeyError(i)
    return i
def run(n):
    a = b = c = 0
    for i in range(n):
        try:
            a += f(i)
        except E as e:
            b += e.args[0]
        except KeyError:
            c += 1
        finally:
            a += 1
    return a, b, c
print(run(1000000))
