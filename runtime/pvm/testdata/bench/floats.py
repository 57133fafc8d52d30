def run(n):
    x = y = z = 0.1
    for i in range(n):
        dx = 10.0 * (y - x)
        dy = x * (28.0 - z) - y
        dz = x * y - 2.6666666666666665 * z
        x += dx * 0.001
        y += dy * 0.001
        z += dz * 0.001
    s = 0.0
    for i in range(1, n):
        s += 1.0 / i
    return x, y, z, s
print(run(500000))
