"""The Entitlement Registry: who may do which action in which scope. Scopes and actions are texts."""

from pvm_host import call, check_entitlement, get_actor_address, grant_entitlement, revoke_entitlement

REGISTRY = b"\x00" * 19 + b"\x07"


def own_scope():
    """The scope of this actor, which it administers."""
    return actor_scope(get_actor_address())


def actor_scope(address):
    """The scope of an actor or an account."""
    return "actor:0x" + _bytes(address).hex()


def handler_action(name):
    """The action of calling a handler."""
    return "actor-execute-handler:" + name


def use_entitlement(grantee, scope, action, amount=0):
    """Counts a use of what an address was granted in a scope that this actor administers. Raises an error with the code E1207 where no grant or role
    allows it, and with E1208 where it is beyond the constraints."""
    call(REGISTRY, "use", {"grantee": _bytes(grantee), "scope": scope, "action": action, "amount": amount})


def _bytes(address):
    if isinstance(address, str):
        return bytes.fromhex(address.removeprefix("0x"))
    return address.to_bytes() if hasattr(address, "to_bytes") else bytes(address)
