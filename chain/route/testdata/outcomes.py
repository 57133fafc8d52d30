"""What names cost and where they are in their lives, by the document alone (gateway-payments-streams A.3): python3 outcomes.py > outcomes.json

fees: [characters, blocks, base units]. lives: [height behind the expiry, status, price of a year of a name of eight characters].
"""

import json
from fractions import Fraction
from math import ceil

CBY, YEAR, GRACE, AUCTION = 10**9, 31_536_000, 2_592_000, 604_800
PREMIUM = {3: 100, 4: 20, 5: 5}


def fee(length, blocks):
    return ceil(Fraction(100 * CBY * PREMIUM.get(length, 1) * blocks, YEAR))


def life(behind):
    """behind: blocks since the expiry, negative before it."""
    price = fee(8, YEAR)
    if behind < 0:
        return ["active", 0]
    if behind < GRACE:
        return ["grace", 0]
    since = behind - GRACE
    if since < AUCTION:  # from ten times the fee, by the same share each block, to the fee
        return ["auction", ceil(price * (10 - Fraction(9 * since, AUCTION)))]
    return ["free", price]


edges = [-1, 0, 1, GRACE - 1, GRACE, GRACE + 1, GRACE + AUCTION // 2, GRACE + AUCTION - 1, GRACE + AUCTION, GRACE + AUCTION + 1]
print(json.dumps({
    "fees": [[n, blocks, fee(n, blocks)] for n in range(3, 9) for blocks in (86_400, 86_401, YEAR - 1, YEAR, YEAR + 1, 10 * YEAR)],
    "lives": [[behind] + life(behind) for behind in edges + [GRACE + AUCTION * n // 97 for n in range(97)]],
}, separators=(",", ":")).replace("],[", "],\n["))
