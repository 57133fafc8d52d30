# Arithmetic that mixes int, float and bool.
print(0 / -1, 0 / 5, 0.0 / -1, -0.0 + 0, 0 * -1.0, 0 // -1, 0 % -5, -7 // 2, 7 // -2, -7 % 3, 7 % -3)
print(1 + 1.0, True + 1.5, 3 * 0.5, 7 // 2.0, 7 % 2.5, 2 ** 0.5, 10 - 0.1, 1 / 4, 0.5 == 1 / 2, 1 == 1.0 == True)
print([type(x).__name__ for x in (1 + 1, 1 + 1.0, True + 1, 1 / 1, 3 // 1, 3.0 // 1, 2 ** 2, 2 ** -1, abs(-1), abs(-1.0), round(1.5), -True)])
print(sorted([3, 1.5, True, 2.5, 0, -1, 1e-3, 2**70, 1e30]), max([1, 1.0, True]), min([1.0, 1, True]))
print(2**62 < 4.7e18, 2**63 > 9.2e18, 10**400 > 1e308, -10**400 < -1e308, 2**1024 > float("inf"), 10**400 == float("inf"))
print(divmod(7, 2.0), divmod(-7.0, 2), pow(2, 3.0), pow(2.0, 3), sum([1, 2.5, True]), sum([0.1] * 3), sum([], 0.0))
print(int(1e15), int(-0.9), float(7), int("7") + float("7.5"), str(1) + str(1.0), repr(1e5), repr(100000), 1e5 == 100000)
