"""What access to a paid stream costs, by the document alone (gateway-payments-streams E.2): python3 outcomes.py > outcomes.json

A run is a stream's [fee, bps, epoch_blocks, min_purchase] and steps of [height, beneficiary, target, outcome, charged, publisher, protocol, balances].
"""

import json
import random


def run(seed):
    r = random.Random(seed)
    fee, bps, blocks, least = r.choice((1, 7, 333)), r.choice((0, 1, 333, 5_000)), r.choice((1, 600, 1_000)), r.choice((1, 2, 3))
    coins, bound, now, steps = dict(ann=10_000, till=0, protocol=0), {}, 6_000, []
    for _ in range(30):
        now += r.choice((0, 0, 1, blocks - 1, blocks, 3 * blocks))
        epoch, who = now // blocks, r.choice(("ann", "ben"))
        have = bound.get(who, epoch - 1)  # no back catalogue for nothing
        target = max(0, r.choice((epoch, have, have + least, epoch + 5, have + 400)) + r.choice((-1, 0, 0, 1)))
        outcome, n, publisher, protocol = "", 0, 0, 0
        if target > have:
            n = target - have
            publisher = n * fee
            protocol = publisher * bps // 10_000
            if target < epoch:
                outcome = "target"
            elif n < least:
                outcome = "minimum"
            elif publisher + protocol > coins["ann"]:
                outcome = "funds"
            if outcome:
                n = publisher = protocol = 0
            else:
                coins["ann"] -= publisher + protocol
                coins["till"] += publisher
                coins["protocol"] += protocol
                bound[who] = target
        steps.append([now, who, target, outcome, n, publisher, protocol, list(coins.values())])
    return [[fee, bps, blocks, least], steps]


print(json.dumps([run(seed) for seed in range(40)], separators=(",", ":")).replace("]]],[[", "]]],\n[["))
