"""Follows a feed: keeps the newest price it is sent, pulls what it missed, and buys access for its owner's keys."""

import json

from cowboy_sdk import OWNER, Address, Storage, actor, call, callable_by, deferred, public, runtime
from cowboy_sdk import streams


@actor
class Follower:
    storage: Storage

    @public
    def init(self, payload):
        """payload: the feed's address"""
        runtime.assume_ownership_if_unowned()
        self.storage["feed"] = bytes(Address.from_hex(payload.decode()))
        self.storage["seen"] = []
        self.storage["missed"] = []

    @callable_by(OWNER)
    def follow(self, payload):
        """payload: JSON of what subscribe takes"""
        return call(self.storage["feed"], "subscribe", [json.loads(payload)])

    @callable_by(OWNER)
    def leave(self, payload):
        return call(self.storage["feed"], "unsubscribe", [{}])

    @public
    def on_stream_message(self, payload):
        """A message that is pushed. Only the feed's count."""
        self._from_feed()
        self.storage["seen"] = self.storage["seen"] + [payload["message"]["sequence"]]

    @public
    def on_stream_behind(self, payload):
        """Some messages are there to be pulled."""
        self._from_feed()
        self.storage["missed"] = self.storage["missed"] + [[payload["first"], payload["last"]]]

    @public
    def pull(self, payload):
        """payload: a cursor; gives the payloads behind it"""
        page = call(self.storage["feed"], "get_since", [{"cursor": int(payload), "limit": 10}], 1_000_000)
        return [message["payload_inline"] for message in page["messages"]]

    @deferred
    @callable_by(OWNER)
    def buy(self, payload):
        """payload: JSON {"stream": stream_id in hexadecimal, "epoch": up to and with which}; the actor pays, for itself"""
        asked = json.loads(payload)
        stream = bytes.fromhex(asked["stream"])
        receipt = streams.acquire_epoch_access(stream, asked["epoch"])
        return [receipt["total"], streams.get_access(stream, runtime.get_actor_address())]

    @callable_by(OWNER)
    def give_key(self, payload):
        """payload: an X25519 key in hexadecimal"""
        return streams.register_account_key(bytes.fromhex(payload.decode()))

    def _from_feed(self):
        if runtime.get_sender() != self.storage["feed"]:
            raise ValueError("not from the feed")
