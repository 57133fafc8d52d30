"""cowboy_sdk.testing: actors under test, on the node's own runtime.

    from cowboy_sdk.testing import SimulatedChain, raises
    from counter import Counter

    def test_increment():
        chain = SimulatedChain(Counter)
        chain.call("increment")
        chain.assert_state("count", b"\\x01")

Tests are functions named test_*, or methods test_* of classes named Test*.

A class named Fuzz* says what must hold whatever is called. Calls are drawn; what breaks an invariant is shortened and shown as a test:

    class FuzzCounter:
        def setUp(self):
            self.chain = SimulatedChain(Counter)

        def invariant_never_negative(self):
            assert self.chain.state.get("count", 0) >= 0

It may say senders (names; alice and bob otherwise), targets (actors of self.chain; the chain's first one otherwise), and handlers: a list of names, or a
dict of names to payloads in which "$number", "$text", "$flag" and "$address" are drawn. Everything public is called otherwise. setUp runs once; each
sequence starts on the chain it left.
"""

import json

import _cowboy_chain as _native
from cowboy_sdk import codec, errors
from cowboy_sdk._mapping import Mapping
from cowboy_sdk.types import Address

CBY = 1_000_000_000


class TransactionFailed(Exception):
    """A handler failed with what no exception class of this test stands for; .code, .text and .receipt say what."""

    def __init__(self, receipt):
        super().__init__("E" + str(receipt.code) + " " + receipt.text)
        self.receipt = receipt
        self.code = receipt.code
        self.text = receipt.text


class Value(bytes):
    """Bytes of the chain: equal to the same bytes, to the text they are in UTF-8, and to the value whose canonical CBOR they are."""

    @property
    def value(self):
        """The value the bytes encode, or the bytes themselves if they are no CBOR."""
        try:
            return codec.decode(bytes(self))
        except errors.CodecError:
            return bytes(self)

    def text(self):
        """The bytes as UTF-8 text."""
        return bytes(self).decode()

    def json(self):
        """The bytes as JSON."""
        return json.loads(bytes(self))

    def __eq__(self, other):
        if isinstance(other, (bytes, bytearray)) and bytes(self) == bytes(other):
            return True
        if isinstance(other, str) and bytes(self) == other.encode():
            return True
        if other is None:
            return len(self) == 0 or bytes(self) == b"\xf6"
        if len(self) == 0:
            return False
        try:
            return bytes(self) == codec.encode(other)
        except errors.CowboyError:
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(bytes(self))


class Event:
    """An event an actor emitted: name, data (bytes), payload (decoded JSON, else text, else bytes), actor, height."""

    def __init__(self, raw):
        self.actor = Address(raw["actor"])
        self.name = raw["name"]
        self.data = raw["data"]
        self.height = raw["height"]
        self.payload = _decoded(raw["data"])

    def __eq__(self, other):
        if isinstance(other, tuple):
            return (self.name, self.payload) == other
        if isinstance(other, Event):
            return (self.actor, self.name, self.data) == (other.actor, other.name, other.data)
        return NotImplemented

    def __iter__(self):
        return iter((self.name, self.payload))

    def __repr__(self):
        return "Event(" + repr(self.name) + ", " + repr(self.payload) + ")"


def _decoded(data):
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    try:
        return json.loads(text)
    except ValueError:
        return text


class Receipt:
    """What became of a transaction, message, timer or deferred call. traceback says where a failed one failed, in actors it called too."""

    def __init__(self, raw):
        self.kind = raw["kind"]
        self.ok = raw["ok"]
        self.data = Value(raw["return"])
        self.code = raw["code"]
        self.text = raw["text"]
        self.value = raw["value"]
        self.cycles = raw["cycles"]
        self.cells = raw["cells"]
        self.height = raw["height"]
        self.target = Address(raw["target"])
        self.events = [Event(e) for e in raw["events"]]
        self.traceback = raw["traceback"]

    def __repr__(self):
        outcome = "ok" if self.ok else "E" + str(self.code) + " " + self.text
        return "Receipt(" + self.kind + ", " + outcome + ", " + str(self.cycles) + " cycles, " + str(self.cells) + " cells)"


