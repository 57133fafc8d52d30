import json
import pvm_host
from json import dumps


def increment(payload):
    n = int((pvm_host.get_state(b"n") or b"0").decode()) + 1
    pvm_host.set_state(b"n", str(n).encode())
    return str(n).encode()


def main(input_bytes):
    request = json.loads(input_bytes.decode())
    return dumps({"did": request["action"]}).encode()


def echo(payload):
    return payload
