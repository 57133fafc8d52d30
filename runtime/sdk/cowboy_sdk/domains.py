"""DomainKeeper: an actor that has the domains outside of the network which lead to it proved again in time.

    @actor
    class Site(DomainKeeper):
        @public
        def init(self, payload):
            runtime.assume_ownership_if_unowned()

The owner calls keep_domain with {"fqdn", "price"}. A timer of the actor's asks for a check when one is due, every 2,592,000 blocks, and every 21,600 as long
as the domain is suspended; it pays at most price for each from the actor's balance. What keeps a check from being begun is told by the event
DomainCheckFailed, and the check is tried again after 21,600 blocks. The registry suspends a domain whose check is a day late. The actor's manifest, if it has
one, holds econ.hold_balance, storage.kv and timer.schedule besides dns.attach_external and ingress.http.
"""

import pvm_host as _host
from cowboy_sdk._actor import OWNER, SELF, callable_by, deferred, public
from cowboy_sdk._context import decoded

REGISTRY = b"\x00" * 19 + b"\x0e"
MAX_DOMAINS = 16  # that an actor keeps
RETRY_BLOCKS = 21_600  # after a check that could not be begun
WAIT_BLOCKS = 2_592_000  # the longest a timer waits
CHECK_CYCLES = 180_000  # of posting a check
_FIRE_CYCLES = 250_000  # the most that a fire may use while timers bid
_MAX_DETAIL = 200
_KEPT = b"_domains/"


class DomainKeeper:
    """Its records are under _domains/ in the actor's storage."""

    @deferred
    @callable_by(OWNER, SELF)
    def keep_domain(self, payload):
        """Has the domain fqdn, which leads to the actor, checked in time, for at most price base units a check; gives when the next check is asked for."""
        asked = _map(payload)
        fqdn, price = asked.get("fqdn"), asked.get("price")
        if not isinstance(fqdn, str) or isinstance(price, bool) or not isinstance(price, int) or not 0 < price < 2**128:
            raise ValueError("a domain is kept by its fqdn and the price of a check")
        old = _load(fqdn)
        if old is None and len(_kept()) >= MAX_DOMAINS:
            raise ValueError("an actor keeps at most %d domains" % MAX_DOMAINS)
        due = _due(fqdn)
        if old is not None:
            _cancel(old)
        return _wait(fqdn, price, due)

    @deferred
    @callable_by(OWNER, SELF)
    def forget_domain(self, payload):
        """Has the domain fqdn checked no more."""
        fqdn = _map(payload).get("fqdn")
        old = _load(fqdn) if isinstance(fqdn, str) else None
        if old is None:
            raise ValueError("the domain is not kept")
        _cancel(old)
        _host.delete_state(_KEPT + fqdn.encode())

    @public
    def kept_domains(self, payload):
        """The domains that are kept, each with its price and the block in which its next check is asked for"""
        return [{"fqdn": fqdn, "price": kept["price"], "at": kept["at"]} for fqdn, kept in _kept()]

    @deferred
    @callable_by(SELF)
    def check_domain(self, payload):
        """Asks for a check. A timer of the actor's calls it."""
        fqdn = _map(payload)["fqdn"]
        kept, now = _load(fqdn), _host.get_block_height()
        if kept is None or now < kept["at"]:
            return
        at = now + RETRY_BLOCKS  # to see what came of it
        try:
            due = _due(fqdn)
            if due > now:
                at = due
            else:
                _host.call(REGISTRY, "reverify_external", {"fqdn": fqdn}, CHECK_CYCLES, kept["price"])
        except Exception as e:
            _host.emit_event("DomainCheckFailed", {"fqdn": fqdn, "detail": (type(e).__name__ + ": " + str(e))[:_MAX_DETAIL]})
        _wait(fqdn, kept["price"], at)


def _due(fqdn):
    """The block from which on the domain is to be checked again; raises for one that leads to another actor or none."""
    found = _host.call(REGISTRY, "resolve_external", {"fqdn": fqdn}, 100_000, 0)
    if bytes(found["actor_address"]) != _host.get_actor_address() or "next_reverify_at" not in found:
        raise ValueError("the domain does not lead to this actor")
    return 0 if found["status"] == "suspended" else found["next_reverify_at"]


def _wait(fqdn, price, due):
    now = _host.get_block_height()
    at = min(max(due, now + 1), now + WAIT_BLOCKS)
    payload = ('{"_handler":"check_domain","_payload":{"fqdn":"' + fqdn + '"}}').encode()  # the registry knows no domain that JSON would escape
    timer = _host.schedule_timer_ex(at, payload, gas_limit=_FIRE_CYCLES)
    _host.set_state(_KEPT + fqdn.encode(), _host.cbor_encode({"price": price, "at": at, "timer": timer}))
    return at


def _cancel(kept):
    try:
        _host.cancel_timer(kept["timer"])
    except _host.HostError:
        pass  # it has fired


def _load(fqdn):
    data = _host.get_state(_KEPT + fqdn.encode())
    return None if data is None else _host.cbor_decode(data)


def _kept():
    return [(bytes(key)[len(_KEPT):].decode(), _host.cbor_decode(value)) for key, value in _host.scan_state_prefix(_KEPT, MAX_DOMAINS)]


def _map(payload):
    given = decoded(payload)
    if not isinstance(given, dict):
        raise ValueError("the payload is a map, or its CBOR or JSON")
    return given
