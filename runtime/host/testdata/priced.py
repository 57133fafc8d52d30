from collections import UserList



def nothing():
    pass


# Each handler does the same 100 times, and the one before it the same without what is measured.
def loop(payload):
    for i in range(100):
        pass


def calls(payload):
    for i in range(100):
        nothing()


def names(payload):
    for i in range(100):
        nothing


def library(payload):
    both = UserList([1])
    for i in range(100):
        len(both)


def library_loop(payload):
    both = UserList([1])
    for i in range(100):
        pass
