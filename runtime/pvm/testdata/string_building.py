# Building, slicing and transforming strings in loops.
s = ""
for i in range(200): s += chr(97 + i % 26)
print(len(s), s[::25], s.count("abc"), s[5:10], s[-5:], s[10:5:-1])
parts = []
for i in range(50): parts.append(f"{i}:{i * i}")
print(",".join(parts)[:60], len(",".join(parts)))
def box(lines, ch="*"):
    w = max(map(len, lines))
    yield ch * (w + 4)
    for l in lines: yield f"{ch} {l:<{w}} {ch}"
    yield ch * (w + 4)
print("\n".join(box(["hello", "a longer line", ""])))
for n in range(1, 5): print(" " * (4 - n) + "*" * (2 * n - 1))
print("".join(sorted("the quick brown fox")).strip(), "".join(dict.fromkeys("mississippi")), "".join(c.upper() if i % 2 else c for i, c in enumerate("alternate")), " ".join(w.capitalize() for w in "a tale of two cities".split()))
def rot(s, k): k %= len(s); return s[k:] + s[:k]
print([rot("abcd", k) for k in range(-1, 5)], "abcd" in rot("cdab", 2) * 2, s.startswith(s[:26] * 3), s.partition("z")[0], s.rpartition("a")[2])
def common_prefix(ws):
    out = ""
    for cs in zip(*ws):
        if len(set(cs)) > 1: break
        out += cs[0]
    return out
print(common_prefix(["flower", "flow", "flight"]), common_prefix(["x"]), repr(common_prefix(["a", "b"])))
def expand(s):
    stack, cur, num = [], "", 0
    for c in s:
        if c.isdigit(): num = num * 10 + int(c)
        elif c == "[": stack.append((cur, num)); cur, num = "", 0
        elif c == "]": prev, k = stack.pop(); cur = prev + cur * k
        else: cur += c
    return cur
print(expand("3[a2[c]]x"), expand("2[abc]3[cd]ef"), len(expand("10[10[10[z]]]")))
def balanced(s):
    st = []
    for c in s:
        if c in "([{": st.append(c)
        elif c in ")]}":
            if not st or "([{".index(st.pop()) != ")]}".index(c): return False
    return not st
print([balanced(x) for x in ("()[]{}", "([)]", "((", "", "{[()]}")])
def zigzag(s, n):
    rows, i, d = [""] * n, 0, 1
    for c in s:
        rows[i] += c
        if not 0 <= i + d < n: d = -d
        i += d
    return rows
print(zigzag("PAYPALISHIRING", 3), "".join(zigzag("PAYPALISHIRING", 4)))
def spiral(m):
    out = []
    m = [r[:] for r in m]
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out
print(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), spiral([[1, 2], [3, 4], [5, 6]]))
def look_say(n):
    s = "1"
    for _ in range(n):
        out, i = "", 0
        while i < len(s):
            j = i
            while j < len(s) and s[j] == s[i]: j += 1
            out += f"{j - i}{s[i]}"; i = j
        s = out
    return s
print([look_say(i) for i in range(7)], len(look_say(20)))
def levels(s): return [(c, s.count(c)) for c in sorted(set(s), key=lambda c: (-s.count(c), c)) if c != " "][:5]
print(levels("it was the best of times"), max("banana", key="banana".count), [i for i, c in enumerate("banana") if c == "a"], "banana".replace("a", "{}").format(1, 2, 3))
t = str.maketrans({"a": "4", "e": "3", "o": None, "l": "|_"})
print("hello leet code".translate(t), "x".join("abc").split("x"), "a,b;c d".replace(",", " ").replace(";", " ").split(), "%-10s|%5.1f|%03d" % ("left", 2.345, 7), "tab\tsep".expandtabs(8), "ab\n cd".splitlines(), repr("mixed \"quotes' \\ \n"))
def diff(a, b): return "".join(x if x == y else f"[{x}{y}]" for x, y in zip(a, b))
print(diff("kitten", "mitten"), sum(a != b for a, b in zip("GAGCCTACTAACGGGAT", "CATCGTAATGACGGCCT")), "GATTACA".translate(str.maketrans("ACGT", "TGCA"))[::-1], [("GATTACA" * 3)[i:i + 3] for i in range(0, 21, 3)])
