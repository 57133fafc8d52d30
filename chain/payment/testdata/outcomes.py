"""What becomes of requests that cost something, by the document alone (gateway-payments-streams F): python3 outcomes.py > outcomes.json

fees has [amount, the protocol's part]; decisions has [path, height, last height of a subscription, credits, their last height, whether a payment came with
it, the budget, spent today, requests of this second, verdict]; lives are lists of [operation, height, arguments, outcome, [coins of two payers, of the
actor's treasury, of the protocol's, held], credits of each, last height of each one's subscription]. What the document leaves open is docs/choices.md's: a
credit costs 30 of its policy, a payment has 64 to 3,600 blocks left, a day has 86,400 blocks, an authorization counts in seconds, of which a block is one here.
"""

import json
import random

BPS, HEADROOM, MOST, DAY = 500, 64, 3_600, 86_400
PRICE, GIFT, CREDIT, FEE = 119, 40, 30, 200
RATE, CAP, PASS_LEAST, PASS_MOST, PASS_BLOCKS, EPOCH_BLOCKS, EPOCH_LEAST, EPOCH_MOST = 2, 120, 2, 10, 500, 100, 1, 3


def part(amount):
    return amount * BPS // 10_000


def covers(price, budget, today, count):
    return count < RATE and price <= budget and today + price <= CAP


def decide(path, now, until, credits, expires, paid, budget, today, count):
    """free, subscription, pass, budget, payment of the request, 402."""
    if path == "/free" or path == "/other":
        return "free"
    if until is not None and now <= until:
        return "subscription"
    if credits and now <= expires:
        return "pass"
    if path == "/gift" and covers(GIFT, budget, today, count):
        return "budget"
    return "payment" if paid else "402"


class Book:
    def __init__(self):
        self.coins, self.till, self.treasury, self.held = [10_000, 10_000], 0, 0, 0
        self.budget = self.today = self.day = self.second = self.count = 0
        self.credits, self.until = [[0, 0], [0, 0]], [None, None]
        self.payments = {}

    def gives(self, amount):
        self.till += amount - part(amount)
        self.treasury += part(amount)

    def advance(self, now):
        for p in self.payments.values():
            if p["state"] == "verified" and now >= p["expires"]:
                p["state"] = "expired"
                if p["kind"] == "pass":
                    self.credits[p["who"]][0] += 1
                else:
                    self.held -= PRICE
                    self.coins[p["who"]] += PRICE

    def pay(self, now, settle, who, kind, nonce, request, signed, amount, valid_before):
        p = self.payments.get((kind == "authorization", who, nonce))
        if settle and p and p["state"] == "verified":
            if request != p["request"]:
                return "spent"
            p["state"] = "settled"
            if p["kind"] != "pass":
                self.held -= PRICE
                self.gives(PRICE)
            return ""
        if p and now < p["expires"]:
            return "spent"
        if settle and p and p["state"] == "expired" and p["kind"] == "authorization":
            return "expired"
        if not HEADROOM <= valid_before - now <= MOST:
            return "expired"
        if signed != request or amount != (0 if kind == "pass" else PRICE):
            return "other"
        if kind == "pass":
            if self.credits[who][0] == 0 or self.credits[who][1] < now:
                return "credits"
            self.credits[who][0] -= 1
        elif self.coins[who] < PRICE:
            return "funds"
        else:
            self.coins[who] -= PRICE
            if settle:
                self.gives(PRICE)
            else:
                self.held += PRICE
        self.payments[(kind == "authorization", who, nonce)] = dict(
            who=who, kind=kind, request=request, expires=valid_before, state="settled" if settle else "verified")
        return ""

    def deduct(self, now):
        if now // DAY != self.day:
            self.day, self.today = now // DAY, 0
        if now != self.second:
            self.second, self.count = now, 0
        if not covers(GIFT, self.budget, self.today, self.count):
            return "budget"
        self.count, self.budget, self.today, self.held = self.count + 1, self.budget - GIFT, self.today + GIFT, self.held - GIFT
        self.gives(GIFT)
        return ""

    def deposit(self, now, who, amount):
        if not 0 < amount <= self.coins[who]:
            return "funds"
        self.coins[who], self.budget, self.held = self.coins[who] - amount, self.budget + amount, self.held + amount
        return ""

    def withdraw(self, now, who, amount):
        if not 0 < amount <= self.budget:
            return "funds"
        self.coins[who], self.budget, self.held = self.coins[who] + amount, self.budget - amount, self.held - amount
        return ""

    def buy_pass(self, now, who, n, coins):
        """Coins come with it, and what is left of them goes back."""
        if coins > self.coins[who]:
            return "funds"
        if not PASS_LEAST <= n <= PASS_MOST:
            return "count"
        if coins < n * CREDIT:
            return "funds"
        left = self.credits[who][0] if self.credits[who][1] >= now else 0
        self.credits[who] = [left + n, now + PASS_BLOCKS]
        self.coins[who] -= n * CREDIT
        self.gives(n * CREDIT)
        return ""

    def buy_epochs(self, now, who, n, coins):
        if coins > self.coins[who]:
            return "funds"
        if not EPOCH_LEAST <= n <= EPOCH_MOST:
            return "count"
        if coins < n * FEE:
            return "funds"
        begins = self.until[who] if self.until[who] is not None and self.until[who] >= now - 1 else now - 1
        self.until[who] = begins + n * EPOCH_BLOCKS
        self.coins[who] -= n * FEE
        self.gives(n * FEE)
        return ""