_BUILTIN = {
    kind.__name__: kind for kind in (
        ValueError, TypeError, KeyError, IndexError, AttributeError, RuntimeError, ZeroDivisionError, OverflowError, ArithmeticError,
        AssertionError, LookupError, NameError, NotImplementedError, StopIteration, RecursionError, MemoryError, ImportError,
        ModuleNotFoundError, UnboundLocalError, UnicodeDecodeError, Exception,
    )
}


def _compared(message, operator, left, right):
    """What a failed assert of one comparison says."""
    sides = [_short(left), _short(right)]
    text = "" if message is None else str(message) + ": "
    if len(sides[0]) + len(sides[1]) <= 100:
        return text + sides[0] + " " + operator + " " + sides[1]
    return text + "\n  left " + operator + " right\n  left:  " + sides[0] + "\n  right: " + sides[1]


def _short(value):
    try:
        text = repr(value)
    except Exception as e:
        text = "<repr() raised " + type(e).__name__ + ">"
    return text if len(text) <= 400 else text[:400] + "…"


def _failure(receipt):
    """The exception that stands for a failed receipt, with a note of where it failed."""
    error = _known_failure(receipt)
    if receipt.traceback:
        error.add_note("\n" + receipt.traceback)
    return error


def _known_failure(receipt):
    """It is of its own class where this test can name it."""
    name, _, message = receipt.text.partition(": ")
    kind = getattr(errors, name, None) or _BUILTIN.get(name) or _stream_error(name)
    if isinstance(kind, type) and issubclass(kind, Exception) and kind is not UnicodeDecodeError:
        error = kind(message)
        error.receipt = receipt
        return error
    return TransactionFailed(receipt)


def _stream_error(name):
    if not name.startswith("Stream"):
        return None
    from cowboy_sdk import streams

    return getattr(streams, name, None)


class Response:
    """What a request was answered with: status, headers, body."""

    def __init__(self, raw):
        fields = raw.value
        if not isinstance(fields, dict) or "status" not in fields:
            raise AssertionError("not a response: " + repr(fields))
        self.status = fields["status"]
        self.headers = fields["headers"]
        self.body = Value(fields["body"])

    def json(self):
        """The body as JSON."""
        return self.body.json()

    def __repr__(self):
        return "Response(" + str(self.status) + ", " + repr(bytes(self.body)) + ")"


class State:
    """An actor's storage by key. state[key] is a Value, or None; keys are str where they are text."""

    def __init__(self, chain, address):
        self._chain = chain
        self._address = address

    def __getitem__(self, key):
        raw = _native.storage(self._chain, self._address, key)
        return None if raw is None else Value(raw)

    def __contains__(self, key):
        return _native.storage(self._chain, self._address, key) is not None

    def get(self, key, default=None):
        """The decoded value under a key."""
        raw = self[key]
        return default if raw is None else raw.value

    def raw(self):
        """Every entry, as a dict of bytes to bytes; entries under keys longer than 32 bytes are left out."""
        return _native.entries(self._chain, self._address)

    def keys(self):
        """The keys of at most 32 bytes, ascending."""
        return [_text(key) for key in self.raw()]

    def items(self):
        """Pairs of key and Value."""
        return [(_text(key), Value(value)) for key, value in self.raw().items()]

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.raw())

    def __eq__(self, other):
        if isinstance(other, dict):
            mine = dict(self.items())
            return set(mine) == set(other) and all([mine[key] == other[key] for key in mine])
        return NotImplemented

    def __repr__(self):
        return "State(" + repr({key: value.value for key, value in self.items()}) + ")"


def _text(key):
    try:
        return key.decode()
    except UnicodeDecodeError:
        return key


