def system():
    return "Linux"


def machine():
    return "pvm"


def python_implementation():
    return "PVM"


def libc_ver(*args):
    return ("", "")


def architecture(*args):
    return ("64bit", "")
