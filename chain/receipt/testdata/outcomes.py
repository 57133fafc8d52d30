"""What becomes of receipts of requests, by the document alone (gateway-payments-streams C): python3 outcomes.py > outcomes.json

A step is [operation, height, arguments, outcome, [HTTP status of each known identity]]; identities are a gateway's (numbers) or, written behind 100, those of
transactions. What the document leaves open is docs/choices.md's: an expired receipt says so for 3,600 blocks; 202 leaves a request pending.
"""

import json
import random

KEPT = 3_600


class Registry:
    def __init__(self):
        self.receipts, self.open_messages = {}, []

    def forget(self, now):
        for name in [n for n, c in self.receipts.items() if now >= c["expires"] + KEPT]:
            del self.receipts[name]
            if name in self.open_messages:
                self.open_messages.remove(name)

    def request(self, now, wanted, tx, ttl):
        """Gives the identity that the request has."""
        name, c = wanted, self.receipts.get(wanted)
        if c:
            if c["status"] == "PENDING" and now < c["expires"]:
                return "pending", None
            name = 100 + tx
            if name in self.receipts:
                return "pending", None
        self.receipts[name] = dict(status="PENDING", expires=now + ttl)
        self.open_messages.append(name)
        return "", name

    def ends(self, now, name, how):
        """The message's handler traps, answers, answers 202, or answers with what is no response."""
        c = self.receipts[name]
        self.open_messages.remove(name)
        if c["status"] == "PENDING" and how != "accepted":
            c["status"] = "FAILED" if how == "trap" else "COMPLETED"
        return ""

    def complete(self, now, name, by, how):
        c = self.receipts.get(name)
        if c is None:
            return "unknown"
        if by != "actor":
            return "actor"
        if now >= c["expires"]:
            return "expired"
        if c["status"] != "PENDING":
            return "status"
        if how != "answer":
            return "response"
        c["status"] = "COMPLETED"
        return ""

    def read(self, now, name):
        c = self.receipts.get(name)
        if c is None:
            return 404
        if now >= c["expires"]:
            return 410
        return dict(PENDING=202, COMPLETED=200, FAILED=500)[c["status"]]


def life(seed):
    r, b, now, steps, txs = random.Random(seed), Registry(), 1_000, [], 0
    near = lambda n: max(0, n + r.choice((-1, 0, 0, 1)))

    def step(name, args, outcome):
        known = [0, 1, 2] + sorted(n for n in b.receipts if n >= 100)
        steps.append([name, now, args, outcome, [[n, b.read(now, n)] for n in known]])

    for _ in range(70):
        marks = [c["expires"] for c in b.receipts.values()] + [c["expires"] + KEPT for c in b.receipts.values()] + [now]
        now = max(now, r.choice((now, now, now, now + 1, now + r.randrange(40), near(r.choice(marks)))))
        b.forget(now)
        kind, names = r.randrange(9), sorted(b.receipts)
        if kind < 3 or not names:
            wanted, tx, ttl = r.randrange(3), r.choice((txs, txs, txs, max(0, txs - 1))), r.choice((1, 50, 50, 3_600, 86_400))
            txs += 1
            outcome, name = b.request(now, wanted, tx, ttl)
            step("request", [wanted, tx, ttl], outcome)
        elif kind < 6 and b.open_messages:
            name, how = r.choice(b.open_messages), r.choice(("trap", "answer", "accepted", "accepted", "nonsense"))
            step("ends", [name, how], b.ends(now, name, how))
        else:
            name, by, how = r.choice(names + [2]), r.choice(("actor",) * 5 + ("other",)), r.choice(("answer",) * 4 + ("accepted", "nonsense"))
            step("complete", [name, by, how], b.complete(now, name, by, how))
    return steps


print(json.dumps([life(seed) for seed in range(16)], separators=(",", ":")).replace("]]],[[", "]]],\n[["))