class Actor:
    """A deployed actor: call its handlers, look at its storage and events."""

    def __init__(self, owner, address):
        self._owner = owner
        self._chain = owner._chain
        self.address = Address(address)
        self.state = State(self._chain, self.address)

    def call(self, handler, payload=b"", sender=None, value=0):
        """Calls a handler in a transaction of its own block and gives what it returned, as a Value. A failure is raised as the exception the
        handler raised; everything it did is undone then, as on the network. value is the coins that come with it, in base units."""
        receipt = self.try_call(handler, payload, sender, value)
        if not receipt.ok:
            raise _failure(receipt)
        return receipt.data

    def try_call(self, handler, payload=b"", sender=None, value=0):
        """As call, and gives the Receipt whatever became of it."""
        by = self._owner._sender if sender is None else self._owner.account(sender)
        receipt = Receipt(_native.execute(self._chain, by, self.address, handler, _payload(payload), value))
        self._owner.last = receipt
        return receipt

    def send(self, handler, payload=b"", sender=None, value=0):
        """Puts a call into the next block, which the next call or advance_block makes."""
        by = self._owner._sender if sender is None else self._owner.account(sender)
        _native.send(self._chain, by, self.address, handler, _payload(payload), value)

    def query(self, handler, payload=b"", sender=None):
        """Runs a handler read-only on the state as it is; every mutation fails."""
        by = None if sender is None else self._owner.account(sender)
        receipt = Receipt(_native.query(self._chain, by, self.address, handler, _payload(payload)))
        if not receipt.ok:
            raise _failure(receipt)
        return receipt.data

    def request(self, method, path, body=b"", request_id="request", query=None, headers=None, handler="http.request"):
        """An HTTP request through the gateway: GET and HEAD as a query, anything else as a message of the gateway registry. Gives the response."""
        envelope = {
            "method": method, "path": path, "query": query or {}, "headers": headers or {}, "body": body if isinstance(body, (str, bytes)) else json.dumps(body),
            "host": "actor.cowboy.network", "request_id": request_id,
        }
        if method in ("GET", "HEAD"):
            raw = _native.query(self._chain, None, self.address, handler, codec.encode(envelope))
        else:
            raw = _native.dispatch(self._chain, self.address, handler, codec.encode(envelope))
        self._owner.last = receipt = Receipt(raw)
        if not receipt.ok:
            raise _failure(receipt)
        return Response(receipt.data)

    def assert_state(self, key, raw):
        """Asserts that the entry under key is exactly these bytes, or the encoding of this value; None asserts that it is absent."""
        found = self.state[key]
        if found is None and raw is not None or found is not None and (raw is None or found != raw):
            raise AssertionError("state[" + repr(key) + "] is " + _shown(found) + ", not " + repr(raw))

    @property
    def events(self):
        """What the actor has emitted, oldest first."""
        return [Event(e) for e in _native.events(self._chain, self.address)]

    def events_named(self, name):
        """The payloads of its events of one name."""
        return [e.payload for e in self.events if e.name == name]

    def fund(self, amount):
        """Gives it coins, in base units."""
        _native.fund(self._chain, self.address, amount)

    @property
    def balance(self):
        """Its coins in base units."""
        return _native.balance(self._chain, self.address)

    def __repr__(self):
        return "Actor(" + repr(self.address) + ")"


def _shown(value):
    return "absent" if value is None else repr(value.value) + " (" + repr(bytes(value)) + ")"


def _payload(payload):
    if payload is None:
        return b""
    if isinstance(payload, (bytes, bytearray)):
        return bytes(payload)
    if isinstance(payload, str):
        return payload.encode()
    return json.dumps(payload).encode()


def _shape(shape):
    if shape is None or isinstance(shape, str):
        return shape or ""
    text = json.dumps(shape)
    for word in ("address", "number", "text", "flag"):
        text = text.replace('"$' + word + '"', "$" + word)
    return text


def _manifest(manifest):
    if manifest is None:
        return b""
    return manifest if isinstance(manifest, (str, bytes)) else codec.encode({"entitlements": manifest})


class Snapshot(dict):
    """The actor's entries as they were (str or bytes to Value), and the point chain.revert(snapshot) goes back to."""

    _number = 0


