"""StreamActor: the standard interface of a stream. An actor that is one derives from it and calls open_stream in its init.

    @actor
    class Feed(StreamActor):
        @public
        def init(self, payload):
            runtime.assume_ownership_if_unowned()
            self.open_stream("quotes", publisher_key=bytes.fromhex(payload.decode()))

The newest ring_buffer_capacity messages are kept. What a message is signed with says who published it, so anybody may bring it. Every handler takes a map,
or its CBOR or JSON, in which bytes are hexadecimal behind 0x.
"""

import pvm_host as _host
from cowboy_sdk import codec
from cowboy_sdk import streams as _s
from cowboy_sdk._actor import OWNER, SELF, callable_by, deferred, public
from cowboy_sdk._context import decoded
from cowboy_sdk.call import send

PUSH = "PUSH"
PULL = "PULL"
PUSH_WITH_PULL_FALLBACK = "PUSH_WITH_PULL_FALLBACK"
PUBLIC = "PUBLIC"
PRIVATE_ALLOWLIST = "PRIVATE_ALLOWLIST"

MAX_PAGE = 500
PAGE_BYTES = 60_000
MAX_CAPACITY = 2**32 - 1
TURN_CYCLES = 120_000  # what serving one subscriber may take, the longest message and filter included
FIRE_CYCLES = 250_000  # of a timer that goes on with pushing: the most that a fire may use while timers bid

_CONFIG, _AT, _MESSAGE, _SUBSCRIBER, _SLOT, _ALLOWED, _KEY = (
    b"_stream/config", b"_stream/at", b"_stream/m/", b"_stream/s/", b"_stream/p/", b"_stream/a/", b"_stream/k/",
)


