# Random patterns on random subjects.
import re

SEED, ROUNDS = 5, 300


class Stream:
    def __init__(self, seed):
        self.state = seed * 2862933555777941757 + 3037000493

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (self.state >> 20) % n

    def pick(self, items):
        return items[self.below(len(items))]


ATOMS = ["a", "b", "c", "ab", ".", r"\d", r"\w", r"\s", r"\b", r"\B", "^", "$", "[ab]", "[^a]", "[a-c]", r"[\d_]", "é", "(?:)", r"\Z", r"\A", "1", " ", "-", r"\n", "A"]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}?", "{2,}", "*+", "++", "?+", "{1,2}+"]


def pattern(rng, depth, groups):
    out = ""
    for _ in range(1 + rng.below(4)):
        kind = rng.below(14)
        if depth and kind == 0:
            groups[0] += 1
            piece = "(" + pattern(rng, depth - 1, groups) + ")"
        elif depth and kind == 1:
            piece = "(?:" + pattern(rng, depth - 1, groups) + ")"
        elif depth and kind == 2:
            piece = rng.pick(["(?=", "(?!", "(?>"]) + pattern(rng, depth - 1, groups) + ")"
        elif depth and kind == 3:
            piece = rng.pick(["(?<=", "(?<!"]) + rng.pick(["a", "b", "ab", r"\d", ".", "[ab]", "a|b", "^a"]) + ")"
        elif depth and kind == 4:
            piece = "(?:" + pattern(rng, depth - 1, groups) + "|" + pattern(rng, depth - 1, groups) + ")"
        elif groups[0] and kind == 5:
            piece = "\\" + str(1 + rng.below(groups[0]))
        elif groups[0] and depth and kind == 6:
            piece = "(?(" + str(1 + rng.below(groups[0])) + ")" + rng.pick(["a", "b", r"\d"]) + rng.pick(["", "|c", "|"]) + ")"
        elif depth and kind == 7:
            piece = rng.pick(["(?i:", "(?s:", "(?m:", "(?-i:", "(?x:"]) + pattern(rng, depth - 1, groups) + ")"
        else:
            piece = rng.pick(ATOMS)
        if rng.below(3) == 0:
            piece += rng.pick(REPEATS)
        out += piece
    return out


def subject(rng):
    return "".join([rng.pick("aaabbbccc01 _-\nAé") for _ in range(rng.below(14))])


def show(m):
    return None if m is None else (m.span(), m.groups(), m.regs, m.lastindex)


rng = Stream(SEED)
for _ in range(ROUNDS):
    text = pattern(rng, 3, [0])
    flags = rng.pick([0, 0, re.I, re.M, re.S, re.A, re.I | re.M])
    try:
        p = re.compile(text, flags)
    except re.error as e:
        print(repr(text), int(flags), "error", e)
        continue
    for _ in range(3):
        s = subject(rng)
        print(repr(text), int(flags), repr(s), show(p.search(s)), show(p.match(s, rng.below(3))), show(p.fullmatch(s)), p.findall(s), repr(p.sub("<\\g<0>>", s)), p.split(s))
