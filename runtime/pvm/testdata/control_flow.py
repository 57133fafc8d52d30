# Loops, break/continue/else in all nestings with try/finally/with/match.
def matrix():
    for outer in ("for", "while"):
        for act in ("none", "break", "continue", "return", "raise"):
            for place in ("try", "except", "else", "finally", "with", "match", "if"):
                yield outer, act, place
class CM:
    def __init__(s, log): s.log = log
    def __enter__(s): s.log.append("in")
    def __exit__(s, *a): s.log.append("out")
def act_now(act):
    if act == "raise": raise KeyError("k")
def run(act, place):
    log = []
    for i in range(3):
        log.append(i)
        try:
            if place == "try" and i == 1:
                if act == "break": break
                if act == "continue": continue
                if act == "return": return log, "early"
                act_now(act)
            if place == "except" and i == 1: raise ValueError
            if place == "with" and i == 1:
                with CM(log):
                    if act == "break": break
                    if act == "continue": continue
                    if act == "return": return log, "early"
                    act_now(act)
            if place == "match" and i == 1:
                match act:
                    case "break": break
                    case "continue": continue
                    case "return": return log, "early"
                    case a: act_now(a)
        except ValueError:
            log.append("except")
            if act == "break": break
            if act == "continue": continue
            if act == "return": return log, "early"
            act_now(act)
        else:
            log.append("else")
            if place == "else" and i == 1:
                if act == "break": break
                if act == "continue": continue
                if act == "return": return log, "early"
                act_now(act)
        finally:
            log.append("fin")
            if place == "finally" and i == 1:
                if act == "break": break
                if act == "continue": continue
                if act == "return": return log, "early"
        log.append("end")
    else:
        log.append("loop-else")
    return log, "normal"
for act in ("none", "break", "continue", "return", "raise"):
    for place in ("try", "except", "else", "finally", "with", "match"):
        try:
            print(act, place, *run(act, place))
        except KeyError as e:
            print(act, place, "KeyError", e)
def finally_wins():
    for i in range(2):
        try:
            return "try"
        finally:
            if i == 0: continue
            return "finally"
def swallow():
    while True:
        try:
            raise ValueError
        finally:
            break
    return "swallowed"
def nested():
    out = []
    for i in range(3):
        for j in range(3):
            if j == 1: continue
            if i == 2: break
            out.append((i, j))
        else:
            out.append(f"else {i}")
            continue
        out.append(f"broke {i}")
    return out
def while_else(n):
    while n > 0:
        n -= 2
        if n == 1: break
    else:
        return "exhausted", n
    return "broke", n
print(finally_wins(), swallow(), nested(), while_else(4), while_else(5))
def deep():
    for a in range(2):
        try:
            for b in range(2):
                try:
                    for c in range(2):
                        try:
                            if c == 1: break
                            yield a, b, c
                        finally: yield "c"
                    else: yield "no"
                finally: yield "b"
        finally: yield "a"
print(list(deep()))
def gen_finally(log):
    try:
        for i in range(5):
            try: yield i
            finally: log.append(i)
    finally: log.append("done")
log = []
it = gen_finally(log)
for x in it:
    if x == 2: break
it.close()
print(log)
g = gen_finally(log2 := [])
next(g); next(g); g.close()
print(log2)
def retval():
    x = 1
    try: return x
    finally: x = 2
def retlist():
    x = []
    try: return x
    finally: x.append("added")
def chain():
    try:
        try: 1 / 0
        except ZeroDivisionError: raise KeyError
        finally: print("f1", end=" ")
    except KeyError: print("f2", end=" "); return "done"
    finally: print("f3", end=" ")
print(retval(), retlist(), chain())
i = 0
while i < 10:
    i += 1
    if i % 2: continue
    if i > 6: break
    print(i, end=" ")
else: print("never")
print()
for i in range(3):
    for j in range(3):
        for k in range(3):
            if (i + j + k) % 2: continue
            if i == j == k: break
            print(i, j, k, end="; ")
print()
pass
if 0: pass
elif 0: pass
else: print("else")
for _ in []: raise RuntimeError
for x in [1]: pass
print(x, [x for x in ()] or "empty")
