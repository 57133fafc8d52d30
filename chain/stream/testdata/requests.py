"""What becomes of SealRequests, by the rules alone (gateway-payments-streams E.2; docs/choices.md, paid streams): python3 requests.py > requests.json

A run is [fee of an epoch, blocks of an epoch, fee of a receipt, receipts a request takes] and steps of [height, what, arguments, outcome, requests, coins]:
requests are [number, state, from, to, key, receipts], coins those of ann, of the publisher's till, of members 1 to 4, and what is held.
"""

import json
import random


class World:
    def __init__(self, fee, blocks, price, quorum):
        self.fee, self.blocks, self.price, self.quorum = fee, blocks, price, quorum
        self.coins = {"ann": 10_000, "till": 0, "1": 0, "2": 0, "3": 0, "4": 0, "held": 0}
        self.now, self.keys, self.next_key, self.generation = 6_000, [], 1, 0
        self.first = self.bound = None
        self.requests, self.numbers = {}, 0

    def state(self, q):
        if q["paid"] and len(q["receipts"]) == self.quorum:
            return "sealed"
        if q["generation"] != self.generation:
            return "void"
        return "expired" if self.now > q["until"] else "emitted"

    def room(self):
        return 32 - len([q for q in self.requests.values() if q["paid"] and self.state(q) == "emitted"])

    def raised(self, first, last, paid, receipts):
        self.requests[self.numbers] = dict(
            first=first, last=last, paid=paid, receipts=list(receipts), key=self.keys[-1], generation=self.generation, until=self.now + max(self.blocks, 100))
        self.numbers += 1

    def pays(self, amount):
        if self.coins["ann"] < amount:
            return False
        self.coins["ann"] -= amount
        self.coins["held"] += amount
        return True

    def buy(self, target):
        epoch = self.now // self.blocks
        begin = epoch if self.bound is None else self.bound + 1
        if target < begin:
            return ""
        if target < epoch:
            return "target"
        cost = (target + 1 - begin) * self.fee
        if cost > self.coins["ann"]:
            return "funds"
        self.coins["ann"] -= cost
        self.coins["till"] += cost
        if self.first is None:
            self.first = begin
        self.bound = target
        if self.keys:
            room = self.room()
            for n in range(8):
                low = begin + 32 * n
                if low > target:
                    break
                high = min(low + 31, target)
                paid = self.quorum > 0 and room > 0 and (high + 1 - low) * self.fee >= self.price * self.quorum
                if paid:
                    room -= 1
                    self.coins["till"] -= self.price * self.quorum
                    self.coins["held"] += self.price * self.quorum
                self.raised(low, high, paid, [])
        return ""

    def register(self):
        if len(self.keys) == 8:
            return "keys"
        self.keys.append(self.next_key)
        self.next_key += 1
        self.generation += 1
        return ""

    def revoke(self, key):
        if key not in self.keys:
            return "revoked"
        self.keys.remove(key)
        self.generation += 1
        return ""

    def answer(self, number, member):
        q = self.requests.get(number)
        if q is None or self.state(q) != "emitted" or not q["paid"] or member in q["receipts"]:
            return "request"
        q["receipts"].append(member)
        self.coins["held"] -= self.price
        self.coins[str(member)] += self.price
        return ""

    def again(self, number):
        q = self.requests.get(number)
        if q is None:
            return "request"
        state = self.state(q)
        if state == "emitted" and (q["paid"] or self.quorum == 0 and self.keys):
            return "request"
        if not self.keys:
            return "revoked"
        if self.room() == 0 and (q["paid"] or self.quorum > 0):
            return "open"
        if state == "expired" and q["paid"]:
            receipts, paid = q["receipts"], True
        else:
            receipts, paid = [], self.quorum > 0
            there = self.price * (self.quorum - len(q["receipts"])) if q["paid"] else 0
            if not self.pays(self.price * self.quorum - there):
                return "funds"
        del self.requests[number]
        self.raised(q["first"], q["last"], paid, receipts)
        return ""

    def seal(self, first, last):
        if first > last or last - first > 31:
            return "span"
        if self.bound is None or first < self.first or last > self.bound:
            return "entitled"
        if not self.keys:
            return "revoked"
        if self.quorum == 0:
            return "committee"
        if self.room() == 0:
            return "open"
        if not self.pays(self.price * self.quorum):
            return "funds"
        self.raised(first, last, True, [])
        return ""


def run(seed):
    r = random.Random(seed)
    terms = r.choice((1, 3, 40)), r.choice((50, 600)), r.choice((5, 20)), r.choice((0, 2, 3))
    w, steps = World(*terms), []
    for _ in range(60):
        w.now += r.choice((0, 0, 0, 1, 1, 1, 30, 101, w.blocks, 20 * w.blocks))
        epoch, number = w.now // w.blocks, r.choice([0, *w.requests, *list(w.requests)[-3:], w.numbers])
        have = epoch - 1 if w.bound is None else w.bound
        what = r.choice(("buy", "buy", "register", "revoke", "answer", "answer", "answer", "answer", "again", "again", "seal"))
        if what == "buy":
            args = [max(0, r.choice((epoch, have + 1, have + 3, have + 33, have + 70)) - r.choice((0, 0, 1)))]
        elif what == "register":
            args = []
        elif what == "revoke":
            args = [r.choice([1, *w.keys])] if r.random() < 0.4 else [99]
        elif what == "answer":
            args = [number, r.randint(1, 4)]
        elif what == "again":
            args = [number]
        else:
            low = max(0, r.choice(((w.first or epoch) - 1, w.first or epoch, have - 31, have)))
            args = [low, max(0, low + r.choice((-1, 0, 5, 31, 32)))]
        outcome = getattr(w, what)(*args)
        asked = [[n, w.state(q), q["first"], q["last"], q["key"], len(q["receipts"])] for n, q in sorted(w.requests.items())]
        steps.append([w.now, what, args, outcome, asked, list(w.coins.values())])
    return [list(terms), steps]


def busy():
    """Asks for one epoch until nothing more may be open, and goes on once that has expired."""
    w, steps = World(1, 600, 5, 2), []
    todo = [(0, "register", []), (0, "buy", [10])] + 33 * [(1, "seal", [10, 10])] + [(0, "buy", [300]), (0, "answer", [0, 1]), (0, "answer", [0, 2])]
    todo += [(0, "seal", [10, 10]), (0, "seal", [10, 10]), (600, "again", [5]), (1, "again", [6]), (1, "revoke", [1]), (0, "register", []), (0, "again", [9])]
    for later, what, args in todo:
        w.now += later
        outcome = getattr(w, what)(*args)
        asked = [[n, w.state(q), q["first"], q["last"], q["key"], len(q["receipts"])] for n, q in sorted(w.requests.items())]
        steps.append([w.now, what, args, outcome, asked, list(w.coins.values())])
    return [[1, 600, 5, 2], steps]


print(json.dumps([run(seed) for seed in range(23)] + [busy()], separators=(",", ":")).replace("]]],[[", "]]],\n[["))
