from collections import defaultdict
TEXT = """the quick brown fox jumps over the lazy dog while a small bird sings in the old oak tree
and the river runs past the mill where the miller grinds the corn of the valley every morning
nobody knows when the first stone of the bridge was laid but everybody has crossed it once""" * 3
def index(lines):
    where = defaultdict(list)
    for no, line in enumerate(lines):
        for word in line.split():
            where[word].append(no)
    return where
def anagrams(words):
    groups = {}
    for w in words:
        groups.setdefault("".join(sorted(w)), []).append(w)
    return groups
def run(n):
    t = 0
    for i in range(n):
        lines = TEXT.splitlines()
        where = index(lines)
        t += sum(len(v) for v in where.values()) + len(set(where) - {"the", "of"})
        best = sorted(where.items(), key=lambda kv: (-len(kv[1]), kv[0]))[:3]
        counts = {}
        for line in lines:
            for c in line:
                if c != " ":
                    counts[c] = counts.get(c, 0) + 1
        t += max(counts.values()) + len(anagrams(where))
    return t, [k for k, v in best]
print(run(1500))
