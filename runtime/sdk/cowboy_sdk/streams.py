"""Streams: their messages and filters, and the Stream Key Manager, which sells access to the keys of managed ones."""

import pvm_host as _host
from cowboy_sdk import codec
from cowboy_sdk.errors import _define

MANAGER = b"\x00" * 19 + b"\x0d"

MAX_PAYLOAD = 16_384
MAX_KIND = 64
MAX_CONTENT_TYPE = 128
MAX_TAGS = 2_048
MAX_FILTER = 2_048
FILTER_DEPTH = 4
FILTER_PREDICATES = 16
CIPHERTEXT_FRAME = 24 + 16

StreamSignatureError = _define("StreamSignatureError", "E1872", 2, "INVALID_SIGNATURE: the publisher's key did not sign this", "sign it again")
StreamPayloadError = _define("StreamPayloadError", "E1873", 8, "PAYLOAD_TOO_LARGE: a payload has at most 16,384 bytes", "publish less, or a reference")
StreamFilterError = _define("StreamFilterError", "E1874", 2, "INVALID_FILTER: the filter is none, or too deep or long", "use known fields and operators")
StreamCursorError = _define("StreamCursorError", "E1875", 3, "CURSOR_TOO_OLD: messages behind the cursor are gone", "begin at the floor")
StreamLimitError = _define("StreamLimitError", "E1876", 8, "LIMIT_EXCEEDED: a number is beyond what a stream takes", "ask for less")
StreamPaymentError = _define("StreamPaymentError", "E1877", 2, "PAYMENT_REQUIRED: the coins do not cover the epochs", "send more")
StreamCapError = _define("StreamCapError", "E1878", 8, "SUBSCRIBER_CAP_REACHED: the stream has as many subscribers as it takes", "pull instead")
StreamPolicyError = _define("StreamPolicyError", "E1879", 5, "SUBSCRIPTION_NOT_ALLOWED: the stream has a list, without you", "ask the owner")
StreamMessageError = _define("StreamMessageError", "E1880", 2, "the message is not the next one, or has a bad field", "read get_head and sign again")


# ---- messages


def stream_id(actor, name):
    """The identity of the stream an actor publishes under a name: keccak256(actor ‖ name)."""
    return _host.keccak256(_bytes(actor) + _bytes(name))


def signed_bytes(message):
    """What a publisher signs: the canonical CBOR of all fields but the payload, which payload_hash stands for, and the signature."""
    return codec.encode({key: value for key, value in message.items() if key not in ("payload_inline", "publisher_sig")})


def verify_message(message, public_key):
    """Whether the payload is the one that was signed, by the holder of an ed25519 key."""
    import hashlib

    return hashlib.sha256(message["payload_inline"]).digest() == message["payload_hash"] and _host.verify_signature(
        "ed25519", public_key, signed_bytes(message), message["publisher_sig"])


def check_tags(tags):
    """Raises StreamMessageError unless tags are a map of text to text, int or bool."""
    good = isinstance(tags, dict) and all([
        isinstance(key, str) and key and (isinstance(value, (str, bool)) or isinstance(value, int) and -2**63 <= value < 2**64)
        for key, value in tags.items()
    ])
    if not good or len(codec.encode(tags)) > MAX_TAGS:
        raise StreamMessageError("tags are text, int or bool by name, and have at most %d bytes" % MAX_TAGS)


# ---- filters


def check_filter(tree):
    """Raises StreamFilterError unless it is a filter: {"field", "op", "value"}, or {"all": […]}, {"any": […]}, {"not": …} of filters."""
    try:
        size = len(codec.encode(tree))
    except _host.HostError:
        size = MAX_FILTER + 1
    if size > MAX_FILTER or _predicates(tree, 1) > FILTER_PREDICATES:
        raise StreamFilterError("a filter has at most %d predicates and %d bytes" % (FILTER_PREDICATES, MAX_FILTER))


def _predicates(tree, depth):
    if depth > FILTER_DEPTH:
        raise StreamFilterError("a filter is at most %d deep" % FILTER_DEPTH)
    if not isinstance(tree, dict):
        raise StreamFilterError("a filter is a map")
    keys = sorted(tree)
    if keys == ["all"] or keys == ["any"]:
        parts = tree[keys[0]]
        if not isinstance(parts, list) or not parts:
            raise StreamFilterError(keys[0] + " takes a list of filters")
        return sum([_predicates(part, depth + 1) for part in parts])
    if keys == ["not"]:
        return _predicates(tree["not"], depth + 1)
    if keys != ["field", "op", "value"]:
        raise StreamFilterError("a predicate has field, op and value")
    _check_predicate(tree["field"], tree["op"], tree["value"])
    return 1


