"""What becomes of gateways, by the document alone (gateway-payments-streams B): python3 outcomes.py > outcomes.json

lives are lists of [operation, height, arguments, outcome, coins that come back, coins held, health, whether it is active]; shares are lists of [pot, stake,
all stakes, healthy blocks, all healthy blocks, share]. What the document leaves open is docs/choices.md's: shares of stake and of uptime weigh 5,000 basis
points each.
"""

import json
import random
from fractions import Fraction

CBY = 10**9
MIN_STAKE, HEALTH, UNSTAKE = 10_000 * CBY, 3_600, 604_800


class Registry:
    def __init__(self):
        self.g = None

    def register(self, now, endpoint, port, coins):
        """The endpoint is given by its length."""
        if not 1 <= endpoint <= 256 or not 1 <= port <= 65_535:
            return "endpoint", 0
        if self.g and self.g["leaving"] is not None:
            return "leaving", 0
        stake = (self.g["stake"] if self.g else 0) + coins
        if stake < MIN_STAKE:
            return "stake", 0
        self.g = dict(stake=stake, beat=now, leaving=None)
        return "", 0

    def heartbeat(self, now):
        if self.g is None:
            return "unknown", 0
        if self.g["leaving"] is not None:
            return "leaving", 0
        self.g["beat"] = now
        return "", 0

    def unstake(self, now):
        if self.g is None:
            return "unknown", 0
        if self.g["leaving"] is None:
            self.g["leaving"] = now
            return "", 0
        if now < self.g["leaving"] + UNSTAKE:
            return "leaving", 0
        back, self.g = self.g["stake"], None
        return "", back

    def look(self, now):
        return ("", 0) if self.active(now) else ("unauthorized", 0)

    def health(self, now):
        return max(0, HEALTH - (now - self.g["beat"])) if self.g else 0

    def active(self, now):
        return bool(self.g) and self.health(now) > 0 and self.g["stake"] >= MIN_STAKE and self.g["leaving"] is None


def life(seed):
    r, b, now, steps = random.Random(seed), Registry(), 1_000, []
    near = lambda n: max(0, n + r.choice((-1, 0, 0, 1)))

    def step(name, *args):
        outcome, back = getattr(b, name)(now, *args)
        steps.append([name, now, list(args), outcome, back, b.g["stake"] if b.g else 0, b.health(now), b.active(now)])

    for _ in range(60):
        ends = [now]
        if b.g:
            ends.append(b.g["beat"] + HEALTH)
            if b.g["leaving"] is not None:
                ends += [b.g["leaving"] + UNSTAKE] * 3
        now = max(now, r.choice((now, now + 1, now + r.randrange(2_000), near(r.choice(ends)))))
        kind = r.randrange(10)
        if kind == 9 or kind == 8 and b.health(now) < 2:
            step("look")
        elif kind < 4 or b.g is None:
            staked = b.g["stake"] if b.g else 0
            step("register", r.choice((1, 9, 255, 256) + (0, 257) * (r.randrange(3) == 0)), r.choice((1, 443, 65_535) + (0, 65_536) * (r.randrange(3) == 0)),
                 near(r.choice((0, 7, max(0, MIN_STAKE - staked), MIN_STAKE))))
        elif kind < 7:
            step("heartbeat")
        elif kind == 7 or b.g["leaving"] is not None:
            step("unstake")
        else:
            step("heartbeat")
    return steps


def share(pot, stake, stakes, up, ups):
    return int(Fraction(pot) * (5_000 * Fraction(stake, stakes) + 5_000 * Fraction(up, ups)) / 10_000)


def shares(r):
    for _ in range(200):
        n = r.choice((1, 2, 3, 7, 100))
        all_stakes = [MIN_STAKE + r.choice((0, 1, r.randrange(10**15))) for _ in range(n)]
        all_ups = [r.choice((1, 3_600, 86_399, 86_400, r.randrange(1, 86_401))) for _ in range(n)]
        pot = r.choice((1, 2, 10_000, 10**9 - 1, r.randrange(1, 10**18)))
        yield [pot, all_stakes[0], sum(all_stakes), all_ups[0], sum(all_ups), share(pot, all_stakes[0], sum(all_stakes), all_ups[0], sum(all_ups))]


text = json.dumps(dict(shares=list(shares(random.Random(19))), lives=[life(seed) for seed in range(16)]), separators=(",", ":"))
print(text.replace("]],[[", "]],\n[[").replace('"lives"', '\n"lives"'))
