def advance(bodies, pairs, dt, n):
    for i in range(n):
        for a, b in pairs:
            dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
            d2 = dx * dx + dy * dy + dz * dz
            mag = dt / (d2 * d2 ** 0.5)
            ma, mb = a[6] * mag, b[6] * mag
            a[3] -= dx * mb
            a[4] -= dy * mb
            a[5] -= dz * mb
            b[3] += dx * ma
            b[4] += dy * ma
            b[5] += dz * ma
        for r in bodies:
            r[0] += dt * r[3]
            r[1] += dt * r[4]
            r[2] += dt * r[5]
def energy(bodies):
    e = 0.0
    for i, a in enumerate(bodies):
        e += a[6] * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5]) / 2.0
        for b in bodies[i + 1:]:
            dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
            e -= a[6] * b[6] / (dx * dx + dy * dy + dz * dz) ** 0.5
    return e
def run(n):
    bodies = [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.5], [4.84, -1.16, -0.1, 0.6, 2.8, -0.02, 0.0377],
              [8.34, 4.12, -0.4, -1.0, 1.8, 0.008, 0.0113], [12.9, -15.1, -0.22, 1.08, 0.87, -0.01, 0.0017],
              [15.4, -25.9, 0.18, 0.98, 0.59, -0.035, 0.002]]
    pairs = [(a, b) for i, a in enumerate(bodies) for b in bodies[i + 1:]]
    before = energy(bodies)
    advance(bodies, pairs, 0.01, n)
    return before, energy(bodies)
print(run(20000))
