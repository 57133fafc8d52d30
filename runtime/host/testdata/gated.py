"""One operation that an entitlement gates, named by its payload: transaction, timer and nested call deliver it as bytes, a message in a map."""

import pvm_host

CHILD = b"""
import pvm_host

def init(payload):
    if payload == b"fail":
        raise ValueError("no child")
    pvm_host.set_state(b"init", payload + pvm_host.get_sender())

def write(payload):
    pvm_host.set_state(b"k", payload)
    return b"written"

def later(payload):
    pvm_host.set_timer(pvm_host.get_block_height() + 50, "write", b"")

def spawn(payload):
    return pvm_host.spawn_actor(payload, b"", None)

def pay(payload):
    pvm_host.transfer(payload, 1)
"""

ROUTE = {"verb": "GET", "pays": "actor", "price": 0, "priority": 1, "enabled": True, "target": {"kind": "method", "name": "do"}}


def do(payload):
    what, *args = payload.decode().split()
    if what == "write":
        pvm_host.set_state(b"k", b"v" * int(args[0]))
    elif what == "pay":
        for amount in args:
            pvm_host.transfer("11" * 20, int(amount))
    elif what == "timers":
        for i in range(int(args[0])):
            pvm_host.set_timer(pvm_host.get_block_height() + 50 + i, "do", b"none")
    elif what == "models":
        for tokens in args:
            pvm_host.send_message("00" * 19 + "02", {"job_type": "llm", "prompt": "q", "max_tokens": int(tokens)})
    elif what == "fetch":
        for url in args:
            pvm_host.send_message("00" * 19 + "02", {"job_type": "http", "url": url})
    elif what == "children":
        for i in range(int(args[0])):
            pvm_host.spawn_actor(CHILD, str(i))
    elif what == "routes":
        pvm_host.publish_routes([dict(ROUTE, path="/" + str(i)) for i in range(int(args[0]))])
    return b"done"


def message(msg):
    return do(msg["what"])


def failing(payload):
    do(payload)
    raise ValueError("and all of it again")


def retried(payload):
    try:
        pvm_host.call_actor(pvm_host.get_actor_address(), "failing", payload, 400_000)
    except Exception:
        pass
    return do(payload)


def spawn(payload):
    salt, manifest, handler, data = payload.split(b"|")
    return pvm_host.spawn_actor(CHILD, salt, manifest or None, handler.decode() or None, data)


def spawn_list(payload):
    return pvm_host.spawn_actor(CHILD, b"list", [{"id": "storage.kv", "params": {"max_bytes": 50}}])


def spawn_source(payload):
    return pvm_host.spawn_actor(payload)


def spawn_caught(payload):
    out = []
    for manifest, handler in ((b'[{"id":"econ.transfer","params":{"max_amount":1}}]', None), (None, "init"), (b"[7]", None)):
        try:
            pvm_host.spawn_actor(CHILD, b"caught", manifest, handler, b"fail")
        except pvm_host.HostError as e:
            out.append("%s %s %d %s" % (e.name, e.slug, e.code, str(e)))
    return "\n".join(out).encode()


def call(payload):
    target, handler, data = payload.split(b"|")
    return pvm_host.call_actor(target.decode(), handler.decode(), data, 400_000)


def caught(payload):
    try:
        return call(payload)
    except pvm_host.HostError as e:
        return ("%s %s %d %s" % (e.name, e.slug, e.code, str(e))).encode()


def send(payload):
    target, what = payload.split(b"|")
    pvm_host.send_message(target.decode(), {"handler": "message", "what": what})


def read(payload):
    return pvm_host.get_state(payload)
