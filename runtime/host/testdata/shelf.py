import pvm_host


def init(payload):
    pass


def read(payload):
    pvm_host.get_state(b"k")


def write(payload):
    pvm_host.set_state(b"k", b"v")


def delete(payload):
    pvm_host.delete_state(b"k")


def scan(payload):
    pvm_host.scan_state_prefix(b"", 1)


def record_read(payload):
    pvm_host.record_get(b"__continuation:k")


def record_write(payload):
    pvm_host.record_set(b"__continuation:k", b"v")


def record_delete(payload):
    pvm_host.record_delete(b"__continuation:k")


def record_scan(payload):
    pvm_host.record_scan(b"__continuation:", 1)


def assume(payload):
    pvm_host.assume_ownership_if_unowned()


def give(payload):
    pvm_host.transfer_ownership(b"\x11" * 20)


def owner(payload):
    return pvm_host.get_owner()


def later(payload):
    pvm_host.set_timer(pvm_host.get_block_height() + 1, payload.decode())


def send(payload):
    pvm_host.send_message(payload[:20], {"handler": payload[20:].decode()})


def ask(payload):
    try:
        pvm_host.call_actor(payload[:20], payload[20:].decode())
    except Exception as error:
        return str(error).encode()
    return b"answered"
