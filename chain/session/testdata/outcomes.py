"""What becomes of sessions, by the document alone (gateway-payments-streams D): python3 outcomes.py > outcomes.json

A run is a list of [operation, arguments, outcome, payer, escrow, runner, treasury, burned]; the outcome is "" or the name of a reject.
"""

import json
import random

CLOSING = 75


class Book:
    def __init__(self):
        self.coins = dict(payer=10_000, escrow=0, runner=0, treasury=0, burned=0)
        self.session = None

    def open(self, now, most, deposit, expires):
        if deposit == 0 or deposit > most:
            return "amount"
        if expires <= now:
            return "expiry"
        if deposit > self.coins["payer"]:
            return "funds"
        self.move("payer", "escrow", deposit)
        self.session = dict(most=most, deposit=deposit, spent=0, nonce=0, expires=expires, status="open", closed=0)
        return ""

    def deposit(self, now, by, amount):
        s = self.session
        if by != "payer":
            return "party"
        if s["status"] != "open":
            return "status"
        if now > s["expires"]:
            return "expiry"
        if amount == 0:
            return "amount"
        if amount > self.coins["payer"]:
            return "funds"
        if s["deposit"] + amount > s["most"]:
            return "amount"
        self.move("payer", "escrow", amount)
        s["deposit"] += amount
        return ""

    def settle(self, now, by, cumulative, nonce, expires, signer):
        s = self.session
        if by != "runner":
            return "party"
        if s["status"] not in ("open", "closing"):
            return "status"
        if nonce <= s["nonce"]:
            return "stale"
        if cumulative <= s["spent"]:
            return "cumulative"
        if cumulative > s["deposit"]:
            return "deposit"
        if now > expires:
            return "expired"
        if signer != "payer":
            return "signature"
        delta = cumulative - s["spent"]
        burned, treasury = delta * 1_000 // 10_000, delta * 100 // 10_000  # 89/10/1
        self.move("escrow", "burned", burned)
        self.move("escrow", "treasury", treasury)
        self.move("escrow", "runner", delta - burned - treasury)
        s["spent"], s["nonce"] = cumulative, nonce
        return ""

    def close(self, now, by):
        s = self.session
        if by != "payer":
            return "party"
        if s["status"] != "open":
            return "status"
        s["status"], s["closed"] = "closing", now
        return ""

    def finalize(self, now):
        s = self.session
        if s["status"] not in ("open", "closing"):
            return "status"
        if now < (s["closed"] + CLOSING if s["status"] == "closing" else s["expires"] + 1):
            return "early"
        self.move("escrow", "payer", s["deposit"] - s["spent"])
        s["status"] = "settled" if s["spent"] else "refunded"
        return ""

    def move(self, a, b, n):
        self.coins[a] -= n
        self.coins[b] += n


def near(r, n):
    return max(0, n + r.choice((-1, 0, 0, 1)))


def run(seed):
    r, b, now, steps = random.Random(seed), Book(), 1_000, []

    def step(name, *args):
        outcome = getattr(b, name)(now, *args)
        steps.append([name, now, list(args), outcome, list(b.coins.values()), b.session and b.session["status"] or ""])

    while b.session is None:
        most = r.choice((0, 1, 500, 5_000, 20_000))
        step("open", most, near(r, r.choice((most, most // 2, 10_000))), near(r, now + r.choice((0, 1, 40, 200))))
    for _ in range(40):
        s = b.session
        ends = s["closed"] + CLOSING if s["status"] == "closing" else s["expires"]
        now = max(now, r.choice((now, now + 1, now + r.randrange(30), near(r, ends))))
        who = r.choice(("payer", "payer", "runner", "stranger"))
        kind = r.randrange(10)
        if kind < 5:
            worth = r.choice((s["spent"] + r.randrange(1, 400), s["spent"], s["deposit"]))
            step("settle", r.choice(("runner",) * 7 + ("payer", "stranger")), near(r, worth), near(r, s["nonce"] + 1), near(r, now),
                 r.choice(("payer",) * 6 + ("runner", "stranger")))
        elif kind < 7:
            step("deposit", who, near(r, r.choice((0, 1, s["most"] - s["deposit"], b.coins["payer"], r.randrange(300)))))
        elif kind < 8:
            step("close", who)
        else:
            step("finalize")
    return steps


print(json.dumps([run(seed) for seed in range(40)], separators=(",", ":")).replace("]],[[", "]],\n[["))