def _check_predicate(field, op, value):
    if not isinstance(field, str) or field not in ("kind", "sequence", "timestamp") and not (field.startswith("tags.") and len(field) > 5):
        raise StreamFilterError("a field is kind, sequence, timestamp or tags.<name>")
    if op in ("eq", "ne"):
        good = isinstance(value, (str, bool, int))
    elif op in ("gte", "lte"):
        good = isinstance(value, int) and not isinstance(value, bool)
    elif op in ("in", "nin"):
        good = isinstance(value, list) and all([isinstance(item, (str, bool, int)) for item in value])
    else:
        good = op == "exists" and isinstance(value, bool)
    if not good:
        raise StreamFilterError("%s has no value of this kind" % (op,))


def matches(tree, message):
    """Whether a message passes a filter; None passes all."""
    if tree is None:
        return True
    if "all" in tree:
        return all([matches(part, message) for part in tree["all"]])
    if "any" in tree:
        return any([matches(part, message) for part in tree["any"]])
    if "not" in tree:
        return not matches(tree["not"], message)
    field, op, value = tree["field"], tree["op"], tree["value"]
    if field == "timestamp":
        found = message["timestamp_unix_ms"]
    elif field.startswith("tags."):
        found = message["tags"].get(field[5:])
    else:
        found = message[field]
    if op == "exists":
        return (found is not None) == value
    if op == "eq" or op == "ne":
        return _same(found, value) == (op == "eq")
    if op == "in" or op == "nin":
        return any([_same(found, item) for item in value]) == (op == "in")
    if found is None or isinstance(found, (bool, str)):
        return False
    return found >= value if op == "gte" else found <= value


def _same(a, b):
    """Equal, and of one kind: True is not 1."""
    return a is not None and isinstance(a, bool) == isinstance(b, bool) and isinstance(a, str) == isinstance(b, str) and a == b


# ---- the Stream Key Manager


def configure_stream(name, fee_per_key_epoch, protocol_fee_bps, treasury, key_epoch_blocks=600, min_purchase_epochs=1):
    """Makes access to a stream of this actor paid, or changes what it costs from now on; gives its stream_id."""
    return _ask("configure_stream", name, fee_per_key_epoch, protocol_fee_bps, _bytes(treasury), key_epoch_blocks, min_purchase_epochs)


def acquire_epoch_access(stream, target_key_epoch, beneficiary=None):
    """Buys access up to and with a key epoch, for this actor or for a beneficiary; this actor pays. Gives the receipt, a dict."""
    me = _host.get_actor_address()
    return _ask("acquire_epoch_access", stream, me if beneficiary is None else _bytes(beneficiary), me, target_key_epoch)


def register_account_key(public_key):
    """Gives this actor an X25519 key more, to which keys of streams are sealed; gives its number."""
    return _ask("register_account_key", public_key)


def revoke_account_key(number):
    return _ask("revoke_account_key", number)


def authorize_actor(actor, stream):
    """Lets an actor decrypt a stream on this one's behalf."""
    return _ask("authorize_actor", _bytes(actor), stream)


def revoke_actor(actor, stream):
    return _ask("revoke_actor", _bytes(actor), stream)


def register_content_keys(stream, keys):
    """Keeps wrapped keys of epochs of a stream of this actor: a list of (epoch, wrapped), ascending."""
    return _ask("register_content_keys", stream, [[epoch, wrapped] for epoch, wrapped in keys], cycles=20_000 + 10_000 * len(keys))


def request_seal(stream, first_key_epoch, last_key_epoch):
    """Asks the publisher's committee for the keys of at most 32 key epochs that this actor has bought, and pays it; gives the SealRequest's number. A purchase
    asks by itself for the first ones it buys."""
    return _ask("request_seal", stream, first_key_epoch, last_key_epoch)


def request_seal_again(number):
    """Raises a SealRequest of this actor once more: for nothing if the committee let it expire, else this actor pays the committee what is missing."""
    return _ask("request_seal_again", number)


def get_access(stream, account):
    """The last key epoch an account has access to; None for none."""
    return _ask("get_access", stream, _bytes(account))


def is_authorized(account, actor, stream):
    return _ask("is_authorized", _bytes(account), _bytes(actor), stream)


def get_content_key(stream, epoch):
    """The wrapped key of an epoch, None where there is none."""
    return _ask("get_content_key", stream, epoch)


def get_seal_request(number):
    """A SealRequest as a dict, None where there is none."""
    return _ask("get_seal_request", number)


def _ask(handler, *args, cycles=100_000):
    return _host.call(MANAGER, handler, list(args), cycles)


def _bytes(value):
    if isinstance(value, str):
        return bytes.fromhex(value[2:]) if value[:2] == "0x" else value.encode()
    return value.to_bytes() if hasattr(value, "to_bytes") else bytes(value)
