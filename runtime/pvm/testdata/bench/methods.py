class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def add(self, o):
        return Vec(self.x + o.x, self.y + o.y)
    def dot(self, o):
        return self.x * o.x + self.y * o.y
class Shape:
    def area(self):
        return 0
class Square(Shape):
    def __init__(self, s):
        self.s = s
    def area(self):
        return self.s * self.s
class Rect(Square):
    def __init__(self, s, t):
        super().__init__(s)
        self.t = t
    def area(self):
        return self.s * self.t
def run(n):
    v, d = Vec(0, 0), Vec(1, 2)
    t = 0
    shapes = [Square(2), Rect(3, 4), Square(5)]
    for i in range(n):
        v = v.add(d)
        t += v.dot(d) & 7
        t += shapes[i % 3].area()
    for i in range(n // 10):
        t += Rect(i, 2).area()
    return t, v.x, v.y
print(run(1000000))
