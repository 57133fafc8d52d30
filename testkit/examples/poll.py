"""A poll with a deadline: one vote per account, closed by the poll's own timer."""

import json

from cowboy_sdk import SELF, Storage, actor, callable_by, deferred, public, runtime


@actor
class Poll:
    storage: Storage

    @deferred
    @public
    def init(self, payload):
        """payload: JSON {"question": text, "choices": [text, ...], "blocks": how long it stays open}"""
        config = json.loads(payload)
        choices = config["choices"]
        if not 2 <= len(choices) <= 16 or len(set(choices)) != len(choices):
            raise ValueError("a poll has 2 to 16 different choices")
        self.storage["question"] = config["question"]
        self.storage["votes"] = {choice: 0 for choice in choices}
        deadline = runtime.get_block_height() + int(config["blocks"])
        self.storage["deadline"] = deadline
        self.storage["open"] = True
        runtime.schedule_timer_ex(deadline, json.dumps({"_handler": "close", "_payload": {}}).encode(), gas_limit=60_000)
        return b"ok"

    @public
    def vote(self, payload):
        """payload: JSON {"choice": text}"""
        if not self.storage["open"]:
            raise ValueError("the poll is closed")
        voter = "voter:" + runtime.get_sender().hex()
        if voter in self.storage:
            raise ValueError("this account has voted")
        choice = json.loads(payload)["choice"]
        votes = self.storage["votes"]
        if choice not in votes:
            raise ValueError("no such choice: " + choice)
        votes[choice] += 1
        self.storage["votes"] = votes
        self.storage[voter] = choice
        runtime.emit_event("poll.vote", {"choice": choice, "votes": votes[choice]})
        return b"ok"

    @callable_by(SELF)
    def close(self, payload):
        votes = self.storage["votes"]
        best = max(votes.values())
        winners = [choice for choice, n in votes.items() if n == best]
        self.storage["open"] = False
        self.storage["winner"] = winners[0] if len(winners) == 1 else None
        runtime.emit_event("poll.closed", {"votes": votes, "winners": winners})

    @public
    def result(self, payload):
        return json.dumps(
            {"question": self.storage["question"], "open": self.storage["open"], "votes": self.storage["votes"]}
        ).encode()
