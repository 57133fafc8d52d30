# Methods of methods, and aliases of lists that contain themselves.
class A:
    def f(*a):
        return len(a)


M = type(A().f)
x = A().f
for i in range(9):
    x = M(x, i)
print(x(), x(5, 6), x(*range(3)))
loop = []
loop.append(loop)
print(list[loop], list[[int, "x"]], dict[[int], [[str]]])
loop.clear()
