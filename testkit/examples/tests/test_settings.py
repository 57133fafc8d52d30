"""Settings are upgraded in place, by those who may."""

from cowboy_sdk import MissingEntitlementError, PermissionDeniedError
from cowboy_sdk.testing import SimulatedChain, raises
from settings import Settings

MANIFEST = [{"id": "storage.kv", "params": {"max_bytes": 4096}}, {"id": "sys.upgrade"}]
NEXT = """
from cowboy_sdk import OWNER, actor, callable_by, public

@actor
class Settings:
    @public
    def get(self, payload):
        return str(self.storage["settings"].get(payload.decode())).encode()

    @callable_by(OWNER)
    def migrate(self, payload):
        self.storage["settings"] = {"moved": len(self.storage["settings"])}
"""


def system():
    names = SimulatedChain(Settings)
    return SimulatedChain(Settings, sender=names.system_deployer, manifest=MANIFEST)


def test_upgrade_by_itself():
    chain = system()
    chain.call("set", {"name": "limit", "value": 4})
    assert chain.call("get", "limit") == b"4"
    assert chain.call("migrate") == b"nothing to do"
    with raises(PermissionDeniedError):
        chain.call("upgrade", NEXT, sender="bob")
    chain.call("upgrade", NEXT)
    chain.call("migrate")
    assert chain.call("get", "moved", sender="bob") == b"1"


def test_upgrade_by_its_deployer():
    chain = system()
    chain.call("set", {"name": "limit", "value": 4})
    chain.upgrade(chain, NEXT)
    assert chain.call("get", "limit") == b"4"


def test_nobody_else():
    plain = SimulatedChain(Settings)
    with raises(MissingEntitlementError):
        plain.call("upgrade", NEXT)
    with raises(Exception, match="system deployer"):
        SimulatedChain(Settings, manifest=MANIFEST)
