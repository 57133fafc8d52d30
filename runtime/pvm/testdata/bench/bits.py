def run(n):
    h = 0xcbf29ce484222325
    for i in range(n):
        h ^= i & 0xff
        h = h * 0x100000001b3 & 0xffffffffffffffff
    x, s = 0x12345678, 0
    for i in range(n):
        x ^= x << 13 & 0xffffffff
        x ^= x >> 17
        x ^= x << 5 & 0xffffffff
        s += x & 1
    return h, x, s
print(run(1000000))
