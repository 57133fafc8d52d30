"""What becomes of a job, by another program: writes outcomes.txt. Nothing of the project is used; the rules are those of the whitepaper (5.3, 5.4,
8.4, 13) and of the digest of the market (2.4, 5, 5.1, 5.2, 6.3, 7, 8.1). Run: python3 outcomes.py > outcomes.txt

A job offers 10 CBY and a tip of 1 for at most 100 tokens, of which each costs a hundredth of a CBY. Runners have a stake of 20,000 CBY each. All
numbers are base units, 10^9 of which are a CBY. A line: mode, name, who aggregates, status; what each member is paid; what each loses of its stake;
what the job costs its submitter; what is burned, with stakes and bonds; what is the treasury's; what the challenger loses."""
from collections import Counter

CBY = 10**9
OFFER, TIP, TOKEN, MOST = 10 * CBY, CBY, CBY // 100, 100
STAKE, BOND = 20_000 * CBY, 100 * CBY
HIDING = min(STAKE * 2500 // 10000, 100_000 * CBY)  # 8.1: a quarter, at most 100,000 CBY
MISUSE = STAKE * 3000 // 10000  # 6.3 (rec)
FEE = 52_000 * 10_000  # 5.2, actor fault: two transactions of 21,000 cycles and a signature of 10,000 at the basefee of 10,000

MODES = ["none", "economicbond", "majorityvote", "structuredmatch", "deterministic", "semanticsimilarity"]

# What members do: a letter is the data they give; "" is silence, "hide" a commitment without a reveal, "crash" one with an attestation within 50
# blocks, "late" one with an attestation after the window; "cannot 1/4", "outside 1/4" and "yours" are reports of an impossible job, an outside fault
# and the submitter's. A job of one runner is given to it at once, so that nobody can cancel it any more (5).
ALONE = {
    "success": [["a"]],
    "non-reveal": [["hide"]],
    "crash in time": [["crash"]],
    "crash out of time": [["late"]],
    "timeout": [[""]],
    "timeout, then success": [[""], ["a"]],
    "impossible": [["cannot 1/4"]],
    "impossible, all but done": [["cannot 99/100"]],
    "outside fault": [["outside 1/4"]],
    "submitter's fault": [["yours"]],
    "challenge won": ([["a"]], 0, 101, False),
    "challenge won, paid": ([["a"]], 0, 101, True),
    "challenge lost": ([["a"]], 0, 100, False),
}
THREE = {
    "success": [["a", "a", "a"]],
    "a dissenter": [["a", "b", "a"]],
    "disagreement": [["a", "b", "c"]],
    "disagreement, then success": [["a", "b", "c"], ["a", "a", "a"]],
    "non-reveal": [["a", "hide", "a"]],
    "two do not reveal": [["hide", "hide", "a"]],
    "crash in time": [["a", "crash", "a"]],
    "crash out of time": [["a", "late", "a"]],
    "one is silent": [["", "a", "a"]],
    "timeout": [["", "", ""]],
    "timeout, then success": [["", "", ""], ["a", "a", "a"]],
    "cancellation": None,
    "impossible": [["cannot 1/4"] * 3],
    "impossible, all but done": [["cannot 99/100"] * 3],
    "outside fault": [["outside 1/4"] * 3],
    "submitter's fault": [["yours"] * 3],
    "challenge won": ([["a", "a", "a"]], 1, 101, False),
    "challenge won, paid": ([["a", "a", "a"]], 1, 101, True),
    "challenge lost": ([["a", "a", "a"]], 1, 100, False),
}


def shared(amount, among, first):
    """Equal parts, and what does not divide to the first."""
    parts = {i: amount // len(among) for i in among}
    parts[first] += amount % len(among)
    return parts


def settle(gross, tip, among, aggregator, success):
    """8.4, 5.2: a tenth is burned, a hundredth the treasury's; an aggregator that is paid has 150 bps of the whole first, of the runners' side."""
    burned, treasury = gross * 1000 // 10000, gross * 100 // 10000
    side = gross - burned - treasury
    bonus = gross * 150 // 10000 if success and aggregator in among else 0
    first = aggregator if aggregator in among else among[0]
    pay = shared(side - bonus, among, first)
    for i, part in shared(tip, among, first).items():
        pay[i] += part
    pay[first] += bonus
    return pay, gross + tip, burned, treasury


def play(case, size, aggregator):
    need = 2 if size == 3 else 1
    pay, lost, cost, burned, treasury, challenger = Counter(), Counter(), 0, 0, 0, 0
    if case is None:
        return "Cancelled", pay, lost, cost, burned, treasury, challenger
    attempts, accused, claims, after = case if isinstance(case, tuple) else (case, None, MOST, False)
    agreed, word = None, None
    for acts in attempts:
        lost = Counter({i: HIDING for i, act in enumerate(acts) if act in ("hide", "late")})
        words = Counter(act for act in acts if act not in ("", "hide", "late", "crash"))
        agreed = None
        for one, n in words.items():
            if n >= need:
                word, agreed = one, [i for i, act in enumerate(acts) if act == one]
    status = "Completed" if agreed is not None else "Failed"
    if accused is not None and claims > MOST:
        lost[accused] += MISUSE
        if not after:
            agreed, status = None, "Failed"
    elif accused is not None:
        challenger = BOND
    if agreed is not None:
        kind, _, progress = word.partition(" ")
        if kind == "yours":  # what the chain took of them, at most the offer, and nothing is burned
            gross = min(FEE * len(agreed), OFFER)
            pay, cost = shared(gross, agreed, aggregator if aggregator in agreed else agreed[0]), gross
        elif kind in ("cannot", "outside"):  # pro rata of what was expected; at most half of the offer where one runner says so
            done, total = map(int, progress.split("/"))
            gross = min(MOST * TOKEN * done // total, OFFER if size == 3 else OFFER // 2)
            pay, cost, burned, treasury = settle(gross, 0, agreed, aggregator, False)
        else:  # the lower median of what they used
            used = sorted(claims if i == accused else MOST for i in agreed)
            gross = min(used[(len(used) - 1) // 2] * TOKEN, OFFER)
            pay, cost, burned, treasury = settle(gross, TIP, agreed, aggregator, True)
    burned += sum(lost.values()) + challenger
    return status, pay, lost, cost, burned, treasury, challenger


for mode in MODES:
    size = 1 if mode in MODES[:2] else 3
    for name, case in (ALONE if size == 1 else THREE).items():
        for aggregator in range(size):
            status, pay, lost, *rest = play(case, size, aggregator)
            columns = [mode, name, aggregator, status, *(pay.get(i, 0) for i in range(size)), *(lost[i] for i in range(size)), *rest]
            print("\t".join(map(str, columns)))
