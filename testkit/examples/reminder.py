"""Reminders written by a model and delivered by a timer: a timer starts a continuation, and the continuation sets a timer.

`remind` keeps what to be reminded of and sets a timer. When it fires, a model is asked for a sentence; the sentence becomes an event. A model that
does not answer in time costs the sentence, not the reminder.
"""

import json

from cowboy_sdk import SELF, RunnerTimeoutError, Storage, actor, callable_by, cancel_timer, deferred, public, runner, runtime, set_timer

PATIENCE = 10  # blocks a model has


@actor
class Reminder:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["count"] = 0

    @deferred
    @public
    def remind(self, payload):
        """payload: JSON {"of": text, "in": blocks}; gives the reminder's number"""
        message = json.loads(payload)
        if not message["of"] or len(message["of"]) > 200:
            raise ValueError("a reminder has 1 to 200 characters")
        number = self.storage["count"]
        self.storage["count"] = number + 1
        timer = set_timer(runtime.get_block_height() + int(message["in"]), "due", {"number": number})
        self.storage["r:%d" % number] = {"of": message["of"], "by": runtime.get_sender(), "timer": timer}
        return str(number).encode()

    @deferred
    @public
    def forget(self, payload):
        """payload: the number of one's own reminder"""
        key = "r:%d" % int(payload)
        reminder = self.storage[key]
        if reminder is None or reminder["by"] != runtime.get_sender():
            raise ValueError("no such reminder of yours")
        cancel_timer(reminder["timer"])
        del self.storage[key]
        return b"ok"

    @callable_by(SELF)
    @runner.continuation(timeout_blocks=PATIENCE)
    async def due(self, msg):
        number: int = msg["number"]
        reminder = self.storage["r:%d" % number]
        set_timer(runtime.get_block_height() + PATIENCE + 1, "overdue", {"number": number})
        try:
            sentence = await runner.llm("Remind somebody, in one sentence, of: " + reminder["of"], max_tokens=60)
        except RunnerTimeoutError:
            return
        self._tell(number, str(sentence))

    @callable_by(SELF)
    def overdue(self, msg):
        """Fires when the model had its time; nothing is left to do if it used it."""
        reminder = self.storage["r:%d" % msg["number"]]
        if reminder is not None:
            self._tell(msg["number"], reminder["of"])

    def _tell(self, number, text):
        reminder = self.storage["r:%d" % number]
        if reminder is None:
            return
        del self.storage["r:%d" % number]
        runtime.emit_event("reminder", {"number": number, "for": reminder["by"].hex(), "text": text})