class StreamActor:
    """What every stream answers. Its records are under _stream/ in the actor's storage."""

    # ---- the publisher's side

    @callable_by(SELF)
    def open_stream(self, name, publisher_key, ring_buffer_capacity=10_000, max_subscribers=10_000, subscription_policy=PUBLIC,
                    max_push_deliveries_per_block=32, max_push_cycles_per_block=600_000, paid=None):
        """Makes the actor a stream; gives the stream_id. paid is a dict of fee_per_key_epoch_cby, protocol_fee_bps, publisher_treasury and, if it has
        them, key_epoch_blocks and min_purchase_epochs: then the stream is managed, and carries ciphertext alone."""
        if _load(_CONFIG) is not None:
            raise _s.StreamLimitError("the actor is a stream already")
        _key(publisher_key)
        _number(ring_buffer_capacity, 1, MAX_CAPACITY)
        _number(max_subscribers, 0, MAX_CAPACITY)
        _number(max_push_deliveries_per_block, 1, MAX_CAPACITY)
        _number(max_push_cycles_per_block, 1, 2**64 - 1)
        _policy(subscription_policy)
        name = name.encode() if isinstance(name, str) else bytes(name)
        config = {
            "name": name, "stream_id": _s.stream_id(_host.get_actor_address(), name), "ring_buffer_capacity": ring_buffer_capacity,
            "max_subscribers": max_subscribers, "subscription_policy": subscription_policy, "paid": None,
            "max_push_deliveries_per_block": max_push_deliveries_per_block, "max_push_cycles_per_block": max_push_cycles_per_block,
        }
        if paid is not None:
            terms = (paid["fee_per_key_epoch_cby"], paid["protocol_fee_bps"], paid.get("key_epoch_blocks", 600), paid.get("min_purchase_epochs", 1))
            _s.configure_stream(name, terms[0], terms[1], paid["publisher_treasury"], terms[2], terms[3])
            config["paid"] = list(terms)
        _store(_CONFIG, config)
        _store(_KEY + _be(1), [bytes(publisher_key), 1])
        _store(_AT, {"head": 0, "floor": 1, "key": 1, "subscribers": 0, "pushed": 0, "turn": 0, "idle": 0, "block": 0, "done": 0, "used": 0,
                     "timer": 0, "epoch": None})
        return config["stream_id"]

    @deferred
    @public
    def publish(self, payload):
        """Takes the next message, signed by the publisher: timestamp_unix_ms, signing_key_id, publisher_sig and payload_inline, and if they are not the
        usual ones kind, content_type, tags, payload_format, key_epoch, sequence. Gives its sequence."""
        given = _map(payload)
        at, config = _load(_AT), _load(_CONFIG)
        message = _message(config, at, given)
        if given.get("signing_key_id") != at["key"]:
            raise _s.StreamSignatureError("key %s is not the active one, which is %d" % (given.get("signing_key_id"), at["key"]))
        message["signing_key_id"] = at["key"]
        message["publisher_sig"] = signature = _octets(given.get("publisher_sig"))
        key, _ = _load(_KEY + _be(at["key"]))
        if not _host.verify_signature("ed25519", key, _s.signed_bytes(message), signature):
            raise _s.StreamSignatureError("the publisher's key did not sign this message")
        return _append(config, at, message)

    @deferred
    @callable_by(SELF)
    def publish_own(self, payload):
        """Publishes what the actor's own code made: as publish, and without key and signature; the chain vouches for it."""
        at, config = _load(_AT), _load(_CONFIG)
        message = _message(config, at, _map(payload))
        message["signing_key_id"], message["publisher_sig"] = 0, b""
        return _append(config, at, message)

    @callable_by(OWNER)
    def rotate_publisher_key(self, payload):
        """payload: public_key, ed25519. It signs from the next message on. Gives the key's number."""
        key = _key(_octets(_map(payload).get("public_key")))
        at = _load(_AT)
        at["key"] += 1
        _store(_KEY + _be(at["key"]), [key, at["head"] + 1])
        _store(_AT, at)
        _host.emit_event("PublisherKeyRotated", {"signing_key_id": at["key"], "effective_sequence": at["head"] + 1, "public_key": "0x" + key.hex()})
        return at["key"]

    @public
    def announce_key_epoch(self, payload):
        """Announces the key epoch of now, once; for a managed stream. Gives it."""
        at, config = _load(_AT), _load(_CONFIG)
        if config["paid"] is None:
            raise _s.StreamMessageError("the stream has no key epochs")
        epoch = _epoch(config)
        begun = at["epoch"] is None or at["epoch"] < epoch
        at["epoch"] = epoch
        _store(_AT, at)
        if begun:
            _host.emit_event("KeyEpochRotated", {"key_epoch": epoch})
        return epoch

    @callable_by(OWNER)
    def register_content_keys(self, payload):
        """payload: keys, a list of [epoch, wrapped], ascending"""
        config = _load(_CONFIG)
        return _s.register_content_keys(config["stream_id"], [(epoch, _octets(wrapped)) for epoch, wrapped in _map(payload)["keys"]])

    @callable_by(OWNER)
    def set_subscription_policy(self, payload):
        """payload: subscription_policy, PUBLIC or PRIVATE_ALLOWLIST. Subscriptions that there are stay."""
        config = _load(_CONFIG)
        config["subscription_policy"] = _policy(_map(payload).get("subscription_policy"))
        _store(_CONFIG, config)

    @callable_by(OWNER)
    def allowlist_add(self, payload):
        """payload: account"""
        _host.set_state(_ALLOWED + _address(_map(payload).get("account")), b"1")

    @callable_by(OWNER)
    def allowlist_remove(self, payload):
        """payload: account. Its subscription ends where the list counts."""
        account = _address(_map(payload).get("account"))
        _host.delete_state(_ALLOWED + account)
        if _load(_CONFIG)["subscription_policy"] == PRIVATE_ALLOWLIST:
            _cancel(account)

    # ---- the subscriber's side

    @public
    def subscribe(self, payload):
        """Makes or changes the sender's subscription: mode, filter, status, account_key_id; start_cursor when it is made. A new one begins with the next
        message. Gives the subscription."""
        given, who = _map(payload), _host.get_sender()
        at, config = _load(_AT), _load(_CONFIG)
        record = _load(_SUBSCRIBER + who)
        fresh = record is None
        if fresh:
            record = _fresh(config, at, who, given)
        for field, allowed in (("mode", (PUSH, PULL, PUSH_WITH_PULL_FALLBACK)), ("status", ("ACTIVE", "PAUSED"))):
            if given.get(field) is not None:
                if given[field] not in allowed:
                    raise _s.StreamMessageError(field + " is one of " + ", ".join(allowed))
                record[field] = given[field]
        if "filter" in given:
            if given["filter"] is not None:
                _s.check_filter(given["filter"])
            record["filter"] = given["filter"]
        if given.get("account_key_id") is not None:
            record["account_key_id"] = _number(given["account_key_id"], 1, 2**64 - 1)
        _place(at, who, record)
        if fresh:
            at["subscribers"] += 1
        at["idle"] = 0
        _store(_SUBSCRIBER + who, record)
        _store(_AT, at)
        _updated(who, record["status"])
        return record

    @public
    def unsubscribe(self, payload):
        """Ends the sender's subscription; gives whether there was one."""
        return _cancel(_host.get_sender())

    @deferred
    @public
    def renew_subscription(self, payload):
        """Buys the sender access up to and with target_key_epoch with the coins that come with the call, gives back what it does not take, and makes a
        paused subscription active. Gives the manager's receipt."""
        config, who = _load(_CONFIG), _host.get_sender()
        if config["paid"] is None:
            raise _s.StreamMessageError("the stream is open")
        came = _host.context()["value"]
        receipt = _s.acquire_epoch_access(config["stream_id"], _number(_map(payload).get("target_key_epoch"), 0, 2**64 - 1), who)
        if receipt["total"] > came:
            raise _s.StreamPaymentError("PAYMENT_REQUIRED: %d base units, and %d came" % (receipt["total"], came))
        if came > receipt["total"]:
            _host.transfer(who, came - receipt["total"])
        record = _load(_SUBSCRIBER + who)
        if record is not None and record["status"] == "PAUSED":
            record["status"] = "ACTIVE"
            _store(_SUBSCRIBER + who, record)
            _updated(who, "ACTIVE")
        return receipt

    @public
    def get_since(self, payload):
        """payload: cursor, limit 1 to 500 (500), filter. Gives messages behind the cursor, oldest first, and next_cursor, head and floor. Long messages
        make a page shorter."""
        given, at = _map(payload), _load(_AT)
        cursor = _number(given.get("cursor", 0), 0, 2**64 - 1)
        limit = _number(given.get("limit", MAX_PAGE), 1, MAX_PAGE)
        wanted = given.get("filter")
        if wanted is not None:
            _s.check_filter(wanted)
        if cursor + 1 < at["floor"]:
            raise _s.StreamCursorError("the oldest message is %d" % at["floor"])
        found, size = [], 0
        while cursor < at["head"] and limit > 0:
            raw = _host.get_state(_MESSAGE + _be(cursor + 1))
            size += len(raw)
            if size > PAGE_BYTES:
                break
            message = _host.cbor_decode(raw)
            if _s.matches(wanted, message):
                found.append(message)
            cursor += 1
            limit -= 1
        return {"messages": found, "next_cursor": cursor, "head": at["head"], "floor": at["floor"]}

    @public
    def get_head(self, payload):
        """The stream: stream_id, sequence of the newest and the oldest message, the active key, the number of subscribers, the key epoch of now."""
        at, config = _load(_AT), _load(_CONFIG)
        return {"stream_id": config["stream_id"], "head": at["head"], "floor": at["floor"], "signing_key_id": at["key"],
                "subscribers": at["subscribers"], "key_epoch": None if config["paid"] is None else _epoch(config)}

    @public
    def get_config(self, payload):
        """What open_stream and the owner configured, and the active key."""
        config, at = _load(_CONFIG), _load(_AT)
        config["publisher_key"], config["signing_key_id"] = _load(_KEY + _be(at["key"]))[0], at["key"]
        config["access_mode"] = "OPEN" if config["paid"] is None else "PLATFORM_MANAGED"
        return config

    @public
    def get_subscription(self, payload):
        """payload: account; its subscription, None where there is none"""
        return _load(_SUBSCRIBER + _address(_map(payload).get("account")))

    @public
    def get_key_at_sequence(self, payload):
        """payload: sequence; the key that signs or signed the message of that number: signing_key_id, public_key, effective_sequence"""
        sequence = _number(_map(payload).get("sequence"), 1, 2**64 - 1)
        low, high = 1, _load(_AT)["key"]
        while low < high:  # the newest key that is effective by then
            middle = (low + high + 1) // 2
            if _load(_KEY + _be(middle))[1] <= sequence:
                low = middle
            else:
                high = middle - 1
        return _shown(low)

    @public
    def get_key_history(self, payload):
        """payload: after, limit 1 to 500 (500); the publisher's keys after that number, oldest first"""
        given = _map(payload)
        first = _number(given.get("after", 0), 0, 2**64 - 2) + 1
        last = min(_load(_AT)["key"], first + _number(given.get("limit", MAX_PAGE), 1, MAX_PAGE) - 1)
        return [_shown(number) for number in range(first, last + 1)]

    @deferred
    @public
    def deliver(self, payload):
        """Goes on with what is to be pushed, within the limits of the block. A timer of the actor's calls it; anybody may."""
        at, config = _load(_AT), _load(_CONFIG)
        _push(config, at)
        _store(_AT, at)


