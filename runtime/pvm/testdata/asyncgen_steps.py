# The steps of asynchronous generators driven by hand: which may begin while another has not ended, and what ends them.
class Wait:
    def __init__(self, v):
        self.v = v

    def __await__(self):
        return (yield self.v)


async def numbers():
    try:
        yield 1
        await Wait("between")
        yield 2
    except ValueError:
        yield "caught"
        await Wait("after")
    finally:
        await Wait("closing")


kept = []


def drive(step, turns):
    out = []
    try:
        for _ in range(turns):
            out.append(step.send(None))
    except BaseException as e:
        out.append((type(e).__name__, e.args))
    return out


for plan in "nnnn nc ntt c t tn cn nnc ntc nct ncc nnnnc nnnnt nntnn nnxn sn".split():
    for turns in (1, 2, 3):
        g = numbers()
        make = {"n": g.__anext__, "c": g.aclose, "t": lambda: g.athrow(ValueError), "x": lambda: g.athrow(KeyError("k")), "s": lambda: g.asend(5)}
        kept.append(g)
        print(plan, turns, [(p, drive(kept.append(s := make[p]()) or s, turns), g.ag_running) for p in plan])


def attempt(f, *args):
    try:
        print(f(*args))
    except BaseException as e:
        print(type(e).__name__, e)


g = numbers()
step = g.asend(None)
kept += [g, step]
attempt(step.send, None)
for other in (g.asend(None), g.athrow(ValueError), g.aclose()):
    kept.append(other)
    attempt(step.throw, KeyError("into")) if other is None else attempt(other.close)
    attempt(other.send, None)
close = numbers().aclose()
kept.append(close)
attempt(close.send, 5)
attempt(close.send, None)
attempt(close.send, None)
print(exit, quit, exit.name)
attempt(exit, 3)
attempt(quit)
attempt(quit, "text")
