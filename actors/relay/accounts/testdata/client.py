"""A client of the account API of relays (docs/running-a-relay.md), of Python's own library.

python3 client.py URL KEYFILE PATH [NODE_ID]    prints what a relay answers; KEYFILE is of `cowboy volume delegate`
"""
import base64
import json
import secrets
import sys
import time
import urllib.error
import urllib.request

from vectors import headers


def fetch(method, url, given):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method, headers=given)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        sys.exit(json.dumps(json.load(refused), indent=1))


def ask(url, key, path, node=None):
    cert = base64.b64decode(key["certificate"])
    given = fetch("POST", url + "/ras/challenge", {"X-Cbfs-Delegation": key["certificate"]})
    node = bytes.fromhex((node or given["node_id"]).removeprefix("0x"))
    return fetch("GET", url + path, headers(
        bytes.fromhex(key["cbfs_private_key"]), node, "GET", path, b"", cert, int(time.time() * 1000), secrets.token_hex(16), given["challenge_id"],
        base64.b64decode(given["challenge"])))


if __name__ == "__main__":
    with open(sys.argv[2]) as file:
        print(json.dumps(ask(sys.argv[1], json.load(file), *sys.argv[3:]), indent=1))