# ---- publishing


def _message(config, at, given):
    """The next message, checked and unsigned."""
    import hashlib

    body = _octets(given.get("payload_inline"))
    if len(body) > _s.MAX_PAYLOAD:
        raise _s.StreamPayloadError("%d bytes; at most %d are allowed" % (len(body), _s.MAX_PAYLOAD))
    message = {
        "version": 1, "stream_id": config["stream_id"], "sequence": at["head"] + 1,
        "timestamp_unix_ms": _number(given.get("timestamp_unix_ms"), 0, 2**64 - 1), "kind": _text(given.get("kind", ""), _s.MAX_KIND),
        "content_type": _text(given.get("content_type", "application/json"), _s.MAX_CONTENT_TYPE), "tags": dict(given.get("tags") or {}),
        "payload_format": given.get("payload_format", "PLAINTEXT" if config["paid"] is None else "CIPHERTEXT"), "payload_inline": body,
        "payload_hash": hashlib.sha256(body).digest(),
    }
    _s.check_tags(message["tags"])
    if given.get("sequence", message["sequence"]) != message["sequence"]:
        raise _s.StreamMessageError("the next sequence is %d" % message["sequence"])
    if message["payload_format"] == "CIPHERTEXT":
        if given.get("key_epoch") is None:
            raise _s.StreamMessageError("ciphertext names its key epoch")
        message["key_epoch"] = _number(given.get("key_epoch"), 0, 2**64 - 1)
        if len(body) < _s.CIPHERTEXT_FRAME:
            raise _s.StreamMessageError("ciphertext is nonce, body and tag")
        if config["paid"] is not None and message["key_epoch"] != _epoch(config):
            raise _s.StreamMessageError("the key epoch is %d" % _epoch(config))
    elif message["payload_format"] != "PLAINTEXT" or config["paid"] is not None:
        raise _s.StreamMessageError("a managed stream carries ciphertext")
    elif given.get("key_epoch") is not None:
        raise _s.StreamMessageError("plaintext has no key epoch")
    return message


