"""What becomes of a card, by the document alone (gateway-payments-streams G.2 to G.4): python3 cards.py > cards.json

A step is [operation, height, arguments, outcome, coins of ann, bob, the stranger and the card, status, owner, whether it is the agent's default, spent in
the last hour and day]; the outcome is "" or the name of a reject. ann owns the card at first, bob operates its bank. Of several reasons to refuse something
the first in the order party, bank, status, rest is given.
"""

import json
import random

HOUR, DAY = 3_600, 86_400
CAPS = (1_000, 3_000)


class Card:
    def __init__(self, now, expires):
        self.coins = dict(ann=100_000, bob=100_000, stranger=100_000, card=0)
        self.paused = self.frozen = self.closed = self.locked = self.default = False
        self.owner, self.expires, self.spent = "ann", expires, [[0, 0], [0, 0]]
        self.charges = []

    def status(self, now):
        if self.closed:
            return "closed"
        if self.frozen:
            return "frozen"
        return "expired" if self.expires is not None and now > self.expires else "active"

    def in_period(self, now):
        return [s if p == now // b else 0 for (p, s), b in zip(self.spent, (HOUR, DAY))]

    def deposit(self, now, by, amount):
        if self.paused:
            return "paused"
        if self.status(now) == "closed":
            return "closed"
        if amount == 0:
            return "amount"
        if amount > self.coins[by]:
            return "funds"
        self.coins[by] -= amount
        self.coins["card"] += amount
        return ""

    def withdraw(self, now, by, amount):
        if by != self.owner:
            return "owner"
        if self.status(now) == "frozen":
            return "frozen"
        if amount == 0:
            return "amount"
        if amount > self.coins["card"]:
            return "funds"
        self.coins["card"] -= amount
        self.coins[by] += amount
        return ""

    def close(self, now, by):
        if by != self.owner:
            return "owner"
        if self.status(now) in ("frozen", "closed"):
            return self.status(now)
        if self.default:
            return "default"
        self.coins[by] += self.coins["card"]
        self.coins["card"], self.closed = 0, True
        return ""

    def set_default(self, now, by):
        if by not in ("agent", self.owner):
            return "agent"
        if self.status(now) != "active":
            return self.status(now)
        self.default = True
        return ""

    def unset_default(self, now, by):
        if not self.default:
            return "card"
        if by not in ("agent", self.owner):
            return "agent"
        self.default = False
        return ""

    def changes(self, now, by):
        if by != self.owner:
            return "owner"
        return "closed" if self.closed else ""

    def renew(self, now, by, expires):
        refused = self.changes(now, by)
        if refused or expires is not None and expires <= now:
            return refused or "expired"
        self.expires = expires
        return ""

    def set_policy(self, now, by):
        """The same caps again."""
        refused = self.changes(now, by)
        if refused or self.locked and self.owner == "agent":
            return refused or "locked"
        self.locked = False
        return ""

    def transfer(self, now, by, to, locked):
        refused = self.changes(now, by)
        if refused or self.locked and self.owner == "agent":
            return refused or "locked"
        self.owner, self.locked = to, self.locked or locked
        return ""

    def freeze(self, now, by):
        if by != "bob":
            return "operator"
        if self.status(now) in ("frozen", "closed"):
            return self.status(now)
        self.frozen = True
        return ""

    def unfreeze(self, now, by):
        if by != "bob":
            return "operator"
        if not self.frozen:
            return "closed" if self.closed else "not frozen"
        self.frozen = False
        return ""

    def pause(self, now, by):
        if by != "bob":
            return "operator"
        if self.paused:
            return "paused"
        self.paused = True
        return ""

    def unpause(self, now, by):
        if by != "bob":
            return "operator"
        if not self.paused:
            return "not paused"
        self.paused = False
        return ""

    def charge(self, now, amount):
        """The reserve of a transaction: bank, card, caps, balance."""
        if self.paused:
            return "paused"
        if self.status(now) != "active":
            return self.status(now)
        spent = self.in_period(now)
        if any(s + amount > cap for s, cap in zip(spent, CAPS)):
            return "cap"
        if amount > self.coins["card"]:
            return "funds"
        self.coins["card"] -= amount
        self.spent = [[now // HOUR, spent[0] + amount], [now // DAY, spent[1] + amount]]
        self.charges.append([now, amount])
        return ""

    def settle(self, now, n, back):
        """What is left of a reserve comes back, whatever became of the card; only periods that still run count it out."""
        at, _ = self.charges[n]
        self.coins["card"] += back
        for s, blocks in zip(self.spent, (HOUR, DAY)):
            if s[0] == at // blocks:
                s[1] -= back
        return ""


def life(seed):
    r, now, steps, open_charges = random.Random(seed), 100, [], []
    c = Card(now, r.choice((None, 150, 5_000)))
    near = lambda n: max(0, n + r.choice((-1, 0, 0, 1)))
    steps.append(c.expires)

    def step(name, *args):
        outcome = getattr(c, name)(now, *args)
        steps.append([name, now, list(args), outcome, list(c.coins.values()), c.status(now).capitalize(), c.owner, c.default, c.in_period(now)])
        return outcome

    step("deposit", "ann", 30_000)
    for turn in range(90):
        if c.paused and r.randrange(3):
            step("unpause", "bob")
        if c.frozen and r.randrange(3):
            step("unfreeze", "bob")
        if c.status(now) == "expired" and c.owner != "agent" and r.randrange(3):
            step("renew", c.owner, r.choice((None, now + 600)))
        now = max(now, r.choice((now, now, now + 1, near(c.expires or now), now + r.randrange(900), near((now // HOUR + 1) * HOUR), near((now // DAY + 1) * DAY))))
        who = r.choice(("ann", "ann", "bob", "stranger"))
        owner = c.owner if c.owner != "agent" and r.randrange(6) else r.choice(("ann", "agent"))
        kind = r.randrange(26)
        left = [cap - s for cap, s in zip(CAPS, c.in_period(now))]
        if kind < 8:
            amount = r.choice((near(r.choice(left)), near(c.coins["card"]), r.randrange(1, 400)))
            if amount and step("charge", amount) == "":
                open_charges.append((len(c.charges) - 1, amount))
        elif kind < 12:
            if open_charges:
                n, amount = open_charges.pop(r.randrange(len(open_charges)))
                step("settle", n, r.choice((0, amount // 3, amount)))
        elif kind < 14:
            step("deposit", who, r.choice((0, 1, 500, 5_000, near(c.coins[who]))))
        elif kind < 16:
            if owner != "agent":
                step("withdraw", owner, r.choice((0, 1, near(c.coins["card"]))))
        elif kind == 16:
            if owner != "agent" and (c.default or turn > 70):
                step("close", owner)
        elif kind == 17:
            step("set_default", r.choice(("agent", owner, "stranger")))
        elif kind == 18:
            step("unset_default", r.choice(("agent", owner, "stranger")))
        elif kind == 19:
            step("renew", owner, r.choice((None, near(now), now + 50, now + 2_000)))
        elif kind == 20:
            step("set_policy", owner)
        elif kind == 21:
            step("transfer", owner, r.choice(("ann", "ann", "ann", "stranger") + ("agent",) * (turn > 50)), r.choice((True, False)))
        elif kind == 22:
            step("freeze", r.choice(("bob", "bob", "ann")))
        elif kind == 23:
            step("unfreeze", r.choice(("bob", "bob", "bob", "ann")))
        else:
            step("pause" if kind == 24 and r.randrange(2) else "unpause", r.choice(("bob", "bob", "bob", "ann")))
    return steps


print(json.dumps([life(seed) for seed in range(16)], separators=(",", ":")).replace("]],[", "]],\n["))
