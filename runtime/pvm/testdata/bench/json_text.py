import json
def run(n):
    t = 0
    doc = {"id": 1, "name": "alice", "tags": ["a", "b", "c"], "nested": {"x": [1, 2, 3], "y": None, "z": True}}
    for i in range(n):
        doc["id"] = i
        s = json.dumps(doc, sort_keys=True, separators=(",", ":"))
        d = json.loads(s)
        t += d["id"] + len(s) + len(d["nested"]["x"])
    return t
print(run(30000))
