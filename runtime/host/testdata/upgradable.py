from cowboy_sdk import actor, runtime

VERSION = 1


@actor
class Upgradable:
    def init(self, payload):
        self.storage["kept"] = 7

    def version(self, payload):
        return str(VERSION).encode()

    def upgrade(self, payload):
        runtime.upgrade_self(payload)
        return str(VERSION).encode()

    def upgrade_with(self, payload):
        code, manifest = payload.split(b"\0")
        runtime.upgrade_self(code.decode(), manifest)

    def upgrade_and_fail(self, payload):
        runtime.upgrade_self(payload)
        raise ValueError("no")

    def upgrade_and_call(self, payload):
        runtime.upgrade_self(payload)
        return runtime.call_actor(self.address, "version", b"")

    def kept(self, payload):
        return str(self.storage["kept"]).encode()
