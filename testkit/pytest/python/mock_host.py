"""cowboy_sdk.mock_host: one actor's methods called directly, without a chain.

    from cowboy_sdk import mock_host
    from counter import Counter

    def test_increment():
        mock_host.reset()
        Counter().increment(b"")
        assert mock_host.get_state() == {"count": 1}

The caller is the actor itself until set_sender says otherwise, so permissions pass; with another sender they are checked as on the network. Nothing
is delivered and no timer fires: what the actor does is captured. Where a test is about more than one method, use cowboy_sdk.testing.
"""

import json

import _cowboy_mock as _native
from cowboy_sdk import codec, errors
from cowboy_sdk._mapping import Mapping
from cowboy_sdk.types import Address

_answers = {}


def reset():
    """Forgets everything: storage, captured effects, other actors, settings."""
    _answers.clear()
    _native.reset()


def configure(sender=..., block_height=None, timestamp_ms=None, chain_id=None, balance=None, mode=None, open_handlers=None, value=None):
    """Says where the actor is: who calls (None: nobody, as in a query), the block, its own coins, the mode handlers run in ("pure" or "deferred"), and
    whether handlers without a permission are open, as in a module that names none, and the coins that come with the calls."""
    if sender is not ...:
        set_sender(sender)
    now = _native.block()
    _native.set_block(*[new if new is not None else old for new, old in zip((block_height, timestamp_ms, chain_id), now)])
    if balance is not None:
        set_balance(self_address(), balance)
    if mode is not None:
        if mode not in ("pure", "deferred"):
            raise ValueError("a mode is pure or deferred")
        _native.set_mode(mode)
    if open_handlers is not None:
        _native.set_open(open_handlers)
    if value is not None:
        _native.set_value(value)


def self_address():
    """The actor's own address."""
    return Address(_native.self_address())


def set_sender(who):
    """Says who calls; None is nobody."""
    _native.set_sender(None if who is None else bytes(Address(who)))


def set_block_height(height):
    """Says at what height the actor runs."""
    configure(block_height=height)


def set_balance(address, amount):
    """Gives an address its coins, in base units."""
    _native.set_balance(bytes(Address(address)), amount)


def add_actor(address, **returns):
    """Makes an address an actor: messages can be sent to it, and its handlers give these values; an exception is raised, a function is called with the
    arguments."""
    address = Address(address)
    _native.add_actor(bytes(address))
    _answers[address] = returns
    _native.on_call(_answer)
    return address


def _answer(target, handler, args, structured):
    known = _answers.get(Address(target))
    if known is None:
        raise errors.ActorNotFoundError("no actor at " + Address(target).to_hex())
    if handler not in known:
        raise errors.ActorCallError("actor has no handler " + repr(handler))
    value = known[handler]
    if isinstance(value, BaseException):
        raise errors.ActorCallError(type(value).__name__ + ": " + str(value))
    if callable(value):
        given = codec.decode(args) if structured else args
        value = value(**given) if isinstance(given, dict) else value(*given) if isinstance(given, list) else value() if given is None else value(given)
    if structured:
        return codec.encode(value)
    return value if isinstance(value, bytes) else b"" if value is None else codec.encode(value)


def get_state():
    """What the actor has stored, decoded, by key."""
    state = {}
    for key, raw in _native.state().items():
        try:
            value = codec.decode(raw)
        except errors.CodecError:
            value = raw
        try:
            key = key.decode()
        except UnicodeDecodeError:
            pass
        state[key] = value
    return state


def get_captured_events():
    """Pairs of name and payload: JSON decoded, else text, else bytes."""
    events = []
    for name, data in _native.events():
        try:
            data = data.decode()
            data = json.loads(data)
        except ValueError:
            pass
        events.append((name, data))
    return events


def get_captured_messages():
    """Pairs of target and payload, oldest first; jobs are not among them."""
    return [(Address(target), _decoded(data, structured)) for target, data, structured, _ in _native.messages() if target != Address.JOB_DISPATCHER]


def get_captured_values():
    """The coins each of the captured messages carries, in base units, oldest first."""
    return [value for target, _, _, value in _native.messages() if target != Address.JOB_DISPATCHER]


def get_captured_jobs():
    """The jobs submitted, as maps, oldest first."""
    return [_decoded(data, structured) for target, data, structured, _ in _native.messages() if target == Address.JOB_DISPATCHER]


def get_captured_timers():
    """Triples of height, handler ("" for the default one) and payload, by height."""
    timers = [(height, handler, _decoded(data, structured)) for height, handler, data, structured, _ in _native.timers()]
    return sorted(timers, key=lambda timer: timer[0])


def _decoded(data, structured):
    if not structured:
        return data
    value = codec.decode(data)
    return Mapping(value) if isinstance(value, dict) else value