class SimulatedChain(Actor):
    """A chain with one actor deployed on it, and room for more.

    actor is a class from an actor's module, the path of a source file, or source text. If it has an init handler, the deployment calls it
    with init_payload; init=False leaves it uncalled, and a str names another one. The actor is funded with balance base
    units, 100 CBY if none are given; with a manifest that does not let it keep coins, it gets none.
    """

    def __init__(self, actor, init_payload=b"{}", init=True, sender="alice", balance=None, jobs=None, manifest=None):
        self._chain = _native.new_chain()
        self._sender = self.account(sender)
        self.last = None
        if jobs is not None:
            self.set_jobs(jobs)
        deployed = self.deploy(actor, init_payload, init, balance, manifest)
        super().__init__(self, deployed.address)

    def deploy(self, actor, init_payload=b"{}", init=True, balance=None, manifest=None):
        """Deploys another actor and gives it, as an Actor. manifest is its entitlements, a list of maps with id and params."""
        source = _source(actor)
        if init is True:
            init = "init" if _has_init(source) else None
        receipt = _native.deploy(self._chain, self._sender, source, init or None, _payload(init_payload), _manifest(manifest))
        self.last = Receipt(receipt)
        if not self.last.ok:
            raise _failure(self.last)
        address = Address(receipt["created"])
        if balance is None:
            balance = 100 * CBY if manifest is None or any(grant["id"] == "econ.hold_balance" for grant in manifest) else 0
        if balance:
            _native.fund(self._chain, address, balance)
        return Actor(self, address)

    def upgrade(self, actor, new, manifest=None):
        """Replaces a deployed actor's code, as its deployer; the actor has to hold sys.upgrade."""
        receipt = _native.upgrade(self._chain, self._sender, actor.address, _source(new), _manifest(manifest))
        self.last = Receipt(receipt)
        if not self.last.ok:
            raise _failure(self.last)

    @property
    def system_deployer(self):
        """The address that may deploy actors with sys.upgrade."""
        return Address(_native.deployer(self._chain))

    def account(self, who):
        """The address of a name, funded on first use; an address stays what it is."""
        if isinstance(who, str) and not who.startswith("0x"):
            return Address(_native.account(self._chain, who))
        return Address(who)

    @property
    def sender(self):
        """Who calls."""
        return self._sender

    def set_sender(self, who):
        """Calls come from this account from now on: a name, or any address that is no actor's."""
        self._sender = self.account(who)

    @property
    def block_height(self):
        """The height of the newest block."""
        return _native.height(self._chain)

    def set_block_height(self, height):
        """Makes blocks until the newest has this height; timers on the way fire."""
        if height < self.block_height:
            raise ValueError("the chain is at " + str(self.block_height) + " already; blocks are not taken back, see revert")
        return self.advance_block(height - self.block_height)

    def balance_of(self, who):
        """The coins of a name or an address."""
        return _native.balance(self._chain, self.account(who))

    def advance_block(self, blocks=1):
        """Makes blocks; messages are delivered and due timers fire. Gives the receipts of all they did."""
        return [Receipt(raw) for raw in _native.mine(self._chain, blocks)]

    def snapshot(self):
        """The actor's state, to look at and to go back to."""
        taken = Snapshot(self.state.items())
        taken._number = _native.snapshot(self._chain)
        return taken

    def revert(self, snapshot):
        """Takes the whole chain back to a snapshot."""
        _native.revert(self._chain, snapshot._number)

    def set_jobs(self, answer):
        """Gives the chain runners: answer(job) is called once for each job and gives its result; raise JobFailed for an error, return LOST for an
        answer that never comes, or Late(result, blocks). job has type, args, options, cid and actor."""

        def scripted(raw):
            try:
                result, delay, failed, lost = answer(Mapping(raw)), 0, False, False
            except JobFailed as e:
                result, delay, failed, lost = {"error": e.kind, "message": str(e)}, 0, True, False
            if result is LOST:
                result, lost = None, True
            if isinstance(result, Late):
                result, delay = result.result, result.blocks
            return codec.encode([result, delay, failed, lost])

        _native.jobs(self._chain, scripted)

    def _plan(self, case):
        """What a Fuzz class wants called, for the runner."""
        targets = getattr(case, "targets", None) or [self]
        if any([t._chain != self._chain for t in targets]):
            raise ValueError("targets are actors of one chain")
        senders = [(who, self.account(who)) for who in getattr(case, "senders", None) or ["alice", "bob"]]
        handlers = getattr(case, "handlers", None) or []
        shapes = handlers.items() if isinstance(handlers, dict) else [(name, None) for name in handlers]
        return codec.encode([
            self._chain, [t.address for t in targets], [[str(who), address] for who, address in senders], [[name, _shape(s)] for name, s in shapes],
        ])

    def mock(self, calls):
        """Deploys an actor that answers as a CallMock says; gives it, address included."""
        actor = self.deploy(calls._stub(), init=False, balance=0)
        calls._chain, calls._address = self._chain, actor.address
        return actor

    def check_determinism(self, handler, payload=b"", times=2):
        """Runs the same call from the same state on machines that have seen nothing before, and asserts that result, events, costs and the root of
        the state are the same every time. Nothing of it stays."""
        runs = _native.repeat(self._chain, self._sender, self.address, handler, _payload(payload), times)
        for other in runs[1:]:
            for key in runs[0]:
                if other[key] != runs[0][key]:
                    raise errors.DeterminismError(handler + ": " + key + " differs: " + repr(runs[0][key]) + " and " + repr(other[key]))
        return Receipt(runs[0]["receipt"])


