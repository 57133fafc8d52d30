"""What becomes of subscriptions, by the document alone (gateway-payments-streams H): python3 outcomes.py > outcomes.json

A step is [operation, height, price of a cycle, price of a cell, arguments, outcome, coins of actors 1 to 4, held, burned, order of the two topics]; the
outcome is "" or the name of a reject. Subscriptions are named by the order in which they were made. What the document leaves open is docs/choices.md's: the
cells of a subscription are its bytes and 400 for its records.
"""

import json
import random

REGISTRATION, MIN_PREPAID, MIN_FIRE, RECORDS, MAX_TOPIC = 10_000, 50_000, 5_000, 400, 64
EMITTER, HANDLER = 5, "hook"


class Book:
    def __init__(self):
        self.coins = {n: 10_000_000 for n in range(1, 5)}
        self.held = self.burned = self.made = 0
        self.subs = {}
        self.cycle, self.cell = 3, 2

    def order(self, topic):
        mine = [n for n, s in self.subs.items() if s["topic"] == topic]
        return sorted(mine, key=lambda n: (-self.subs[n]["bid"], self.subs[n]["height"]))

    def subscribe(self, now, by, topic, gas, bid):
        if not 1 <= len(topic) <= MAX_TOPIC:
            return "topic"
        if gas < MIN_PREPAID:
            return "prepaid"
        paid, fee = gas * self.cycle, REGISTRATION * self.cycle
        bond = (RECORDS + len(topic) + len(HANDLER)) * self.cell
        if paid + fee + bond + bid > self.coins[by]:
            return "funds"
        self.coins[by] -= paid + fee + bond + bid
        self.held += paid + bond
        self.burned += fee + bid  # neither is ever refunded, nor the emitter's
        self.subs[self.made] = dict(by=by, topic=topic, gas=gas, paid=paid, bond=bond, bid=bid, height=now)
        self.made += 1
        return ""

    def update_bid(self, now, by, sub, delta):
        s = self.subs.get(sub)
        if s is None:
            return "unknown"
        if by != s["by"]:
            return "party"
        if delta == 0:
            return "zero"
        if delta > self.coins[by]:
            return "funds"
        self.coins[by] -= delta
        self.burned += delta
        s["bid"] += delta
        return ""

    def topup(self, now, by, sub, gas):
        s = self.subs.get(sub)
        if s is None:
            return "unknown"
        if gas == 0:
            return "zero"
        if gas * self.cycle > self.coins[by]:
            return "funds"
        self.coins[by] -= gas * self.cycle
        self.held += gas * self.cycle
        s["gas"] += gas
        s["paid"] += gas * self.cycle
        return ""

    def unsubscribe(self, now, by, sub):
        s = self.subs.get(sub)
        if s is None:
            return "unknown"
        if by != s["by"]:
            return "party"
        self.remove(sub)
        return ""

    def force(self, now, by, sub):
        if sub not in self.subs:
            return "unknown"
        if by != EMITTER:
            return "party"
        self.remove(sub)
        return ""

    def remove(self, sub):
        s = self.subs.pop(sub)
        self.coins[s["by"]] += s["paid"] + s["bond"]
        self.held -= s["paid"] + s["bond"]

    def emit(self, now, topic, use):
        """Each hook uses so much gas, or all that it has."""
        for sub in self.order(topic):
            s = self.subs[sub]
            if s["gas"] < MIN_FIRE:
                self.remove(sub)
                continue
            gas = min(use, s["gas"])
            cost = s["paid"] * gas // s["gas"]
            s["gas"] -= gas
            s["paid"] -= cost
            self.held -= cost
            self.burned += cost
        return ""


def run(seed):
    r, b, now, steps = random.Random(seed), Book(), 100, []
    near = lambda n: max(0, n + r.choice((-1, 0, 0, 1)))

    def step(name, *args):
        outcome = getattr(b, name)(now, *args)
        steps.append([name, now, b.cycle, b.cell, list(args), outcome, [b.coins[n] for n in range(1, 5)], b.held, b.burned, [b.order(t) for t in ("t", "uu")]])

    for _ in range(90):
        now += r.choice((1, 1, 2, 30))  # one subscription a block, so that heights order those of one bid
        b.cycle, b.cell = max(1, b.cycle + r.choice((-1, 0, 0, 1))), max(1, b.cell + r.choice((-1, 0, 0, 1)))
        by = r.randrange(1, 5)
        sub = r.randrange(b.made + 1) if b.made and r.randrange(8) == 0 else r.choice(list(b.subs) or [0])
        owner = b.subs[sub]["by"] if sub in b.subs and r.randrange(5) else by
        kind = r.randrange(12)
        if kind < 4:
            topic = r.choice(("t", "t", "t", "uu", "uu", "", "x" * 63, "x" * 64, "x" * 65))
            fixed = (REGISTRATION * b.cycle) + (RECORDS + len(topic) + len(HANDLER)) * b.cell
            gas = near(r.choice((MIN_PREPAID, MIN_PREPAID, 120_000)))
            bid = near(b.coins[by] - fixed - gas * b.cycle) if r.randrange(9) == 0 else r.choice((0, 1, 7, 7, 500))
            step("subscribe", by, topic, gas, bid)
        elif kind < 6:
            step("update_bid", owner, sub, near(b.coins[owner]) if r.randrange(9) == 0 else near(r.choice((0, 1, 7, 300))))
        elif kind < 7:
            step("topup", by, sub, near(b.coins[by] // b.cycle) if r.randrange(9) == 0 else near(r.choice((0, 1, 4_999, 60_000))))
        elif kind < 8:
            step("unsubscribe", owner, sub)
        elif kind < 9:
            step("force", r.choice((EMITTER, EMITTER, by)), sub)
        else:
            left = [s["gas"] for s in b.subs.values()] or [0]
            step("emit", r.choice(("t", "uu")), near(r.choice((1, 7_777, 45_000, 45_001, r.choice(left), max(0, r.choice(left) - MIN_FIRE)))))
    return steps


print(json.dumps([run(seed) for seed in range(16)], separators=(",", ":")).replace("]],[[", "]],\n[["))
