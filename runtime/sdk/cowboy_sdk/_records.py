"""Continuation records in the actor's own storage: the plumbing under continuations.

A record lies under __continuation:<cid> as a checksum (32 bytes, keccak256 of what follows), the timeout block (8 bytes, big-endian, 0 for
none) and a canonical CBOR map.
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

_PREFIX = "__continuation:"
_COUNT = "__continuation:#"
_HEAD = 40
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"


def new_cid(actor, name):
    """An identity no other await has, 16 characters: drawn from keccak256 of transaction, message, block, actor, sender, name and a counter."""
    now = _host.context()
    parts = [
        now["tx_hash"], now["msg_id"], now["block_height"].to_bytes(8, "big"), now["actor_addr"], now["sender"] or b"",
        name.encode(), _host.next_counter().to_bytes(8, "big"),
    ]
    number = int.from_bytes(_host.keccak256(b"".join(parts))[:12], "big")
    return "".join([_DIGITS[number >> shift & 63] for shift in range(0, 96, 6)])


def save(cid, record):
    """Writes a record; one that is new counts towards the actor's 100. Records past their timeout block make room."""
    timeout = record["timeout"]
    body = timeout.to_bytes(8, "big") + _host.cbor_encode(record)
    if len(body) + 32 > CONTINUATION_MAX_SIZE:
        raise ContinuationSizeLimitError("a record of " + str(len(body) + 32) + " bytes; at most 65536 are kept")
    key = _PREFIX + cid
    if _host.record_get(key) is None:
        count = active()
        if count >= CONTINUATION_MAX_COUNT:
            count -= _expire()
        if count >= CONTINUATION_MAX_COUNT:
            raise ContinuationCountLimitError("100 continuations wait already")
        _host.record_set(_COUNT, _host.cbor_encode(count + 1))
    _host.record_set(key, _host.keccak256(body) + body)


def load(cid):
    """Reads a record, or raises ContinuationNotFoundError or ContinuationCorruptedError."""
    raw = _host.record_get(_PREFIX + cid)
    if raw is None:
        raise ContinuationNotFoundError("no continuation waits under " + cid)
    if len(raw) <= _HEAD or _host.keccak256(raw[32:]) != raw[:32]:
        raise ContinuationCorruptedError("the record under " + cid + " fails its checksum")
    return _host.cbor_decode(raw[_HEAD:])


def delete(cid):
    """Removes a record; an absent one is no error."""
    key = _PREFIX + cid
    if _host.record_get(key) is not None:
        _host.record_delete(key)
        _host.record_set(_COUNT, _host.cbor_encode(active() - 1))


def active():
    """How many continuations of the actor wait."""
    raw = _host.record_get(_COUNT)
    return 0 if raw is None else _host.cbor_decode(raw)


def _expire():
    """Removes the records whose results would come too late, and gives their number."""
    height, gone = _host.get_block_height(), 0
    for key, raw in _host.record_scan(_PREFIX):
        if len(raw) > _HEAD and 0 < int.from_bytes(raw[32:_HEAD], "big") < height:
            record = _host.cbor_decode(raw[_HEAD:])
            if record.get("group"):
                for i in range(len(record["about"])):
                    _host.record_delete("__runner_result:" + key.decode()[len(_PREFIX):] + ":" + str(i))
            _host.record_delete(key)
            gone += 1
    return gone
