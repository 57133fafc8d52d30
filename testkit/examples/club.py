"""A club: the founder lets members in for a time and so many visits, in the Entitlement Registry, and members come in until either is over."""

import json

from cowboy_sdk import OWNER, Storage, actor, callable_by, deferred, public, runtime
from cowboy_sdk.entitlements import check_entitlement, grant_entitlement, handler_action, own_scope, revoke_entitlement, use_entitlement

VISIT = handler_action("visit")


@actor
class Club:
    storage: Storage

    @deferred
    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        self.storage["visits"] = 0
        return b"ok"

    @deferred
    @callable_by(OWNER)
    def admit(self, payload):
        """payload: JSON {"member": address, "visits": how many, "blocks": for how long}"""
        terms = json.loads(payload)
        last = runtime.get_block_height() + int(terms["blocks"])
        made = grant_entitlement(terms["member"], own_scope(), VISIT, {"max_uses": int(terms["visits"]), "valid_until": last})
        self.storage["member:" + terms["member"]] = made
        return b"ok"

    @deferred
    @callable_by(OWNER)
    def dismiss(self, payload):
        """payload: the address that was admitted"""
        revoke_entitlement(self.storage["member:" + payload.decode()])
        return b"ok"

    @deferred
    @public
    def visit(self, payload):
        use_entitlement(runtime.get_sender(), own_scope(), VISIT)
        self.storage["visits"] += 1
        return str(self.storage["visits"]).encode()

    @public
    def welcome(self, payload):
        """payload: an address"""
        return b"yes" if check_entitlement(payload.decode(), own_scope(), VISIT) else b"no"