def life(seed):
    r, b, now, steps, made = random.Random(seed), Book(), 86_000, [], []
    near = lambda n: max(0, n + r.choice((-1, 0, 0, 1)))

    def step(name, *args):
        outcome = getattr(b, name)(now, *args)
        credits = [left if last >= now else 0 for left, last in b.credits]
        until = [last if last is not None and last >= now else None for last in b.until]
        steps.append([name, now, list(args), outcome, b.coins + [b.till, b.treasury, b.held], credits, until])

    if seed % 2:
        step("buy_pass", 0, 10, 300)
        step("buy_pass", 1, 2, 60)
    for _ in range(60):
        ends = [p["expires"] for p in b.payments.values() if p["expires"] > now] + [now]
        jump = r.choice((now, now, now, now + 1, now + r.randrange(60), near(r.choice(ends)), near(b.credits[0][1]), near(b.until[1] or 0)))
        if jump > now:
            now = jump
            b.advance(now)
        who, kind = r.randrange(2), r.randrange(14)
        if kind < 8:
            settle = r.randrange(2) == 0
            if made and r.randrange(5) < 2:
                who, form, nonce, request, signed, amount, until = r.choice(made[-6:])
                if r.randrange(6) == 0:
                    request = r.choice((0, 1, 2, 3))
            else:
                form, nonce, request = r.choice(("intent", "authorization", "pass")), len(made), r.randrange(4)
                signed, amount, until = request, 0 if form == "pass" else PRICE, now + r.choice((80, 100, 200))
                fault = r.randrange(9)
                if fault == 0:
                    signed = (request + r.randrange(1, 4)) % 4
                elif fault == 1:
                    amount = near(amount)
                elif fault < 4:
                    until = now + near(r.choice((HEADROOM, MOST)))
                made.append((who, form, nonce, request, signed, amount, until))
            step("pay", settle, who, form, nonce, request, signed, amount, until)
        elif kind < 10:
            step("deduct")
        elif kind == 10:
            step("deposit", who, r.choice((0, 39, 40, 41, 100, b.coins[who] + 1)))
        elif kind == 11:
            step("withdraw", who, r.choice((0, 1, near(b.budget))))
        elif kind == 12:
            n = r.choice((1, 2, 3, 9, 10, 11))
            step("buy_pass", who, n, r.choice((n * CREDIT - 1, n * CREDIT, n * CREDIT + 1)))
        else:
            n = r.choice((0, 1, 2, 3, 4))
            step("buy_epochs", who, n, max(0, r.choice((n * FEE - 1, n * FEE, n * FEE + 1))))
        if r.randrange(12) == 0:  # what is earned is spent, so that payers have some, and sometimes just about a price
            who, want = r.randrange(2), r.choice((PRICE - 1, PRICE, PRICE + 1, 5_000))
            steps.append(["set", now, [who, want], "", None, None, None])
            b.coins[who] = want
    return steps


def decisions(r):
    for path in ("/hay/1", "/gift", "/free", "/other"):
        for until in (None, 999, 1_000, 1_001):
            for credits, expires in ((0, 2_000), (1, 999), (1, 1_000)):
                for paid in (False, True):
                    for budget, today, count in ((39, 0, 0), (40, 0, 0), (41, 79, 1), (41, 80, 1), (41, 81, 1), (41, 0, 2)):
                        row = (path, 1_000, until, credits, expires, paid, budget, today, count)
                        yield [*row, decide(*row)]


fees = [[str(n), str(part(n))] for k in (0, 20, 119, 120, 10_000, 1 << 64, 10**30, (1 << 128) - 2) for n in range(max(0, k - 1), k + 2)]
print(json.dumps(dict(fees=fees, decisions=list(decisions(random)), lives=[life(seed) for seed in range(24)]), separators=(",", ":"))
      .replace("]],[[", "]],\n[[").replace('"decisions"', '\n"decisions"').replace('"lives"', '\n"lives"'))
