"""What cards may spend in fixed periods, by the document alone (gateway-payments-streams G.1, G.3): python3 windows.py > windows.json

A run is [caps of hour, day, month; -1 for none] and steps of ["add", height, amount, tier or -1] or ["return", height charged, amount], with what was spent in
the last periods.
"""

import json
import random

BLOCKS = (3_600, 86_400, 30 * 86_400)


def run(seed):
    r = random.Random(seed)
    caps = [r.choice((-1, 0, 100, 1_000)), r.choice((-1, 300, 3_000)), r.choice((-1, 500, 10_000))]
    spent, period, now, steps, charges = [0, 0, 0], [0, 0, 0], 0, [], []
    for _ in range(60):
        now += r.choice((0, 1, 1_800, 3_599, 3_600, 86_399, 86_400, 2_591_999))
        if charges and r.randrange(4) == 0:
            at, amount = charges.pop(r.randrange(len(charges)))
            amount = r.choice((amount, amount // 2, 0))
            for t in range(3):  # from the periods of the charge only where they are the last ones
                if period[t] == at // BLOCKS[t]:
                    spent[t] -= amount
            steps.append(["return", at, amount, -1, list(spent)])
            continue
        left = [caps[t] - (spent[t] if period[t] == now // BLOCKS[t] else 0) for t in range(3) if caps[t] >= 0]
        amount = max(0, r.choice(left + [1, 50]) + r.choice((-1, 0, 0, 1)))
        rolled = [spent[t] if period[t] == now // BLOCKS[t] else 0 for t in range(3)]
        over = next((t for t in range(3) if caps[t] >= 0 and rolled[t] + amount > caps[t]), -1)
        if over < 0:
            spent, period = [s + amount for s in rolled], [now // b for b in BLOCKS]
            charges.append((now, amount))
        steps.append(["add", now, amount, over, list(spent)])
    return [caps, steps]


print(json.dumps([run(seed) for seed in range(40)], separators=(",", ":")).replace("]]],[[", "]]],\n[["))
