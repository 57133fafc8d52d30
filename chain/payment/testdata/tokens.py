"""What becomes of payments in a token, by the document alone (gateway-payments-streams F, tokens 5): python3 tokens.py > tokens.json

Lives are lists of [operation, height, arguments, outcome, [tokens of two payers, of the actor's treasury, of the protocol's, of the gate]]. What the document
leaves open is docs/choices.md's: a token with a hook pays for nothing, one that was given a hook while it was held is paid out and goes back all the same, and
what goes back goes to an account that is frozen, too.
"""

import json
import random

BPS, HEADROOM, MOST = 500, 64, 3_600
PRICE = 3 * 10**20 + 19
PAYERS, TILL, TREASURY, GATE = (0, 1), 2, 3, 4


class Token:
    def __init__(self):
        self.has, self.frozen, self.hook = [7 * PRICE, 7 * PRICE, 0, 0, 0], set(), False

    def stopped(self, *who):
        return any(one in self.frozen for one in who)

    def move(self, who, to, amount):
        self.has[who] -= amount
        self.has[to] += amount


class Gate:
    def __init__(self):
        self.token, self.payments = Token(), {}

    def advance(self, now):
        for p in self.payments.values():
            if p["state"] == "verified" and now >= p["expires"]:
                p["state"] = "expired"
                self.token.move(GATE, p["who"], PRICE)

    def gives(self):
        """The whole price, which the gate has, but for the protocol's part."""
        if self.token.stopped(GATE, TILL, TREASURY):
            return "token"
        part = PRICE * BPS // 10_000
        self.token.move(GATE, TILL, PRICE - part)
        self.token.move(GATE, TREASURY, part)
        return ""

    def pay(self, now, settle, who, form, nonce, request, signed, asset, amount, before):
        p = self.payments.get((who, nonce))
        if settle and p and p["state"] == "verified":
            if request != p["request"]:
                return "spent"
            outcome = self.gives()
            if not outcome:
                p["state"] = "settled"
            return outcome
        if p and now < p["expires"]:
            return "spent"
        if form == "authorization":
            return "other"
        if not HEADROOM <= before - now <= MOST:
            return "expired"
        if signed != request or asset != "token" or amount != PRICE:
            return "other"
        if self.token.hook:
            return "token"
        if self.token.has[who] < PRICE:
            return "funds"
        if self.token.stopped(who, GATE):
            return "token"
        if settle and self.token.stopped(TILL, TREASURY):
            return "token"
        self.token.move(who, GATE, PRICE)
        if settle:
            self.gives()
        self.payments[who, nonce] = dict(who=who, request=request, expires=before, state="settled" if settle else "verified")
        return ""

    def freeze(self, now, who, frozen):
        (self.token.frozen.add if frozen else self.token.frozen.discard)(who)
        return ""

    def hook(self, now, there):
        self.token.hook = there
        return ""

    def spend(self, now, who, amount):
        """A payer sends tokens to the other one."""
        if self.token.hook:
            return "hook"
        if self.token.has[who] < amount:
            return "balance"
        if self.token.stopped(*PAYERS):
            return "frozen"
        self.token.move(who, 1 - who, amount)
        return ""


def life(seed):
    r, g, now, steps, made = random.Random(seed), Gate(), 86_000, [], []
    near = lambda n: max(0, n + r.choice((-1, 0, 0, 1)))

    def step(name, *args):
        outcome = getattr(g, name)(now, *args)
        steps.append([name, now, [str(a) for a in args], outcome, [str(n) for n in g.token.has]])

    for _ in range(60):
        ends = [p["expires"] for p in g.payments.values() if p["expires"] > now] + [now]
        jump = r.choice((now, now, now, now + 1, now + r.randrange(60), near(r.choice(ends))))
        if jump > now:
            now = jump
            g.advance(now)
        kind = r.randrange(16)
        if kind < 11:
            settle = r.randrange(2) == 0
            if made and r.randrange(5) < 2:
                who, form, nonce, request, signed, asset, amount, before = r.choice(made[-6:])
                if r.randrange(6) == 0:
                    request = r.randrange(4)
            else:
                who, form, nonce, request, asset = r.randrange(2), "intent", len(made), r.randrange(4), "token"
                signed, amount, before = request, PRICE, now + r.choice((80, 100, 200))
                fault = r.randrange(12)
                if fault == 0:
                    signed = (request + r.randrange(1, 4)) % 4
                elif fault == 1:
                    amount = r.choice((PRICE - 1, PRICE + 1, PRICE - (1 << 64), PRICE + (1 << 64)))
                elif fault == 2:
                    asset = r.choice(("coins", "other"))
                elif fault == 3:
                    form = "authorization"
                elif fault < 6:
                    before = now + near(r.choice((HEADROOM, MOST)))
                made.append((who, form, nonce, request, signed, asset, amount, before))
            step("pay", settle, who, form, nonce, request, signed, asset, amount, before)
        elif kind == 11:
            step("freeze", r.choice((0, 1, TILL, TREASURY, GATE)), r.randrange(3) == 0)
        elif kind == 12:
            step("hook", r.randrange(3) == 0)
        else:
            who = r.randrange(2)
            step("spend", who, r.choice((1, max(0, g.token.has[who] - PRICE), max(0, g.token.has[who] - PRICE + 1), g.token.has[who] + 1)))
    return steps


print(json.dumps([life(seed) for seed in range(24)], separators=(",", ":")).replace("]],[[", "]],\n[["))
