# Class methods taken out of the namespace of their type check what they are called with.
import itertools
for f in (vars(dict)["fromkeys"], vars(itertools.chain)["from_iterable"], vars(int)["from_bytes"], vars(float)["fromhex"],vars(bytes)["fromhex"]):
    for a in ((),(1,),(1,2),(int,),(str,b"a"),(list,[1])):
        try:
            print(f(*a))
        except Exception as e:
            print(type(e).__name__, e)
