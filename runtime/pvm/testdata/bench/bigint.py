def run(n):
    p = (1 << 255) - 19
    x, t = 3, 0
    for i in range(n):
        x = x * x % p + i
        t ^= x >> 17
    f = 1
    for i in range(1, 300):
        f *= i
    return t % 1000003, pow(7, p - 2, p) * 7 % p, len(str(f)), f % 1000003
print(run(300000))