def check_determinism(actor, calls, **options):
    """Deploys an actor and makes calls, pairs of handler and payload or handlers alone, each under SimulatedChain.check_determinism before it counts."""
    chain = SimulatedChain(actor, **options)
    for one in calls:
        handler, payload = (one, b"") if isinstance(one, str) else one
        chain.check_determinism(handler, payload)
        chain.try_call(handler, payload)
    return chain


class JobFailed(Exception):
    """Raised by a job's answer: the job fails. kind is "timeout", "deterministic" or anything else."""

    def __init__(self, message="the job failed", kind="failed"):
        super().__init__(message)
        self.kind = kind


class Late:
    """An answer that comes a number of blocks later than it could."""

    def __init__(self, result, blocks):
        self.result = result
        self.blocks = blocks


LOST = object()


class CallMock:
    """An actor that answers calls with fixed values and remembers them.

        oracle = CallMock(price=120, fail=ValueError("closed"))
        target = chain.mock(oracle)
        chain.call("buy", {"oracle": target.address.to_hex()})
        assert oracle.calls == [("price", ["HAY"])]
    """

    def __init__(self, returns=None, **more):
        self._returns = dict(returns or {}, **more)
        self._chain = None
        self._address = None

    def returns(self, method, value):
        """Sets what a method gives, an exception to raise it; before the mock is deployed."""
        if self._chain is not None:
            raise RuntimeError("the mock is deployed already")
        self._returns[method] = value
        return self

    @property
    def calls(self):
        """The calls that took effect, oldest first: pairs of method and arguments (a list, or a dict of keywords)."""
        raw = _native.storage(self._chain, self._address, "calls") if self._chain is not None else None
        return [] if raw is None else [(method, args) for method, args, _ in codec.decode(raw)]

    @property
    def callers(self):
        """The senders of the calls."""
        raw = _native.storage(self._chain, self._address, "calls") if self._chain is not None else None
        return [] if raw is None else [Address(sender) for _, _, sender in codec.decode(raw)]

    def _stub(self):
        lines = [
            "import pvm_host as _host",
            "def _note(method, args, kwargs):",
            "    raw = _host.get_state('calls')",
            "    seen = [] if raw is None else _host.cbor_decode(raw)",
            "    seen.append([method, kwargs or list(args), _host.get_sender()])",
            "    _host.set_state('calls', _host.cbor_encode(seen))",
        ]
        for method, value in self._returns.items():
            if not method.isidentifier() or method.startswith("_"):
                raise ValueError(repr(method) + " cannot be a handler's name")
            lines.append("def " + method + "(*args, **kwargs):")
            if isinstance(value, BaseException):
                lines.append("    raise " + type(value).__name__ + "(" + ", ".join([repr(a) for a in value.args]) + ")")
            else:
                lines.append("    _note(" + repr(method) + ", args, kwargs)")
                lines.append("    return _host.cbor_decode(bytes.fromhex(" + repr(codec.encode(value).hex()) + "))")
        return "\n".join(lines) + "\n"


class raises:
    """with raises(ValueError, match="text") as caught: the block has to raise it; caught.value is the exception, match has to be in its text."""

    def __init__(self, kind, match=None):
        self.kind = kind
        self.match = match
        self.value = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            raise AssertionError("nothing raised " + _names(self.kind))
        if not issubclass(kind, self.kind):
            return False
        if self.match is not None and self.match not in str(error):
            raise AssertionError("the text " + repr(str(error)) + " does not hold " + repr(self.match))
        self.value = error
        return True


def _names(kind):
    return kind.__name__ if isinstance(kind, type) else " or ".join([k.__name__ for k in kind])


def _source(actor):
    if isinstance(actor, type):
        return _native.source_of(actor.__module__)
    if isinstance(actor, str):
        return actor if "\n" in actor else _native.source_file(actor)
    name = getattr(actor, "__name__", None)
    if name is not None:
        return _native.source_of(name)
    raise TypeError("an actor is a class, a module, a path or source text")


def _has_init(source):
    for line in source.split("\n"):
        words = line.split("(")[0].split()
        if words[:2] == ["def", "init"] or words[:3] == ["async", "def", "init"]:
            return True
    return False
