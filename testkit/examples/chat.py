"""A chat actor that asks a language model off chain and keeps the conversation on chain.

`say` stores the question and awaits the model's answer, which arrives in a later block. A timer gives up on a question that
nobody answers.
"""

import json

from cowboy_sdk import (
    SELF, RunnerTimeoutError, RunnerValidationError, Storage, actor, callable_by, public, runner, runtime,
)

PATIENCE = 120
CONTEXT = 8


@actor
class Chat:
    storage: Storage

    @public
    def init(self, payload):
        config = json.loads(payload or b"{}")
        self.storage["system"] = config.get("system", "You are a helpful cowboy.")
        self.storage["count"] = 0
        return b"ok"

    @public
    @runner.continuation(timeout_blocks=PATIENCE)
    async def say(self, payload):
        """payload: JSON {"text": question}"""
        text = json.loads(payload)["text"].strip()
        if not 0 < len(text) <= 2_000:
            raise ValueError("a question has 1 to 2000 characters")
        number = self.storage["count"] + 1
        self.storage["count"] = number
        self.storage["chat:%d" % number] = {"q": text, "a": None, "by": runtime.get_sender()}
        give_up = json.dumps({"_handler": "give_up", "_payload": {"number": number}}).encode()
        runtime.schedule_timer_ex(runtime.get_block_height() + PATIENCE, give_up, gas_limit=200_000)
        runtime.emit_event("chat.question", {"number": number})
        try:
            answer = await runner.llm(self._prompt(number), system_prompt=self.storage["system"], max_tokens=500)
        except (RunnerTimeoutError, RunnerValidationError):
            answer = "(no answer)"
        self._answer(number, answer)

    @callable_by(SELF)
    def give_up(self, payload):
        self._answer(json.loads(payload)["number"], "(nobody answered)")

    @public
    def history(self, payload):
        last = self.storage["count"]
        entries = [self.storage["chat:%d" % n] for n in range(max(1, last - CONTEXT + 1), last + 1)]
        return json.dumps([{"q": e["q"], "a": e["a"]} for e in entries]).encode()

    def _answer(self, number, answer):
        entry = self.storage["chat:%d" % number]
        if entry["a"] is None:
            entry["a"] = str(answer)
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
