"""A chat actor that asks a language model off chain and keeps the conversation on chain.

`say` stores the question and submits a job; the answer arrives in a later block at `on_runner_result`. A timer gives up
on a question that nobody answers.
"""

import json

from cowboy_sdk import SELF, actor, callable_by, codec, deferred, public, runtime

PATIENCE = 120
CONTEXT = 8


@actor
class Chat:
    @public
    def init(self, payload):
        config = json.loads(payload or b"{}")
        self.storage["system"] = config.get("system", "You are a helpful cowboy.")
        self.storage["count"] = 0
        return b"ok"

    @deferred
    @public
    def say(self, payload):
        """payload: JSON {"text": question}; gives the question's number"""
        text = json.loads(payload)["text"].strip()
        if not 0 < len(text) <= 2_000:
            raise ValueError("a question has 1 to 2000 characters")
        number = self.storage["count"] + 1
        self.storage["count"] = number
        self.storage["chat:%d" % number] = {"q": text, "a": None, "by": runtime.get_sender()}
        runtime.submit_job(
            codec.encode(
                {
                    "kind": "runner_job",
                    "job_type": "llm",
                    "payload": {"args": [self._prompt(number)], "kwargs": {"system_prompt": self.storage["system"]}},
                    "cid": "chat-%d" % number,
                    "reply_to": self.address.to_bytes(),
                    "reply_handler": "on_runner_result",
                    "timeout_block": runtime.get_block_height() + PATIENCE,
                }
            )
        )
        give_up = json.dumps({"_handler": "give_up", "_payload": {"number": number}}).encode()
        runtime.schedule_timer_ex(runtime.get_block_height() + PATIENCE, give_up, gas_limit=60_000)
        runtime.emit_event("chat.question", {"number": number})
        return str(number).encode()

    @callable_by(SELF)
    def on_runner_result(self, payload):
        result = codec.decode(payload) if isinstance(payload, bytes) else payload
        number = int(result["cid"].split("-")[1])
        answer = result["result"] if result["status"] == "ok" else "(no answer)"
        self._answer(number, answer)

    @callable_by(SELF)
    def give_up(self, payload):
        number = json.loads(payload)["number"]
        if self.storage["chat:%d" % number]["a"] is None:
            self._answer(number, "(nobody answered)")

    @public
    def history(self, payload):
        last = self.storage["count"]
        entries = [self.storage["chat:%d" % n] for n in range(max(1, last - CONTEXT + 1), last + 1)]
        return json.dumps([{"q": e["q"], "a": e["a"]} for e in entries]).encode()

    def _answer(self, number, answer):
        entry = self.storage["chat:%d" % number]
        entry["a"] = answer
        self.storage["chat:%d" % number] = entry
        runtime.emit_event("chat.answer", {"number": number})

    def _prompt(self, number):
        lines = []
        for n in range(max(1, number - CONTEXT), number + 1):
            entry = self.storage["chat:%d" % n]
            lines.append("user: " + entry["q"])
            if entry["a"] is not None:
                lines.append("assistant: " + entry["a"])
        return "\n".join(lines)
