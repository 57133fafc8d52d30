"""A call of another actor whose answer comes in a later block."""

import pvm_host as _host
from cowboy_sdk import codec
from cowboy_sdk._continuation import Awaitable
from cowboy_sdk.types import Address


class AsyncCall(Awaitable):
    """What ActorRef(...).async_<method>(...) gives."""

    def __init__(self, target, method, args, timeout_blocks):
        self.source = bytes(Address(target))
        self.method = method
        self.args = args
        self.timeout_blocks = timeout_blocks

    def submit(self, cid, handler, timeout_block):
        _host.send_message(self.source, codec.encode({
            "kind": "actor_async_call", "cid": cid, "method": self.method, "args": self.args, "reply_handler": handler,
        }), structured=True)

    def about(self):
        return {"actor": True}
