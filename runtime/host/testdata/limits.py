import pvm_host


def spin(payload):
    while True:
        pass


def eat(payload):
    hoard = []
    while True:
        hoard.append([None] * 5000)


def deep(payload):
    return deep(payload)


def cycle(payload):
    pvm_host.set_state(b"k", b"v")
    a = []
    a.append(a)
    return b"ok"


def fill(payload):
    for i in range(20):
        pvm_host.set_state(b"k%d" % i, b"x" * 60000)


def long(payload):
    return b"x" * 65537


def fan(payload):
    for i in range(1025):
        pvm_host.send_message(pvm_host.get_actor_address(), b"")


def owner(payload):
    pvm_host.set_state(b"__OWNER__", b"x" * 20)


def gas(payload):
    before = pvm_host.gas_left()
    pvm_host.charge_gas(1000)
    return str(before - pvm_host.gas_left()).encode()
