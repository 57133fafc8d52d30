"""Pay by the block: a payer locks coins for a payee, who may take what has flowed at any time; either of them may stop the stream.

Fund the actor, then `open` a stream. What has not flowed when it is stopped goes back.
"""

import json

from cowboy_sdk import Address, Storage, actor, public, runtime


@actor
class Stream:
    storage: Storage
    address: Address

    @public
    def init(self, payload):
        self.storage["count"] = 0
        self.storage["locked"] = 0

    @public
    def open(self, payload):
        """payload: JSON {"to": address, "rate": base units a block, "blocks": how long}; gives the stream's number"""
        message = json.loads(payload)
        rate, blocks = int(message["rate"]), int(message["blocks"])
        if rate <= 0 or blocks <= 0:
            raise ValueError("a stream flows")
        total = rate * blocks
        if runtime.get_balance(self.address) - self.storage["locked"] < total:
            raise ValueError("fund the actor with %d first" % total)
        number = self.storage["count"]
        self.storage["count"] = number + 1
        self.storage["locked"] += total
        self.storage["s:%d" % number] = {
            "from": runtime.get_sender(), "to": Address.from_hex(message["to"]).to_bytes(), "rate": rate, "start": runtime.get_block_height(),
            "blocks": blocks, "taken": 0,
        }
        runtime.emit_event("stream.open", {"number": number, "rate": rate, "blocks": blocks})
        return str(number).encode()

    @public
    def take(self, payload):
        """payload: the stream's number; pays the payee what has flowed, and gives the amount"""
        number = int(payload)
        stream = self._find(number)
        amount = self._flowed(stream) - stream["taken"]
        if amount:
            self._pay(number, stream, amount)
        return str(amount).encode()

    @public
    def stop(self, payload):
        """payload: the stream's number; by payer or payee"""
        number = int(payload)
        stream = self._find(number)
        if runtime.get_sender() not in (stream["from"], stream["to"]):
            raise ValueError("only payer or payee may do that")
        amount = self._flowed(stream) - stream["taken"]
        if amount:
            self._pay(number, stream, amount)
        rest = stream["rate"] * stream["blocks"] - stream["taken"]
        del self.storage["s:%d" % number]
        self.storage["locked"] -= rest
        if rest:
            runtime.transfer(stream["from"], rest)
        runtime.emit_event("stream.stop", {"number": number, "returned": rest})
        return str(rest).encode()

    @public
    def show(self, payload):
        stream = self._find(int(payload))
        return json.dumps({"flowed": self._flowed(stream), "taken": stream["taken"], "rate": stream["rate"]}).encode()

    def _find(self, number):
        stream = self.storage["s:%d" % number]
        if stream is None:
            raise ValueError("no such stream")
        return stream

    def _flowed(self, stream):
        return stream["rate"] * min(stream["blocks"], runtime.get_block_height() - stream["start"])

    def _pay(self, number, stream, amount):
        stream["taken"] += amount
        self.storage["s:%d" % number] = stream
        self.storage["locked"] -= amount
        runtime.transfer(stream["to"], amount)
        runtime.emit_event("stream.paid", {"number": number, "amount": amount})