def _append(config, at, message):
    """Keeps a message, drops the oldest one beyond the capacity, and tells subscribers."""
    sequence = at["head"] = message["sequence"]
    _host.set_state(_MESSAGE + _be(sequence), codec.encode(message))
    if sequence - at["floor"] + 1 > config["ring_buffer_capacity"]:
        _host.delete_state(_MESSAGE + _be(at["floor"]))
        at["floor"] += 1
    begun = config["paid"] is not None and (at["epoch"] is None or at["epoch"] < message["key_epoch"])
    if begun:
        at["epoch"] = message["key_epoch"]
    at["idle"] = 0
    _push(config, at)
    _store(_AT, at)
    if begun:  # events come last: their hooks may call this actor
        _host.emit_event("KeyEpochRotated", {"key_epoch": at["epoch"]})
    _host.emit_event("StreamMessagePublished", {
        "sequence": sequence, "kind": message["kind"], "payload_hash": "0x" + message["payload_hash"].hex(), "signing_key_id": message["signing_key_id"],
    })
    return sequence


def _epoch(config):
    return _host.get_block_height() // config["paid"][2]


def _shown(number):
    key, effective = _load(_KEY + _be(number))
    return {"signing_key_id": number, "public_key": key, "effective_sequence": effective}


# ---- subscriptions


