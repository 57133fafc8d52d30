"""A feed of prices. Its publisher signs them outside of the chain; the owner may add a line of its own. Where there is a price, keys are sold by the epoch."""

import json

from cowboy_sdk import OWNER, Storage, actor, callable_by, deferred, public, runtime
from cowboy_sdk.stream_actor import StreamActor


@actor
class Feed(StreamActor):
    storage: Storage

    @public
    def init(self, payload):
        """payload: JSON {"publisher_key": ed25519 key in hexadecimal, and whatever else open_stream takes}"""
        runtime.assume_ownership_if_unowned()
        terms = json.loads(payload)
        if terms.get("paid"):
            terms["paid"]["publisher_treasury"] = runtime.get_owner()
        terms["publisher_key"] = bytes.fromhex(terms["publisher_key"])
        return self.open_stream("prices", **terms)

    @deferred
    @callable_by(OWNER)
    def remark(self, payload):
        """payload: a line of text"""
        return self.publish_own({
            "timestamp_unix_ms": runtime.get_timestamp_ms(), "kind": "remark", "content_type": "text/plain", "payload_inline": bytes(payload),
        })
