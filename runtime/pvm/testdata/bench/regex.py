import re
def run(n):
    p = re.compile(r"(\w+)@(\w+)\.(com|org)")
    q = re.compile(r"\d+")
    t = 0
    text = "mail bob@example.com or alice@site.org, id 1234 and 99; none@here.net " * 4
    for i in range(n):
        for m in p.finditer(text):
            t += len(m.group(1)) + m.start()
        t += sum(int(x) for x in q.findall(text))
        t += len(q.sub("#", text))
    return t
print(run(4000))
