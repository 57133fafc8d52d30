"""What becomes of requests that a budget pays for which is refilled (gateway-payments-streams F, auto_refill), by the document and docs/choices.md alone:
python3 refills.py > refills.json

Rows are [price, refill, cap, budget, coins of the actor, spent today, outcome, budget after, coins after, spent after, to the treasury, to the protocol].
"""

import json


def row(price, refill, cap, budget, coins, today):
    left, own = budget, coins
    if refill and left < price <= left + refill and own >= refill:
        left, own = left + refill, own - refill
    if left < price or cap and today + price > cap:
        return [price, refill, cap, budget, coins, today, "budget", budget, coins, today, 0, 0]
    fee = price * 500 // 10_000
    return [price, refill, cap, budget, coins, today, "", left - price, own, today + price, price - fee, fee]


print("[" + ",\n".join([
    json.dumps(row(price, refill, 1_000, budget, coins, today))
    for price in (119, 120)
    for refill in (0, 1, 119, 120, 500)
    for budget in (0, 1, 118, 119, 120)
    for coins in (0, 118, 119, 120, 499, 500)
    for today in (0, 880, 881)
]) + "]")
