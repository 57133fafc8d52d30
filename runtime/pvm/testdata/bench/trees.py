class Node:
    __slots__ = ("left", "right", "key")
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right
    def insert(self, key):
        node = self
        while True:
            if key < node.key:
                if node.left is None:
                    node.left = Node(key)
                    return
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key)
                    return
                node = node.right
    def total(self):
        t = self.key
        if self.left:
            t += self.left.total()
        if self.right:
            t += self.right.total()
        return t
    def walk(self):
        if self.left:
            yield from self.left.walk()
        yield self.key
        if self.right:
            yield from self.right.walk()
def make(d):
    return (make(d - 1), make(d - 1)) if d else (None, None)
def check(t):
    l, r = t
    return 1 + check(l) + check(r) if l else 1
def run(n):
    x, root = 7, Node(500)
    for i in range(n):
        x = (x * 1103515245 + 12345) & 0x7fffffff
        root.insert(x % 100003)
    order = list(root.walk())
    return root.total(), order == sorted(order), len(order), sum(check(make(10)) for _ in range(40))
print([run(9000) for _ in range(5)][0])
