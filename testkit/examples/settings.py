"""An actor that is upgraded in place, which only system actors may: it is deployed by a system deployer with the entitlement sys.upgrade.

The new code finds the storage of the old one; `migrate` brings it into the new form, once. FORM is what this code understands.
"""

import json

from cowboy_sdk import OWNER, Storage, actor, callable_by, public, runtime

FORM = 1


@actor
class Settings:
    storage: Storage

    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        self.storage["form"] = FORM
        self.storage["settings"] = {}

    @callable_by(OWNER)
    def set(self, payload):
        """payload: JSON {"name": text, "value": integer}"""
        message = json.loads(payload)
        settings = self._current()
        settings[message["name"]] = int(message["value"])
        self.storage["settings"] = settings
        runtime.emit_event("settings.set", {"name": message["name"]})

    @public
    def get(self, payload):
        return json.dumps(self._current().get(payload.decode())).encode()

    @callable_by(OWNER)
    def upgrade(self, payload):
        """payload: the new source"""
        runtime.upgrade_self(payload)
        runtime.emit_event("settings.upgraded", {"code": runtime.keccak256(payload).hex()})

    @callable_by(OWNER)
    def migrate(self, payload):
        """Brings the storage of an earlier code into this one's form."""
        form = self.storage["form"]
        if form == FORM:
            return b"nothing to do"
        self.storage["form"] = FORM
        return b"migrated from %d" % form

    def _current(self):
        if self.storage["form"] != FORM:
            raise ValueError("migrate first")
        return self.storage["settings"]