def _fresh(config, at, who, given):
    if config["subscription_policy"] == PRIVATE_ALLOWLIST and _host.get_state(_ALLOWED + who) is None:
        raise _s.StreamPolicyError("the stream has a list of its subscribers")
    if at["subscribers"] >= config["max_subscribers"]:
        raise _s.StreamCapError("the stream has %d subscribers" % at["subscribers"])
    cursor = given.get("start_cursor")
    cursor = at["head"] if cursor is None else min(_number(cursor, 0, 2**64 - 1), at["head"])
    if cursor + 1 < at["floor"]:
        raise _s.StreamCursorError("the oldest message is %d" % at["floor"])
    return {"mode": PULL, "filter": None, "status": "ACTIVE", "created_at_sequence": cursor, "account_key_id": None, "next": cursor + 1, "slot": None}


def _place(at, who, record):
    """Gives a subscription a place among those that are pushed to, or takes it away."""
    if record["mode"] != PULL and record["slot"] is None:
        record["slot"] = at["pushed"]
        _host.set_state(_SLOT + _be(at["pushed"]), who)
        at["pushed"] += 1
    elif record["mode"] == PULL and record["slot"] is not None:
        _vacate(at, who, record)


def _vacate(at, who, record):
    """The last of those that are pushed to takes the place of one that leaves. The round begins anew, so that nobody is passed over."""
    at["pushed"] -= 1
    last = _host.get_state(_SLOT + _be(at["pushed"]))
    _host.delete_state(_SLOT + _be(at["pushed"]))
    if last != who:
        moved = _load(_SUBSCRIBER + last)
        moved["slot"] = record["slot"]
        _store(_SUBSCRIBER + last, moved)
        _host.set_state(_SLOT + _be(record["slot"]), last)
    record["slot"] = None
    at["idle"] = 0


def _cancel(who):
    record = _load(_SUBSCRIBER + who)
    if record is None:
        return False
    at = _load(_AT)
    if record["slot"] is not None:
        _vacate(at, who, record)
    at["subscribers"] -= 1
    _host.delete_state(_SUBSCRIBER + who)
    _store(_AT, at)
    _updated(who, "CANCELLED")
    return True


def _updated(who, status):
    _host.emit_event("SubscriberUpdated", {"subscriber": "0x" + who.hex(), "status": status})


# ---- pushing


