
from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from typing import Any, Mapping, Protocol, Sequence, TypeVar, Union

Json = Union[None, bool, int, str, Sequence["Json"], Mapping[str, "Json"]]
T = TypeVar("T")


class CallError(Exception):
    """A query or a transaction was refused or failed."""


class Transport(Protocol):
    """How an actor is reached."""

    def query(self, actor: str, handler: str, payload: bytes) -> bytes: ...

    def call(self, actor: str, handler: str, payload: bytes, value: str) -> bytes: ...


class Node:
    """A node's HTTP interface for queries; the cowboy command, which holds the wallet, for transactions."""

    def __init__(self, url: str = "http://localhost:4000", command: Sequence[str] = ("cowboy",)) -> None:
        self.url = url.rstrip("/")
        self.command = list(command)

    def query(self, actor: str, handler: str, payload: bytes) -> bytes:
        body = json.dumps({"selector": handler, "payload": payload.hex()}).encode()
        request = urllib.request.Request(
            f"{self.url}/actor/{actor}/read_handler", data=body, headers={"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return bytes.fromhex(json.load(reply)["result"])
        except urllib.error.HTTPError as error:
            raise CallError(_why(error.read())) from None

    def call(self, actor: str, handler: str, payload: bytes, value: str) -> bytes:
        done = subprocess.run(
            [*self.command, "actor", "execute", "--json", "--wait", "--rpc-url", self.url, "--actor", actor,
             "--handler", handler, "--payload", "0x" + payload.hex(), "--value", value],
            capture_output=True,
            check=False,
        )
        try:
            receipt = json.loads(done.stdout)["receipt"]
        except (ValueError, KeyError):
            raise CallError(done.stderr.decode(errors="replace").strip()) from None
        if not receipt["success"]:
            raise CallError((receipt.get("error") or {}).get("why") or receipt["status"])
        return bytes.fromhex(receipt["return_data"])


def _why(body: bytes) -> str:
    try:
        told = json.loads(body)
        return told.get("why") or told["message"]
    except (ValueError, KeyError, AttributeError):
        return body.decode(errors="replace")


def encode(payload: bytes | str | Json) -> bytes:
    """What a handler is given: bytes as they are, text as UTF-8, anything else as JSON."""
    if isinstance(payload, bytes):
        return payload
    if isinstance(payload, str):
        return payload.encode()
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()


def typed(kind: type[T], data: bytes) -> T:
    """A result of the type that the handler says it returns."""
    value = decode(data)
    if type(value) is not kind:
        raise CallError(f"the handler gave {type(value).__name__} where it says {kind.__name__}")
    return value


def decode(data: bytes) -> Any:
    """The value of canonical CBOR."""
    try:
        value, end = _item(data, 0)
    except (IndexError, UnicodeDecodeError, TypeError, RecursionError) as error:
        raise CallError("the result is not CBOR") from error
    if end != len(data):
        raise CallError("something follows the result")
    return value


def _item(data: bytes, at: int) -> tuple[Any, int]:
    major, info = data[at] >> 5, data[at] & 31
    at += 1
    size = info
    if 24 <= info < 28:
        width = 1 << (info - 24)
        if len(data) < at + width:
            raise IndexError
        size, at = int.from_bytes(data[at : at + width], "big"), at + width
    elif info >= 28:
        raise IndexError
    if major == 0:
        return size, at
    if major == 1:
        return -1 - size, at
    if major in (2, 3):
        if len(data) < at + size:
            raise IndexError
        chunk = data[at : at + size]
        return (bytes(chunk) if major == 2 else chunk.decode()), at + size
    if major == 4:
        items = []
        for _ in range(size):
            item, at = _item(data, at)
            items.append(item)
        return items, at
    if major == 5:
        pairs = {}
        for _ in range(size):
            key, at = _item(data, at)
            pairs[key], at = _item(data, at)
        return pairs, at
    if major == 6:
        value, at = _item(data, at)
        if size == 2:
            return int.from_bytes(value, "big"), at
        if size == 3:
            return -1 - int.from_bytes(value, "big"), at
        return value, at
    if info in (20, 21, 22):
        return {20: False, 21: True, 22: None}[info], at
    raise IndexError
