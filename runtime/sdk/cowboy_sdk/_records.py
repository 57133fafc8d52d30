"""Continuation records in the actor's own storage: the plumbing under continuations.

A record lies under __continuation:<cid> as a 32-byte checksum, keccak256 of what follows, and a canonical CBOR map.
"""

import pvm_host as _host
from cowboy_sdk.errors import (
    ContinuationCorruptedError,
    ContinuationCountLimitError,
    ContinuationNotFoundError,
    ContinuationSizeLimitError,
)

CONTINUATION_MAX_SIZE = 65_536
CONTINUATION_MAX_COUNT = 100

_COUNT = "__continuation:#"


def new_cid(actor, name):
    """An identity no other await has: keccak256 of transaction, message, block, actor, sender, name and a counter, in hexadecimal."""
    now = _host.context()
    parts = [
        now["tx_hash"], now["msg_id"], now["block_height"].to_bytes(8, "big"), now["actor_addr"], now["sender"] or b"",
        name.encode(), _host.next_counter().to_bytes(8, "big"),
    ]
    return _host.keccak256(b"".join(parts)).hex()


def save(cid, record):
    """Writes a record; one that is new counts towards the actor's 100."""
    body = _host.cbor_encode(record)
    if len(body) + 32 > CONTINUATION_MAX_SIZE:
        raise ContinuationSizeLimitError("a record of " + str(len(body) + 32) + " bytes; at most 65536 are kept")
    key = "__continuation:" + cid
    if _host.record_get(key) is None:
        count = active()
        if count >= CONTINUATION_MAX_COUNT:
            raise ContinuationCountLimitError("100 continuations wait already")
        _host.record_set(_COUNT, _host.cbor_encode(count + 1))
    _host.record_set(key, _host.keccak256(body) + body)


def load(cid):
    """Reads a record, or raises ContinuationNotFoundError or ContinuationCorruptedError."""
    raw = _host.record_get("__continuation:" + cid)
    if raw is None:
        raise ContinuationNotFoundError("no continuation waits under " + cid)
    if len(raw) < 33 or _host.keccak256(raw[32:]) != raw[:32]:
        raise ContinuationCorruptedError("the record under " + cid + " fails its checksum")
    return _host.cbor_decode(raw[32:])


def delete(cid):
    """Removes a record; an absent one is no error."""
    key = "__continuation:" + cid
    if _host.record_get(key) is not None:
        _host.record_delete(key)
        _host.record_set(_COUNT, _host.cbor_encode(active() - 1))


def active():
    """How many continuations of the actor wait."""
    raw = _host.record_get(_COUNT)
    return 0 if raw is None else _host.cbor_decode(raw)
