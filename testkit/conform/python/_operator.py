# What package operator does not do in Python as the interpreter does.


def index(a):
    return range(a).stop