def _push(config, at):
    """Looks at one subscription after the other, as many as a block may, each once a turn of the round, and sends each at most one message. A whole round in
    which all had everything ends it; otherwise a timer goes on in the next block."""
    now, before = _host.get_block_height(), _host.gas_left()
    if at["block"] != now:
        at["block"], at["done"], at["used"] = now, 0, 0
    room, read = config["max_push_cycles_per_block"] - at["used"], {}
    while at["idle"] < at["pushed"] and at["done"] < config["max_push_deliveries_per_block"]:
        if before - _host.gas_left() >= room or _host.gas_left() < TURN_CYCLES or _host.cells_left() < 2 * _s.MAX_PAYLOAD + 4_096:
            break
        if at["turn"] >= at["pushed"]:
            at["turn"] = 0
        moved = _serve(config, at, _host.get_state(_SLOT + _be(at["turn"])), read)
        if moved is None:
            break
        at["turn"] += 1
        at["done"] += 1
        at["idle"] = 0 if moved else at["idle"] + 1
    at["used"] += before - _host.gas_left()
    if at["idle"] < at["pushed"] and at["timer"] <= now:
        at["timer"] = now + 1
        _host.schedule_timer_ex(now + 1, b'{"_handler":"deliver","_payload":null}', gas_limit=FIRE_CYCLES)


def _serve(config, at, who, read):
    """Brings a subscriber one message on; whether it was behind, None if nothing more can be sent now. read holds messages that were read."""
    record = _load(_SUBSCRIBER + who)
    if record["status"] != "ACTIVE" or record["next"] > at["head"]:
        return False
    first = record["next"]
    if record["mode"] == PUSH_WITH_PULL_FALLBACK and first < at["head"]:
        told = {"handler": "on_stream_behind", "stream_id": config["stream_id"], "first": first, "last": at["head"] - 1}
        record["next"] = at["head"]
    else:
        record["next"] = max(first, at["floor"])  # what is gone is not pushed
        message = read.get(record["next"])
        if message is None:
            message = read[record["next"]] = _load(_MESSAGE + _be(record["next"]))
        record["next"] += 1
        told = {"handler": "on_stream_message", "stream_id": config["stream_id"], "message": message}
        if not _s.matches(record["filter"], message):
            told = None
    if told is not None and not _sent(who, told):
        return None
    _store(_SUBSCRIBER + who, record)
    return True


def _sent(who, told):
    """Sends; a subscriber that is gone or whose mailbox is full misses it. False if this handler may send no more."""
    try:
        send(who, told)
    except _host.HostError as e:
        return e.name not in ("FanoutError", "MessageDepthError")
    return True


# ---- reading


def _map(payload):
    given = decoded(payload)
    if given is None or isinstance(given, (bytes, bytearray)) and not given:
        return {}
    if not isinstance(given, dict):
        raise _s.StreamMessageError("the payload is a map, or its CBOR or JSON")
    return given


def _octets(value):
    if isinstance(value, str):
        try:
            return bytes.fromhex(value.removeprefix("0x"))
        except ValueError:
            value = None
    if not isinstance(value, (bytes, bytearray)):
        raise _s.StreamMessageError("bytes are wanted, or hexadecimal digits behind 0x")
    return bytes(value)


def _address(value):
    raw = value.to_bytes() if hasattr(value, "to_bytes") and not isinstance(value, int) else _octets(value)
    if len(raw) != 20:
        raise _s.StreamMessageError("an address has 20 bytes")
    return raw


def _key(value):
    if len(value) != 32:
        raise _s.StreamSignatureError("an ed25519 key has 32 bytes")
    return bytes(value)


def _number(value, least, most):
    if not isinstance(value, int) or isinstance(value, bool) or value < least or value > most:
        raise _s.StreamLimitError("%r is not from %d to %d" % (value, least, most))
    return value


def _text(value, most):
    if not isinstance(value, str) or len(value.encode()) > most:
        raise _s.StreamMessageError("text of at most %d bytes is wanted" % most)
    return value


def _policy(value):
    if value not in (PUBLIC, PRIVATE_ALLOWLIST):
        raise _s.StreamMessageError("a policy is PUBLIC or PRIVATE_ALLOWLIST")
    return value


def _be(number):
    return number.to_bytes(8, "big")


def _load(key):
    raw = _host.get_state(key)
    return None if raw is None else _host.cbor_decode(raw)


def _store(key, value):
    _host.set_state(key, codec.encode(value))
