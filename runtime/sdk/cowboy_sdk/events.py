"""Subscriptions to the events of other actors, and what becomes of an emit."""

import pvm_host as _host
from pvm_host import (
    force_unsubscribe_event,
    get_min_bid_for_rank,
    get_rank,
    get_topic_orderbook,
    subscribe_event,
    topup_subscription,
    unsubscribe_event,
    update_bid,
)


class Fire:
    """A hook that ran at once: its subscription, the code of its fault (0 for none) and the gas it used."""

    def __init__(self, sub_id, code, gas):
        self.sub_id = sub_id
        self.code = code
        self.gas = gas

    @property
    def ok(self):
        return self.code == 0


class EmitResult:
    """What became of an emit. An event that nobody subscribed to has no emit_id and no hooks.

    fired are the hooks that ran at once, in their order; deferred the subscriptions whose hooks wait for a later block; refused the
    code of the limit that kept the emit from its hooks, 0 for none.
    """

    def __init__(self, found):
        found = found or {}
        self.emit_id = found.get("emit_id")
        self.fired = [Fire(sub_id, code, gas) for sub_id, code, gas in found.get("fired", [])]
        self.deferred = found.get("deferred", [])
        self.refused = found.get("refused", 0)

    @property
    def ok(self):
        """Whether no limit stood in the way and every hook that ran ended well."""
        return self.refused == 0 and all(fire.ok for fire in self.fired)


def emit_event(name, payload=None):
    """Emits an event as runtime.emit_event does, and gives an EmitResult."""
    return EmitResult(_host.emit_event(name, payload))
