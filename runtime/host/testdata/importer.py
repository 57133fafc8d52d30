import pvm_host


def price(target):
    before = pvm_host.gas_left()
    pvm_host.call_actor(target, "one")
    return before - pvm_host.gas_left()


def twice(payload):
    first = price(payload)
    return b"%d" % (first - price(payload))


def beside(payload):
    first = price(payload[:20])
    return b"%d" % (first - price(payload[20:]))


def after(payload):
    import math
    return b"%d" % price(payload)


def alone(payload):
    return b"%d" % price(payload)


def later(payload):
    pvm_host.set_timer(pvm_host.get_block_height() + 1, "twice", payload)


def send(payload):
    pvm_host.send_message(pvm_host.get_actor_address(), {"handler": "told", "target": payload})


def told(payload):
    return twice(payload["target"])
